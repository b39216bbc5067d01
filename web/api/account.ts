import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { User } from '../../src/contracts/auth.ts';
import type { ErasureReply, UserSettingsBody } from './client.gen.ts';
import { call } from './request.ts';
import { clearSession, getAccessToken, getUser, storeSession } from './session.ts';
import { useSend } from './use-send.ts';

export type { User } from '../../src/contracts/auth.ts';
export type { ErasureReply, UserSettingsBody } from './client.gen.ts';

const ME = ['me'];
const ERASURE = ['erasure'];

/** What the server says about whom the browser remembers. Nobody else's word counts: another tab can have signed somebody else in. */
function keepUser(user: User): void {
  const token = getAccessToken();
  if (token !== null && getUser()?.id === user.id) storeSession(token, user);
}

/** Who is signed in: as the browser remembers them at once, and as the server knows them a moment later. */
export function useMe() {
  return useQuery({
    queryKey: ME,
    queryFn: async ({ signal }) => {
      const { user } = await call('GET /api/auth/me', { signal });
      keepUser(user);
      return user;
    },
    initialData: () => getUser() ?? undefined,
    initialDataUpdatedAt: 0,
  });
}

/** Does something, and whatever has to be done before that. */
type Around = <Reply>(run: () => Promise<Reply>) => Promise<Reply>;

/** `isEmailPending`: a link was mailed to the new address; until it is followed the old one stays. For that, `around` shows who asks. */
export function useUpdateProfile(around: Around = (run) => run()) {
  const client = useQueryClient();
  return useSend({
    tried: 'Your settings could not be saved.',
    mutationFn: (body: UserSettingsBody) => around(() => call('PATCH /api/user/settings', { body })),
    onSuccess: ({ user }) => {
      keepUser(user);
      client.setQueryData(ME, user);
    },
  });
}

/** After something about the account was changed that the answer does not tell. */
export function useMeAgain() {
  const client = useQueryClient();
  return (known: Partial<User>): void => {
    client.setQueryData<User>(ME, (user) => user && { ...user, ...known });
    const user = getUser();
    if (user) keepUser({ ...user, ...known });
    void client.invalidateQueries({ queryKey: ME });
  };
}

/** For the next ten minutes, protected actions are done without asking again. */
export function useProve() {
  return useSend({
    mutationFn: (body: { readonly password: string; readonly code?: string }) => call('POST /api/auth/prove', { body }),
  });
}

export function exportAccount() {
  return call('GET /api/user/export');
}

/** What goes with the account, and so: how the person stands in each of their workspaces. */
export function useErasure() {
  return useQuery({
    queryKey: ERASURE,
    queryFn: ({ signal }): Promise<ErasureReply> => call('GET /api/user/account/erasure', { signal }),
    // Members come and go without a word on the live channel.
    staleTime: 0,
  });
}

export function deleteAccount(body: { readonly password: string; readonly code?: string }) {
  return call('DELETE /api/user/account', { body });
}

export function leaveWorkspace() {
  return call('POST /api/workspace/leave');
}

export function deleteWorkspace(name: string) {
  return call('DELETE /api/workspace', { body: { name } });
}

/** Nobody is signed in here any more, and nothing that was fetched for them stays. */
export function useSignedOut() {
  const client = useQueryClient();
  return (): void => {
    clearSession();
    client.clear();
  };
}

/** After a workspace is gone the session goes on in another one. */
export function useGoOnElsewhere() {
  const client = useQueryClient();
  return async (): Promise<void> => {
    const { user } = await call('GET /api/auth/me');
    client.clear();
    keepUser(user);
  };
}
