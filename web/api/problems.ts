import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import type { LongList } from './long-lists.ts';
import { call } from './request.ts';

export type { Problem } from '../../src/contracts/problems.ts';

const PAGE_SIZE = 50;

const ASK_OPEN_MS = 5_000;

/**
 * Nothing is told when a problem is over: while some are open, and the page is looked at, it is asked for again. A list of several pages
 * more seldom, so that it makes no more requests.
 */
export function askWhileOpen(isOpen: boolean | undefined, pages = 1): number | false {
  return isOpen === true && ASK_OPEN_MS * pages;
}

/** What is open, in all pairs and stores. */
export function useProblems() {
  return useInfiniteQuery({
    queryKey: KEY.problems({ state: 'open' }),
    initialPageParam: '',
    meta: { list: { rows: 'problems', id: '_id' } satisfies LongList },
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/problems', { query: { state: 'open', cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) => askWhileOpen((data?.pages[0]?.total ?? 0) > 0, data?.pages.length),
  });
}

export function useRetryProblem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('POST /api/problems/{id}/retry', { params: { id } }),
    onSettled: () =>
      Promise.all(
        [KEY.problems(), KEY.records(), KEY.overview].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}
