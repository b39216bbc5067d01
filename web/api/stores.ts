import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConnectStoreBody, MoveStoreBody, RenewKeysBody, UpdateStoreBody } from '../../src/contracts/stores.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';

export type {
  ConnectStoreBody,
  Finding,
  MoveStoreBody,
  RenewKeysBody,
  Store,
  UpdateStoreBody,
} from '../../src/contracts/stores.ts';

export function useStores(isWanted = true) {
  return useQuery({
    queryKey: KEY.stores,
    enabled: isWanted,
    queryFn: ({ signal }) => call('GET /api/stores', { query: { limit: 200 }, signal }),
  });
}

function useStoreChange<Input, Reply>(call: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () =>
      Promise.all(
        [KEY.stores, KEY.pairs, KEY.overview, KEY.problems()].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}

export function useConnectStore() {
  return useStoreChange((body: ConnectStoreBody) => call('POST /api/stores/connect', { body }));
}

export function useRenewKeys(id: string) {
  return useStoreChange((body: RenewKeysBody) => call('POST /api/stores/{id}/keys', { params: { id }, body }));
}

export function useMoveStore(id: string) {
  return useStoreChange((body: MoveStoreBody) => call('POST /api/stores/{id}/move', { params: { id }, body }));
}

export function useUpdateStore(id: string) {
  return useStoreChange((body: UpdateStoreBody) => call('PATCH /api/stores/{id}', { params: { id }, body }));
}

export function useRotateStoreSecret(id: string) {
  return useStoreChange(() => call('POST /api/stores/{id}/rotate-webhook-secret', { params: { id } }));
}

export function useTestStore() {
  return useStoreChange((id: string) => call('POST /api/stores/{id}/test-connection', { params: { id } }));
}

export function useDisconnectStore() {
  return useStoreChange((id: string) => call('DELETE /api/stores/{id}', { params: { id } }));
}
