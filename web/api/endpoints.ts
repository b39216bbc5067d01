import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  ChangeEndpointBody,
  CreateEndpointBody,
  Endpoint,
  EndpointMessage,
  EndpointsReply,
} from '../../src/contracts/endpoints.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type {
  ChangeEndpointBody,
  CreateEndpointBody,
  Endpoint,
  EndpointMessage,
} from '../../src/contracts/endpoints.ts';
export type { EndpointEvent, EndpointKind } from './client.gen.ts';

export type MessageStatus = EndpointMessage['status'];

/** How many deliveries a row sums up. */
const LATEST = 12;
const PAGE_SIZE = 20;
/** What is on its way is looked at again this often. Deliveries are no news of the live channel. */
const WAITING_MS = 2_000;
const RESTING_MS = 30_000;

/** For administrators only. */
export function useEndpoints(isWanted: boolean) {
  return useQuery({
    queryKey: KEY.endpoints,
    queryFn: ({ signal }) => call('GET /api/webhook-endpoints', { signal }),
    enabled: isWanted,
  });
}

function isUnderWay(messages: readonly EndpointMessage[]): boolean {
  return messages.some(({ status, attempts }) => status === 'waiting' && attempts === 0);
}

/** The newest deliveries of an endpoint, newest first. */
export function useLatestMessages({ _id: id, status }: Pick<Endpoint, '_id' | 'status'>) {
  return useQuery({
    queryKey: KEY.messages(id, { latest: true }),
    queryFn: ({ signal }) =>
      call('GET /api/webhook-endpoints/{id}/messages', { params: { id }, query: { limit: LATEST }, signal }),
    refetchInterval: ({ state }) =>
      status === 'enabled' && isUnderWay(state.data?.messages ?? []) ? WAITING_MS : RESTING_MS,
  });
}

/** The delivery log of an endpoint, newest first, page by page. */
export function useMessages(endpoint: Pick<Endpoint, '_id' | 'status'>, status: MessageStatus | undefined) {
  const { _id: id } = endpoint;
  return useInfiniteQuery({
    queryKey: KEY.messages(id, { status }),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/webhook-endpoints/{id}/messages', {
        params: { id },
        query: { status, cursor: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (known) => known,
    refetchInterval: ({ state }) =>
      endpoint.status === 'enabled' && isUnderWay(state.data?.pages.flatMap(({ messages }) => messages) ?? [])
        ? WAITING_MS
        : false,
  });
}

function useEndpointChange<Reply, Input = void>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useSend({
    tried: 'The webhook could not be changed.',
    mutationFn,
    // Replies can carry a secret: none is kept once nobody shows it.
    gcTime: 0,
    onSuccess: () =>
      void Promise.all([KEY.endpoints, KEY.audit].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

/** The reply carries the secret, this once: whoever has shown it forgets the mutation (`reset`). */
export function useCreateEndpoint() {
  return useEndpointChange((body: CreateEndpointBody) => call('POST /api/webhook-endpoints', { body }));
}

/** The same. */
export function useRotateSecret(id: string) {
  return useEndpointChange(() => call('POST /api/webhook-endpoints/{id}/rotate-secret', { params: { id } }));
}

export function useChangeEndpoint(id: string) {
  return useEndpointChange((body: ChangeEndpointBody) =>
    call('PATCH /api/webhook-endpoints/{id}', { params: { id }, body }),
  );
}

/** Its delivery log is not asked for any more: there is none. */
export function useDeleteEndpoint(id: string) {
  const client = useQueryClient();
  return useSend({
    tried: 'The webhook could not be deleted.',
    mutationFn: () => call('DELETE /api/webhook-endpoints/{id}', { params: { id } }),
    onSuccess: () => {
      client.setQueryData<EndpointsReply>(
        KEY.endpoints,
        (known) => known && { ...known, endpoints: known.endpoints.filter(({ _id }) => _id !== id) },
      );
      void client.invalidateQueries({ queryKey: KEY.endpoints, exact: true });
      void client.invalidateQueries({ queryKey: KEY.audit });
    },
  });
}

export function useTestEndpoint(id: string) {
  return useEndpointChange(() => call('POST /api/webhook-endpoints/{id}/test', { params: { id } }));
}

export function useReplayMessage(id: string) {
  return useEndpointChange((messageId: string) =>
    call('POST /api/webhook-endpoints/{id}/messages/{messageId}/replay', { params: { id, messageId } }),
  );
}
