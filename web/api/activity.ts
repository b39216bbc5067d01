import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
import { toStories } from './activity-story.ts';
import { askAgain } from './ask-again.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
export type { Story } from './activity-story.ts';

export type ActivityFilter = 'all' | 'orders' | 'products' | 'errors';

/** Rows kept on a page; older ones leave it. */
const ROWS_MAX = 200;

export function useActivity(filter: ActivityFilter, limit: number) {
  return useQuery({
    queryKey: KEY.activity({ filter, limit }),
    queryFn: ({ signal, client }) => {
      const ask = () => call('GET /api/activity', { query: { filter, limit }, signal });
      return filter === 'all' ? askUntilLive(client, ask) : ask();
    },
  });
}

/** What the live channel brought: an answer that was on its way meanwhile doesn't know it. */
interface Arrived {
  /** The channel brings what is newer than this row. */
  readonly after: number;
  /** Newest first. */
  readonly rows: readonly Activity[];
}

/** An answer and what the channel brought since, with nothing missing between the two. */
export async function askUntilLive(client: QueryClient, ask: () => Promise<ActivityReply>): Promise<ActivityReply> {
  let reply = await ask();
  let arrived = client.getQueryData<Arrived>(KEY.arrived);
  // Answered before the channel stood, read after it.
  if (arrived && reply.lastSeq < arrived.after) {
    reply = await ask();
    arrived = client.getQueryData<Arrived>(KEY.arrived);
  }
  const seen = reply.lastSeq;
  return (arrived?.rows ?? []).filter(({ seq }) => seq > seen).reduceRight(withRow, reply);
}

function withRow(known: ActivityReply, row: Activity): ActivityReply {
  return { ...known, activity: rowsWith(known.activity, row), lastSeq: Math.max(known.lastSeq, row.seq) };
}

function rowsWith(known: readonly Activity[], row: Activity): Activity[] {
  return [row, ...known.filter(({ seq }) => seq !== row.seq)].sort((a, b) => b.seq - a.seq).slice(0, ROWS_MAX);
}

/** The live channel stands. True: a list was answered before it did, and something has happened since that it will not bring. */
export function beginArrivals(client: QueryClient, after: number): boolean {
  client.setQueryDefaults(KEY.arrived, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData<Arrived>(KEY.arrived, { after, rows: [] });
  return client
    .getQueriesData<ActivityReply>({ queryKey: KEY.activity() })
    .some(([, known]) => known !== undefined && known.lastSeq < after);
}

/** Puts a row that came over the live channel in front of every list that shows all rows; filtered ones ask again. */
export function addActivity(client: QueryClient, row: Activity): void {
  // Lines of what is removed are gone from the journal, too.
  const isEnd = row.type === 'demo_data_removed';
  client.setQueryData<Arrived>(
    KEY.arrived,
    (known) => known && { ...known, rows: isEnd ? [row] : rowsWith(known.rows, row) },
  );
  client.setQueriesData<ActivityReply>({ queryKey: KEY.activity({ filter: 'all' }) }, (known) =>
    !known || known.activity.some(({ seq }) => seq === row.seq) ? known : withRow(known, row),
  );
  void askAgain(client, {
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
