import { formatNumber, plural } from '../../hooks/format.ts';

type Counts = Readonly<Record<string, number | undefined>>;

/** How many of a run's records stand in the list: "50 of 10,000 records". `outcome`: the one that the list is limited to. */
export function shownRecords(shown: number, counts: Counts, outcome: string | undefined): string {
  const all = Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const total = outcome === undefined ? all : (counts[outcome] ?? 0);
  return shown < total ? `${formatNumber(shown)} of ${plural(total, 'record')}` : plural(shown, 'record');
}
