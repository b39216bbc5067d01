import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import type { LongList } from './long-lists.ts';
import { call } from './request.ts';

export type { Problem } from '../../src/contracts/problems.ts';

const PAGE_SIZE = 50;

/** What is open, in all pairs and stores. */
export function useProblems() {
  return useInfiniteQuery({
    queryKey: KEY.problems({ state: 'open' }),
    initialPageParam: '',
    meta: { list: { rows: 'problems', id: '_id' } satisfies LongList },
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/problems', { query: { state: 'open', cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

export function useRetryProblem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('POST /api/problems/{id}/retry', { params: { id } }),
    onSettled: () =>
      Promise.all([KEY.problems(), KEY.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
