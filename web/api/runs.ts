import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HistoryQuery, RunQuery, SyncStatsReply } from '../../src/contracts/sync.ts';
import { KEY } from './keys.ts';
import type { LongList } from './long-lists.ts';
import { call } from './request.ts';

export type { HistoryReply, Run, RunItem } from '../../src/contracts/sync.ts';

export type SyncStats = SyncStatsReply['stats'];

export interface HistoryFilter {
  readonly status: HistoryQuery['status'] | undefined;
  readonly q: string | undefined;
  readonly offset: number;
  readonly limit: number;
}
export interface RunFilter {
  readonly outcome: RunQuery['outcome'] | undefined;
}

const RUNNING_POLL_MS = 1_000;
const PAGE_SIZE = 50;

export function useHistory(filter: HistoryFilter) {
  return useQuery({
    queryKey: KEY.history(filter),
    queryFn: ({ signal }) => call('GET /api/sync/history', { query: { ...filter }, signal }),
    placeholderData: (known) => known,
  });
}

/** Of the last 30 days. */
export function useSyncStats() {
  return useQuery({
    queryKey: KEY.syncStats,
    queryFn: ({ signal }) => call('GET /api/sync/stats', { query: { period: 'month' }, signal }),
  });
}

export function useRun(id: string, filter: RunFilter) {
  return useInfiniteQuery({
    queryKey: KEY.run(id, filter),
    initialPageParam: '',
    meta: { list: { rows: 'items', id: 'subject' } satisfies LongList },
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/runs/{id}', {
        params: { id },
        query: { ...filter, cursor: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (known, before) => (before?.queryKey[1] === id ? known : undefined),
    // With several pages each look would be as many requests: then the live channel says when.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 && data.pages[0]?.run.status === 'running' ? RUNNING_POLL_MS : false,
  });
}

export function useCancelRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('POST /api/sync/cancel/{id}', { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY.runs }),
  });
}
