import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ResolveConflictBody } from '../../src/contracts/conflicts.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type { Conflict, ResolveConflictBody } from '../../src/contracts/conflicts.ts';

export function useConflicts(state: 'open' | 'closed') {
  return useQuery({
    queryKey: KEY.conflicts({ state }),
    queryFn: ({ signal }) => call('GET /api/conflicts', { query: { state, limit: 200 }, signal }),
    placeholderData: (known) => known,
  });
}

export function useResolveConflict() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ResolveConflictBody & { readonly id: string }) =>
      call('POST /api/conflicts/{id}/resolution', { params: { id }, body }),
    onSettled: () =>
      Promise.all(
        [KEY.conflicts(), KEY.overview, KEY.pairs, KEY.records()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
