import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConflictReply, ConflictsReply, ResolveConflictBody } from '../../src/contracts/conflicts.ts';
import { KEY } from './keys.ts';
import { request } from './request.ts';

export type { Conflict, ResolveConflictBody } from '../../src/contracts/conflicts.ts';

export function useConflicts(state: 'open' | 'closed') {
  return useQuery({
    queryKey: KEY.conflicts({ state }),
    queryFn: ({ signal }) => request<ConflictsReply>('/conflicts', { query: { state, limit: 200 }, signal }),
    placeholderData: (known) => known,
  });
}

export function useResolveConflict() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: ResolveConflictBody & { readonly id: string }) =>
      request<ConflictReply>(`/conflicts/${encodeURIComponent(id)}/resolution`, { method: 'POST', body }),
    onSettled: () =>
      Promise.all(
        [KEY.conflicts(), KEY.overview, KEY.pairs, KEY.records()].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
