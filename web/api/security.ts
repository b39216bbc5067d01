import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Around, plainly } from './around.ts';
import type { ChangePasswordBody, SessionView } from './client.gen.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type { ChangePasswordBody, SessionView, TwoFactorBeginReply } from './client.gen.ts';

const SESSIONS = ['sessions'];

export function useSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }): Promise<readonly SessionView[]> =>
      (await call('GET /api/auth/sessions', { signal })).sessions,
    staleTime: 0,
  });
}

function useSessionsAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: SESSIONS });
}

export function useEndSession() {
  const again = useSessionsAgain();
  return useSend({
    tried: 'The session could not be ended.',
    mutationFn: async (id: string) => {
      // One that is over already is what was wanted.
      try {
        await call('DELETE /api/auth/sessions/{id}', { params: { id } });
      } finally {
        await again();
      }
    },
  });
}

export function useEndOtherSessions() {
  const again = useSessionsAgain();
  return useSend({
    tried: 'The other sessions could not be ended.',
    mutationFn: () => call('POST /api/auth/sessions/end-others'),
    onSuccess: () => void again(),
  });
}

/** Every other device is signed out with it. */
export function useChangePassword() {
  const again = useSessionsAgain();
  return useSend({
    tried: 'Your password could not be changed.',
    mutationFn: (body: ChangePasswordBody) => call('POST /api/user/change-password', { body }),
    onSuccess: () => void again(),
  });
}

export function beginTwoFactor() {
  return call('POST /api/auth/two-factor/begin');
}

/** Returns the recovery codes, which are shown this once. */
export async function enableTwoFactor(code: string): Promise<readonly string[]> {
  return (await call('POST /api/auth/two-factor/enable', { body: { code } })).recoveryCodes;
}

export function disableTwoFactor() {
  return call('POST /api/auth/two-factor/disable');
}

export async function renewRecoveryCodes(): Promise<readonly string[]> {
  return (await call('POST /api/auth/two-factor/recovery-codes')).recoveryCodes;
}

const ELSEWHERE = ['elsewhere'];

/** The other way to sign in, where one is set up, and whether it opens this account. */
export function useElsewhere() {
  return useQuery({
    queryKey: ELSEWHERE,
    queryFn: ({ signal }) => call('GET /api/auth/oidc', { signal }),
    staleTime: 0,
  });
}

/** Returns where the browser has to go. */
export async function beginConnecting(): Promise<string> {
  return (await call('POST /api/auth/oidc/link')).url;
}

export function useDisconnect(around: Around = plainly) {
  const client = useQueryClient();
  return useSend({
    tried: 'The sign-in could not be disconnected.',
    mutationFn: () => around(() => call('POST /api/auth/oidc/unlink')),
    onSuccess: () => void client.invalidateQueries({ queryKey: ELSEWHERE }),
  });
}
