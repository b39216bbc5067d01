import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ResolveConflictBody } from '../../src/contracts/conflicts.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type { Conflict, ResolveConflictBody } from '../../src/contracts/conflicts.ts';

const PAGE_SIZE = 200;

export function useConflicts(state: 'open' | 'closed') {
  return useInfiniteQuery({
    queryKey: KEY.conflicts({ state }),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/conflicts', { query: { state, cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (known) => known,
  });
}

/** One after the other, until one is refused; what they changed is read again once. */
export function useResolveConflicts() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (choices: readonly (ResolveConflictBody & { readonly id: string })[]): Promise<void> => {
      for (const { id, ...body } of choices)
        await call('POST /api/conflicts/{id}/resolution', { params: { id }, body });
    },
    onSettled: () =>
      Promise.all(
        [KEY.conflicts(), KEY.overview, KEY.pairs, KEY.records()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
