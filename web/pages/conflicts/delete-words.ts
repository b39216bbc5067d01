import type { Conflict } from '../../api/conflicts.ts';
import { otherSide, SIDE_NAME, type Side } from '../../components/side.ts';

/** A delete against an edit is a conflict of this name. Its `side` is the store that deleted, and nothing lies between the two. */
const DELETED = 'deleted';

export function isDelete({ field }: Pick<Conflict, 'field'>): boolean {
  return field === DELETED;
}

/** Which store did what. */
export function deleteTitle({ side }: Pick<Conflict, 'side'>): string {
  return `Deleted in ${SIDE_NAME[side]}, changed in ${SIDE_NAME[otherSide(side)]}`;
}

/** What the choice of one store stands for. */
export function deleteValue({ side }: Pick<Conflict, 'side'>, of: Side): string {
  return side === of ? 'Deleted' : 'Kept';
}

/** What becomes of so many products that one store deleted, where `winner` wins. */
export function deleteFate(deletedIn: Side, winner: Side, count = 1): string {
  const [are, them] = count === 1 ? ['it is', 'it'] : ['they are', 'them'];
  if (deletedIn !== winner) return `${are} kept, against the delete`;
  return `${are} put away in ${SIDE_NAME[otherSide(winner)]}, too, unless the pair is set to leave ${them} there`;
}
