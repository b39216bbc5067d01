import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InvitationPreviewReply, SwitchReply } from '../../src/contracts/account.ts';
import type { LoginBody, SessionReply, SignUpBody } from '../../src/contracts/auth.ts';
import type { DemoSessionReply } from '../../src/contracts/demo.ts';
import { forgetInstance } from './instance.ts';
import { request } from './request.ts';
import { clearSession, storeSession } from './session.ts';

/** Keeps the new session and forgets whatever an earlier person's pages had fetched. */
function useEnter() {
  const client = useQueryClient();
  return ({ accessToken, user }: Pick<SessionReply, 'accessToken' | 'user'>): void => {
    client.clear();
    forgetInstance();
    storeSession(accessToken, user);
  };
}

export function useLogin() {
  const enter = useEnter();
  return useMutation({
    mutationFn: (body: LoginBody) => request<SessionReply>('/auth/login', { method: 'POST', body }),
    onSuccess: enter,
  });
}

export function useSignUp() {
  const enter = useEnter();
  return useMutation({
    mutationFn: (body: SignUpBody) => request<SessionReply>('/auth/signup', { method: 'POST', body }),
    onSuccess: enter,
  });
}

export function useDemoSession() {
  const enter = useEnter();
  return useMutation({
    mutationFn: () => request<DemoSessionReply>('/demo/session', { method: 'POST', body: {} }),
    onSuccess: enter,
  });
}

/** Signs out here even when the server cannot be reached. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('/auth/logout', { method: 'POST', body: {} }).catch(() => null),
    onSettled: () => {
      clearSession();
      client.clear();
    },
  });
}

/** Answers the same whether or not there is such an account. */
export function useForgotPassword() {
  return useMutation({
    mutationFn: (email: string) => request('/auth/forgot-password', { method: 'POST', body: { email } }),
  });
}

/** Signs nobody in; every device that was signed in is signed out, this one too. */
export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { readonly token: string; readonly password: string }) =>
      request('/auth/reset-password', { method: 'POST', body }),
    onSuccess: () => clearSession(),
  });
}

export function useVerifyEmail() {
  return useMutation({
    mutationFn: (token: string) => request('/auth/verify-email', { method: 'POST', body: { token } }),
  });
}

export function useResendVerification() {
  return useMutation({ mutationFn: () => request('/auth/resend-verification', { method: 'POST', body: {} }) });
}

/** What an invitation is for; nobody needs to be signed in. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      request<InvitationPreviewReply>('/invitations/preview', { method: 'POST', body: { token }, signal }),
    enabled: token !== '',
    retry: false,
  });
}

export function useAcceptInvitation() {
  const enter = useEnter();
  return useMutation({
    mutationFn: (token: string) => request<SwitchReply>('/invitations/accept', { method: 'POST', body: { token } }),
    onSuccess: enter,
  });
}
