import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConnectStoreBody, ConnectStoreReply, StoresReply, TestStoreReply } from '../../src/contracts/stores.ts';
import { KEY } from './keys.ts';
import { request } from './request.ts';

export type { ConnectStoreBody, Finding, Store } from '../../src/contracts/stores.ts';

export function useStores() {
  return useQuery({
    queryKey: KEY.stores,
    queryFn: ({ signal }) => request<StoresReply>('/stores', { query: { limit: 200 }, signal }),
  });
}

function useStoreChange<Input, Reply>(call: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () =>
      Promise.all([KEY.stores, KEY.pairs, KEY.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export function useConnectStore() {
  return useStoreChange((body: ConnectStoreBody) =>
    request<ConnectStoreReply>('/stores/connect', { method: 'POST', body }),
  );
}

export function useTestStore() {
  return useStoreChange((id: string) =>
    request<TestStoreReply>(`/stores/${encodeURIComponent(id)}/test-connection`, { method: 'POST', body: {} }),
  );
}

export function useDisconnectStore() {
  return useStoreChange((id: string) => request(`/stores/${encodeURIComponent(id)}`, { method: 'DELETE' }));
}
