import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LoginBody, SessionReply, SignUpBody } from '../../src/contracts/auth.ts';
import { keptInvitation } from '../hooks/use-mailed-token.ts';
import { forgetInstance } from './instance.ts';
import { call, refreshSession } from './request.ts';
import { clearSession, getAccessToken, storeSession } from './session.ts';
import { SIGN_OUT_UNHEARD } from './sign-out-mark.ts';
import { useSend } from './use-send.ts';

/** Keeps the new session and forgets whatever an earlier person's pages had fetched. */
function useEnter() {
  const client = useQueryClient();
  return ({ accessToken, user }: Pick<SessionReply, 'accessToken' | 'user'>): void => {
    client.clear();
    forgetInstance();
    // Another cookie has taken the place of the one that it was about.
    localStorage.removeItem(SIGN_OUT_UNHEARD);
    storeSession(accessToken, user);
  };
}

export function useLogin() {
  const enter = useEnter();
  return useSend({
    mutationFn: (body: LoginBody) => call('POST /api/auth/login', { body }),
    onSuccess: enter,
  });
}

/** Whoever comes back from the identity provider has a refresh token in the cookie, and nothing else yet. */
export function useSignedInElsewhere() {
  const enter = useEnter();
  return useSend({
    mutationFn: async () => {
      const isIn = await refreshSession();
      const accessToken = getAccessToken();
      if (!isIn || accessToken === null) throw new Error('no session came with the way back');
      const { user } = await call('GET /api/auth/me');
      return { accessToken, user };
    },
    onSuccess: enter,
  });
}

/** Whom the provider vouched for gives the code of their second factor. */
export function useCodeElsewhere() {
  const enter = useEnter();
  return useSend({
    mutationFn: (code: string) => call('POST /api/auth/oidc/code', { body: { code } }),
    onSuccess: enter,
  });
}

export function useSignUp() {
  const enter = useEnter();
  return useSend({
    mutationFn: async (body: SignUpBody) => {
      const reply = await call('POST /api/auth/signup', { body });
      keptInvitation.drop();
      return reply;
    },
    onSuccess: enter,
  });
}

export function useDemoSession() {
  const enter = useEnter();
  return useSend({
    mutationFn: () => call('POST /api/demo/session'),
    onSuccess: enter,
  });
}

/** Answers the same whether or not there is such an account. */
export function useForgotPassword() {
  return useSend({
    mutationFn: (email: string) => call('POST /api/auth/forgot-password', { body: { email } }),
  });
}

/** Signs nobody in; every device that was signed in is signed out, this one too. */
export function useResetPassword() {
  return useSend({
    mutationFn: (body: { readonly token: string; readonly password: string }) =>
      call('POST /api/auth/reset-password', { body }),
    onSuccess: () => clearSession(),
  });
}

export function useVerifyEmail() {
  return useSend({
    mutationFn: (token: string) => call('POST /api/auth/verify-email', { body: { token } }),
  });
}

export function useResendVerification() {
  return useSend({ mutationFn: () => call('POST /api/auth/resend-verification') });
}

/** What an invitation is for; nobody needs to be signed in. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call('POST /api/invitations/preview', { body: { token }, signal }),
    enabled: token !== '',
    retry: false,
  });
}

export function useAcceptInvitation() {
  const enter = useEnter();
  return useSend({
    mutationFn: (token: string) => call('POST /api/invitations/accept', { body: { token } }),
    onSuccess: enter,
  });
}
