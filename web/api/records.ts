import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CountStockBody, RecordsQuery } from '../../src/contracts/records.ts';
import { KEY } from './keys.ts';
import type { LongList } from './long-lists.ts';
import { askWhileOpen } from './problems.ts';
import { call } from './request.ts';

export type { Change, RecordReply, RecordSide, RecordSummary, VariantView } from '../../src/contracts/records.ts';

export interface RecordFilter {
  readonly state: RecordsQuery['state'] | undefined;
  readonly q: string | undefined;
}

const PAGE_SIZE = 50;
/** Letters. Fewer are in too many names. */
export const SEARCH_LENGTH_MIN = 2;

export function useRecords(filter: RecordFilter) {
  return useInfiniteQuery({
    queryKey: KEY.records(filter),
    initialPageParam: '',
    meta: { list: { rows: 'records', id: '_id' } satisfies LongList },
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/records', { query: { ...filter, cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (known) => known,
  });
}

/** A few records by name or SKU, while somebody types; asks nothing for less than two letters. What was found for other letters is not kept: Enter would open it. */
export function useRecordSearch(q: string, limit: number) {
  return useQuery({
    queryKey: KEY.records({ q, limit }),
    queryFn: ({ signal }) => call('GET /api/records', { query: { q, limit }, signal }),
    enabled: q.length >= SEARCH_LENGTH_MIN,
  });
}

/** A record with its history, newest first, page by page. */
export function useRecord(id: string) {
  return useInfiniteQuery({
    queryKey: KEY.record(id),
    initialPageParam: '',
    meta: { list: { rows: 'changes', id: 'seq', grows: true } satisfies LongList },
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/records/{id}', {
        params: { id },
        query: { cursor: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      askWhileOpen(
        data?.pages[0]?.record.problems.some(({ state }) => state === 'open'),
        data?.pages.length,
      ),
  });
}

/** "Counted N at T": what a person found on the shelf. */
export function useCountStock(recordId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CountStockBody) => call('POST /api/records/{id}/count', { params: { id: recordId }, body }),
    onSettled: () =>
      Promise.all(
        [KEY.record(recordId), KEY.records(), KEY.overview].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}
