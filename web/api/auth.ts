import { useMutation, useQueryClient } from '@tanstack/react-query';
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
