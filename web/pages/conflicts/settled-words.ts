import type { Conflict } from '../../api/conflicts.ts';
import { otherSide, SIDE_NAME, type Side } from '../../components/side.ts';
import { formatDateTime } from '../../hooks/format.ts';
import { isDelete } from './delete-words.ts';

type Settled = Pick<Conflict, 'field' | 'side' | 'resolution' | 'closedAt'>;

/**
 * The side whose value a settled conflict ended with; null: neither's. The hub's value is what the other side brought. What was decided about a delete is
 * called by what was done once that is done.
 */
export function takenFrom({ side, resolution }: Pick<Settled, 'side' | 'resolution'>): Side | null {
  if (resolution === 'remote' || resolution === 'deleted') return side;
  return resolution === 'hub' || resolution === 'kept' ? otherSide(side) : null;
}

/** How it ended where no side's value was chosen. */
const END: Readonly<Record<string, string>> = {
  value: 'the value of neither store was taken',
  met: 'both stores came to the same value',
  lapsed: 'it did not have to be resolved any more',
};

function takenWords(conflict: Settled, taken: Side): string {
  if (!isDelete(conflict)) return `the value of ${SIDE_NAME[taken]} was taken`;
  return taken === conflict.side
    ? `the delete in ${SIDE_NAME[taken]} was followed`
    : 'the product was kept, against the delete';
}

/** When and how a conflict was settled, as a sentence. */
export function settledWords(conflict: Settled): string {
  const side = takenFrom(conflict);
  const when = conflict.closedAt ? ` ${formatDateTime(conflict.closedAt)}` : '';
  const how = side ? takenWords(conflict, side) : END[conflict.resolution ?? ''];
  return how === undefined ? `Resolved${when}.` : `Resolved${when}: ${how}.`;
}
