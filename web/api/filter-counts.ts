import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityFilter, ActivityReply, Story } from './activity.ts';
import { call } from './request.ts';

/** How far the counts may be behind the rows, which come one by one over the live channel. */
const BEHIND_MS = 5_000;

/** How many rows each filter of the activity lets through. `lastSeq`: the newest row of the list; null: its own counts are as new as its rows. */
export function useFilterCounts(lastSeq: number | null) {
  const isWanted = lastSeq !== null;
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['activity_counts'],
    queryFn: ({ signal }) => call('GET /api/activity', { query: { limit: 1 }, signal }),
    enabled: isWanted,
  });
  const isBehind = isWanted && data !== undefined && data.lastSeq < lastSeq;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => void refetch(), Math.max(0, dataUpdatedAt + BEHIND_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [isBehind, dataUpdatedAt, refetch]);
  return isWanted ? data?.filterCounts : undefined;
}

/** Stories, and whether they are all that there are: what is older than the rows of a page is in none. */
export interface Told {
  readonly stories: readonly Pick<Story, 'type'>[];
  readonly isWhole: boolean;
}

export function toldOf({ nextCursor }: Pick<ActivityReply, 'nextCursor'>, stories: Told['stories']): Told {
  return { stories, isWhole: nextCursor === null };
}

const PRODUCT = /^(?:stock|product|field|conflict)/;

/**
 * What the filters say they let through. The server counts rows of the journal, of which a change and its write are two, and
 * one on the page; how many those make is only known of what is here. Of more than that, a number says that there are more.
 */
export function shownCounts(
  filter: ActivityFilter,
  shown: Told | undefined,
  all: Told | undefined,
  rowCounts: ActivityReply['filterCounts'] | undefined,
): { readonly [Filter in ActivityFilter]?: number | { readonly atLeast: number } } {
  if (rowCounts === undefined) return {};
  const counts: { [Filter in ActivityFilter]?: number | { readonly atLeast: number } } = {
    // What these let through is one row each.
    ...{ orders: rowCounts.orders, errors: rowCounts.errors },
  };
  const put = (of: ActivityFilter, count: number, isWhole: boolean): void => {
    counts[of] = isWhole ? count : { atLeast: count };
  };
  if (all !== undefined) {
    put('all', all.stories.length, all.isWhole);
    put('products', all.stories.filter(({ type }) => PRODUCT.test(type)).length, all.isWhole);
  }
  if (shown !== undefined && filter === 'products') put(filter, shown.stories.length, shown.isWhole);
  return counts;
}
