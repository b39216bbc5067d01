import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreatePairBody, PairReply, PairSettingsBody, PairsReply } from '../../src/contracts/pairs.ts';
import type { RunReply } from '../../src/contracts/sync.ts';
import { KEY } from './keys.ts';
import { request } from './request.ts';

export type { HeartbeatBar, Pair, PairSettingsBody } from '../../src/contracts/pairs.ts';

function useChange<Input, Reply>(call: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () =>
      Promise.all([KEY.pairs, KEY.overview, KEY.runs].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export function usePairs() {
  return useQuery({
    queryKey: KEY.pairs,
    queryFn: ({ signal }) => request<PairsReply>('/pairs', { signal }),
  });
}

export function useCreatePair() {
  return useChange((body: CreatePairBody) => request<PairReply>('/pairs', { method: 'POST', body }));
}

export function useUpdatePair() {
  return useChange(({ id, ...body }: PairSettingsBody & { readonly id: string }) =>
    request<PairReply>(`/pairs/${encodeURIComponent(id)}`, { method: 'PATCH', body }),
  );
}

export function usePausePair() {
  return useChange(({ id, pause }: { readonly id: string; readonly pause: boolean }) =>
    request<PairReply>(`/pairs/${encodeURIComponent(id)}/${pause ? 'pause' : 'resume'}`, { method: 'POST', body: {} }),
  );
}

export function useSyncNow() {
  return useChange((body: { readonly pairId?: string; readonly storeId?: string }) =>
    request<RunReply>('/sync/manual', { method: 'POST', body }),
  );
}
