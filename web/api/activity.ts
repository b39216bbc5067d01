import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
import { toStories } from './activity-story.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
export type { Story } from './activity-story.ts';

export type ActivityFilter = 'all' | 'orders' | 'products' | 'errors';

/** Rows kept on a page; older ones are read with the next page. */
const ROWS_MAX = 200;

export function useActivity(filter: ActivityFilter, limit: number) {
  return useQuery({
    queryKey: KEY.activity({ filter, limit }),
    queryFn: ({ signal }) => call('GET /api/activity', { query: { filter, limit }, signal }),
  });
}

/** Puts a row that came over the live channel in front of every list that shows all rows; filtered ones ask again. */
export function addActivity(client: QueryClient, row: Activity): void {
  client.setQueriesData<ActivityReply>({ queryKey: KEY.activity({ filter: 'all' }), exact: false }, (known) => {
    if (!known || known.activity.some((other) => other.seq === row.seq)) return known;
    const activity = [row, ...known.activity].sort((a, b) => b.seq - a.seq).slice(0, ROWS_MAX);
    return { ...known, activity, lastSeq: Math.max(known.lastSeq, row.seq) };
  });
  void client.invalidateQueries({
    predicate: ({ queryKey: [name, part] }) =>
      name === 'activity' && (part as { filter?: string } | undefined)?.filter !== 'all',
  });
}

/** The newest rows as stories. */
export function useStories(filter: ActivityFilter, limit: number) {
  const query = useActivity(filter, limit);
  const rows = query.data?.activity;
  const stories = useMemo(() => toStories(rows ?? []), [rows]);
  return { query, stories };
}
