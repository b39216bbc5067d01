import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Around, plainly } from './around.ts';
import type { InstanceUsersReply, InstanceUserView, OutboxReply, OutboxState } from './client.gen.ts';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type { InstanceUserView as InstancePerson, OutboxMailView as OutboxMail, OutboxState } from './client.gen.ts';

const PAGE_SIZE = 50;
const LOOK_AGAIN_MS = 4_000;

/** What the entries of the log are about. */
export const LOG_SUBJECTS = ['account', 'session', 'instance', 'workspace'] as const;
export type LogSubject = (typeof LOG_SUBJECTS)[number];

/** Everybody with an account. This and all below: for administrators of the instance only. */
export function usePeople() {
  return useQuery({
    queryKey: KEY.people,
    queryFn: ({ signal }) => call('GET /api/instance/users', { signal }),
    // People come and go without a word on the live channel.
    staleTime: 0,
  });
}

export function useChangeInstanceRole(around: Around = plainly) {
  const client = useQueryClient();
  return useSend({
    mutationFn: ({ id, role }: Pick<InstanceUserView, 'role'> & { readonly id: string }) =>
      around(() => call('PATCH /api/instance/users/{id}', { params: { id }, body: { role } })),
    onSuccess: ({ user }) => {
      // Whoever has just given up the role may not ask again.
      client.setQueryData<InstanceUsersReply>(
        KEY.people,
        (known) => known && { users: known.users.map((one) => (one._id === user._id ? user : one)) },
      );
      void client.invalidateQueries({ queryKey: KEY.instanceLog() });
    },
  });
}

/** On its way for the first time: in a moment more is known. */
function isJustSent({ mails }: OutboxReply): boolean {
  return mails.some(({ state, attempts }) => state === 'queued' && attempts === 0);
}

/** Emails and what became of them, newest first, page by page. `isWatched`: somebody looks at one of which more may become. */
export function useOutbox(state: OutboxState | undefined, isWatched = false) {
  return useInfiniteQuery({
    queryKey: KEY.outbox({ state }),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/instance/outbox', { query: { state, cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (known) => known,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isWatched || data?.pages.some(isJustSent) ? LOOK_AGAIN_MS : false),
  });
}

/** Fetched when it is wanted, and kept nowhere: it may carry a link that opens an account. */
export function useMailText(around: Around = plainly) {
  return useSend({
    gcTime: 0,
    mutationFn: async (id: string) =>
      (await around(() => call('GET /api/instance/outbox/{id}', { params: { id } }))).text,
  });
}

/** To oneself, to try the mail server with. */
export function useSendTestMail() {
  const client = useQueryClient();
  return useSend({
    mutationFn: () => call('POST /api/instance/outbox/test'),
    onSuccess: () => void client.invalidateQueries({ queryKey: KEY.outbox() }),
  });
}

/** What was done about accounts and the instance itself, newest first, page by page. */
export function useInstanceLog(about: LogSubject | undefined) {
  return useInfiniteQuery({
    queryKey: KEY.instanceLog({ about }),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/instance/audit', { query: { about, cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (known) => known,
    staleTime: 0,
  });
}
