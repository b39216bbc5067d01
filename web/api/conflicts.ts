import { type QueryClient, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Conflict, ResolveConflictBody, ResolveConflictsBody } from '../../src/contracts/conflicts.ts';
import { KEY } from './keys.ts';
import type { LongList } from './long-lists.ts';
import { call } from './request.ts';
import { type Course, resolveInPortions } from './resolve-in-portions.ts';
import { useSend } from './use-send.ts';

export type { Conflict, ResolveConflictBody } from '../../src/contracts/conflicts.ts';

const PAGE_SIZE = 200;

export function useConflicts(state: 'open' | 'closed', q?: string) {
  return useInfiniteQuery({
    queryKey: KEY.conflicts({ state, q }),
    initialPageParam: '',
    meta: { list: { rows: 'conflicts', id: '_id' } satisfies LongList },
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/conflicts', { query: { state, q, cursor: pageParam, limit: PAGE_SIZE }, signal }),
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
    onSettled: () => readAgain(client),
  });
}

/** Whatever a resolved conflict changes. */
function readAgain(client: QueryClient): Promise<unknown> {
  return Promise.all(
    [KEY.conflicts(), KEY.overview, KEY.pairs, KEY.records()].map((queryKey) => client.invalidateQueries({ queryKey })),
  );
}

interface ManyToResolve extends Pick<Course, 'onProgress' | 'isStopped'> {
  readonly conflicts: readonly Conflict[];
  readonly side: 'woocommerce' | 'shopify';
}

/** One decision about many. What was not done comes back with its reason; the answer is there before the lists are read again. */
export function useResolveMany() {
  const client = useQueryClient();
  return useSend({
    mutationFn: ({ conflicts, side, ...course }: ManyToResolve) => {
      const send = (body: ResolveConflictsBody) => call('POST /api/conflicts/resolutions', { body });
      return resolveInPortions(conflicts, side, { send, ...course });
    },
    onSuccess: () => void readAgain(client),
  });
}
