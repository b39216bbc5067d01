import type { Conflict } from '../../api/conflicts.ts';
import { otherSide, SIDE_NAME, type Side } from '../../components/side.ts';
import { formatDateTime } from '../../hooks/format.ts';

type Settled = Pick<Conflict, 'side' | 'resolution' | 'closedAt'>;

/** The side whose value a settled conflict ended with; null: neither's. The hub's value is what the other side brought. */
export function takenFrom({ side, resolution }: Pick<Settled, 'side' | 'resolution'>): Side | null {
  if (resolution === 'remote') return side;
  return resolution === 'hub' ? otherSide(side) : null;
}

/** How it ended where no side's value was chosen. */
const END: Readonly<Record<string, string>> = {
  value: 'the value of neither store was taken',
  met: 'both stores came to the same value',
  lapsed: 'it did not have to be resolved any more',
};

/** When and how a conflict was settled, as a sentence. */
export function settledWords(conflict: Settled): string {
  const side = takenFrom(conflict);
  const when = conflict.closedAt ? ` ${formatDateTime(conflict.closedAt)}` : '';
  const how = side ? `the value of ${SIDE_NAME[side]} was taken` : END[conflict.resolution ?? ''];
  return how === undefined ? `Resolved${when}.` : `Resolved${when}: ${how}.`;
}
