import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreatePairBody, PairSettingsBody } from '../../src/contracts/pairs.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type { HeartbeatBar, Pair, PairSettingsBody } from '../../src/contracts/pairs.ts';

function useChange<Input, Reply>(call: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () =>
      Promise.all(
        [KEY.pairs, KEY.overview, KEY.runs, KEY.stores].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export function usePairs() {
  return useQuery({
    queryKey: KEY.pairs,
    queryFn: ({ signal }) => call('GET /api/pairs', { signal }),
  });
}

export function useCreatePair() {
  return useChange((body: CreatePairBody) => call('POST /api/pairs', { body }));
}

export function useUpdatePair() {
  return useChange(({ id, ...body }: PairSettingsBody & { readonly id: string }) =>
    call('PATCH /api/pairs/{id}', { params: { id }, body }),
  );
}

/** Records, conflicts and history of the pair go with it, and its stores can be disconnected: everything is read again. */
export function useDeletePair() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('DELETE /api/pairs/{id}', { params: { id } }),
    onSuccess: () => client.invalidateQueries(),
  });
}

export function usePausePair() {
  return useChange(({ id, pause }: { readonly id: string; readonly pause: boolean }) =>
    call(pause ? 'POST /api/pairs/{id}/pause' : 'POST /api/pairs/{id}/resume', { params: { id } }),
  );
}

export function useSyncNow() {
  return useChange((body: { readonly pairId?: string; readonly storeId?: string }) =>
    call('POST /api/sync/manual', { body }),
  );
}
