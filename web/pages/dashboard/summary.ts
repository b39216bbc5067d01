import { isStanding, knownAs } from '../../api/known-as.ts';
import type { OverviewReply } from '../../api/overview.ts';
import { formatNumber, plural } from '../../hooks/format.ts';

export function countsOf(pairs: number, stores: number): string {
  return `${plural(pairs, 'pair')}, ${plural(stores, 'store')} connected.`;
}

/** What can be said of the pairs in one sentence; the list that it speaks of stands on the overview. */
export function summaryOf({ pairs, stores, needsYou }: Pick<OverviewReply, 'pairs' | 'stores' | 'needsYou'>): string {
  const counts = countsOf(pairs.length, stores.length);
  if (pairs.length === 0) return counts;
  const standing = pairs.filter(({ pair }) => isStanding(pair)).length;
  const unlinked = pairs.filter(({ pair }) => pair.linkedAt === null).length;
  // What stands still or was never linked is not known to be level.
  if (standing > 0) return `${counts} ${plural(standing, 'pair')} ${standing === 1 ? 'stands' : 'stand'} still.`;
  if (unlinked > 0)
    return `${counts} ${plural(unlinked, 'pair')} ${unlinked === 1 ? 'waits' : 'wait'} for the first plan.`;
  const { level, records, pending } = total(pairs.map(({ pair }) => pair.counts));
  if (records === 0) return counts;
  // Between two syncs nobody looks.
  const isSeen = pairs.every(({ pair }) => knownAs(pair) === 'now');
  const when = isSeen ? '' : ' at the last sync';
  const is = isSeen ? 'is' : 'was';
  const are = level === 1 ? is : isSeen ? 'are' : 'were';
  const told =
    level === records
      ? `Everything ${is} level${when}.`
      : `${formatNumber(level)} of ${plural(records, 'record')} ${are} level${when}.`;
  if (needsYou.length > 0) return `${counts} ${told} What waits for you is listed below.`;
  return pending > 0 ? `${counts} ${told} ${plural(pending, 'record')} on the way.` : `${counts} ${told}`;
}

type Counts = OverviewReply['pairs'][number]['pair']['counts'];

function total(all: readonly Counts[]): Pick<Counts, 'records' | 'level' | 'pending'> {
  const sum = (of: keyof Counts) => all.reduce((count, counts) => count + counts[of], 0);
  return { records: sum('records'), level: sum('level'), pending: sum('pending') };
}
