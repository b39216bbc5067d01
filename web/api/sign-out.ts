import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { call } from './request.ts';
import { clearSession, useUser } from './session.ts';
import { SIGN_OUT_UNHEARD } from './sign-out-mark.ts';

/** Nobody sits before a button that has been pressed for a minute. */
const LIMIT_MS = 8_000;
const AGAIN_MS = 30_000;

/** Marked before it is sent: who closes the tab meanwhile is not signed out either. */
async function tellSignOut(signal?: AbortSignal): Promise<void> {
  localStorage.setItem(SIGN_OUT_UNHEARD, 'true');
  await call('POST /api/auth/logout', { body: {}, limitMs: LIMIT_MS, ...(signal && { signal }) });
  localStorage.removeItem(SIGN_OUT_UNHEARD);
}

/** Signs out here even when the server cannot be reached; where the person lands is told that it was not. */
export function useLogout() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => tellSignOut().catch(() => null),
    onSettled: () => {
      clearSession();
      client.clear();
    },
  });
}

/**
 * A sign-out that the server has not heard, and how it is told again: by itself, at once when the connection is back, or by hand. Not
 * while somebody signs in (`isPaused`): the answer would take the new cookie away.
 */
export function useUnheardSignOut(isPaused = false) {
  const user = useUser();
  const isUnheard = user === null && localStorage.getItem(SIGN_OUT_UNHEARD) !== null;
  const { mutate, isPending, isSuccess } = useMutation({ mutationFn: tellSignOut });
  const underWay = useRef<AbortController>(null);
  const tell = useCallback(() => {
    underWay.current?.abort();
    underWay.current = new AbortController();
    mutate(underWay.current.signal);
  }, [mutate]);
  useEffect(() => {
    if (!isUnheard || isPaused) return;
    tell();
    const timer = setInterval(tell, AGAIN_MS);
    window.addEventListener('online', tell);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', tell);
      underWay.current?.abort();
    };
  }, [isUnheard, isPaused, tell]);
  return { isUnheard, isTelling: isPending, wasHeard: isSuccess && !isUnheard, onAgain: tell };
}
