import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
import { toStories } from './activity-story.ts';
import { askAgain } from './ask-again.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type { Activity, ActivityReply } from '../../src/contracts/activity.ts';
export type { Story } from './activity-story.ts';

export type ActivityFilter = 'all' | 'orders' | 'products' | 'errors';

/** Rows kept on a page; older ones leave it, unless they were asked for. */
const ROWS_MAX = 200;
/** The same where older ones were asked for. */
const WITH_OLDER_MAX = 2_000;
/** Rows asked for at once. */
const OLDER_ROWS = 200;

/** `hasOlder`: what is below the newest rows was asked for, and nothing leaves the list before it is long. A `nextCursor` only says that there is more: it is asked for by the last row. */
export interface ActivityList extends ActivityReply {
  readonly hasOlder?: boolean;
}

function useActivity(filter: ActivityFilter, limit: number) {
  const queryKey = KEY.activity({ filter, limit });
  return useQuery<ActivityList>({
    queryKey,
    queryFn: async ({ signal, client }) => {
      const ask = () => call('GET /api/activity', { query: { filter, limit }, signal });
      const reply = await (filter === 'all' ? askUntilLive(client, ask) : ask());
      return withNewest(client.getQueryData(queryKey), reply);
    },
  });
}

/** What is below the rows of such a list, a piece at a time. */
export function useOlderActivity(filter: ActivityFilter, limit: number) {
  const client = useQueryClient();
  const queryKey = KEY.activity({ filter, limit });
  const change = (to: (known: ActivityList) => ActivityList): void =>
    void client.setQueryData<ActivityList>(queryKey, (known) => known && to(known));
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (before: number) => call('GET /api/activity', { query: { filter, before, limit: OLDER_ROWS } }),
    // From here on: what comes meanwhile would push out the row that the answer goes on from.
    onMutate: () => change((known) => ({ ...known, hasOlder: true })),
    onError: () => change((known) => ({ ...known, hasOlder: known.activity.length > ROWS_MAX })),
    onSuccess: (older, before) => change((known) => withOlder(known, before, older)),
  });
  return { ask: mutateAsync, isPending };
}

/** A list with the rows below the one that they were asked for by, unless it ends with another one by now. */
export function withOlder(known: ActivityList, before: number, { activity, nextCursor }: ActivityReply): ActivityList {
  if (known.activity.at(-1)?.seq !== before) return known;
  return { ...known, activity: [...known.activity, ...activity], nextCursor, hasOlder: true };
}

/** The newest rows, read anew, above the older ones that were asked for. Those go where a gap would be between the two, or rows are gone. */
export function withNewest(known: ActivityList | undefined, fresh: ActivityReply): ActivityList {
  const last = fresh.activity.at(-1)?.seq;
  if (!known?.hasOlder || last === undefined || fresh.nextCursor === null) return fresh;
  const seqs = new Set(fresh.activity.map(({ seq }) => seq));
  const above = known.activity.filter(({ seq }) => seq >= last);
  if (above.length === 0 || !above.every(({ seq }) => seqs.has(seq))) return fresh;
  const below = known.activity.slice(above.length);
  return { ...fresh, activity: [...fresh.activity, ...below], nextCursor: known.nextCursor, hasOlder: true };
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

function withRow(known: ActivityList, row: Activity): ActivityList {
  const rows = rowsWith(known.activity, row);
  const lastSeq = Math.max(known.lastSeq, row.seq);
  const most = known.hasOlder ? Math.max(WITH_OLDER_MAX, known.activity.length) : ROWS_MAX;
  if (rows.length <= most) return { ...known, activity: rows, lastSeq };
  return { ...known, activity: rows.slice(0, most), lastSeq, nextCursor: known.nextCursor ?? '' };
}

function rowsWith(known: readonly Activity[], row: Activity): Activity[] {
  return [row, ...known.filter(({ seq }) => seq !== row.seq)].sort((a, b) => b.seq - a.seq);
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
    (known) => known && { ...known, rows: isEnd ? [row] : rowsWith(known.rows, row).slice(0, ROWS_MAX) },
  );
  if (isEnd)
    client.setQueriesData<ActivityList>(
      { queryKey: KEY.activity() },
      (known) => known && { ...known, hasOlder: false },
    );
  client.setQueriesData<ActivityList>({ queryKey: KEY.activity({ filter: 'all' }) }, (known) =>
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
