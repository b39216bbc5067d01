import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { ServerMessage } from '../../src/contracts/live.ts';
import { addActivity, beginArrivals } from './activity.ts';
import { askAgain, createInvalidator } from './ask-again.ts';
import { ASK_UNLIVE_MS, askUnlive } from './ask-unlive.ts';
import { LiveSocket, type LiveStatus } from './live-socket.ts';
import { namesMoved } from './names-moved.ts';
import { refreshSession } from './request.ts';
import { clearSession, getAccessToken } from './session.ts';

export type { LiveStatus } from './live-socket.ts';

let status: LiveStatus = 'connecting';
const statusListeners = new Set<() => void>();
const messageListeners = new Set<(message: ServerMessage) => void>();

function setStatus(next: LiveStatus): void {
  if (next === status) return;
  status = next;
  for (const listener of statusListeners) listener();
}

export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(
    (listener) => {
      statusListeners.add(listener);
      return () => statusListeners.delete(listener);
    },
    () => status,
    () => 'connecting',
  );
}

/** Calls back on every live message while the component is there. `onMessage` must be stable. */
export function useLiveMessages(onMessage: (message: ServerMessage) => void): void {
  useEffect(() => {
    messageListeners.add(onMessage);
    return () => {
      messageListeners.delete(onMessage);
    };
  }, [onMessage]);
}

function handle(client: QueryClient, invalidate: (...names: readonly string[]) => void, message: ServerMessage): void {
  if (message.type === 'activity') addActivity(client, message.payload);
  if (message.type === 'lagged' || message.type === 'ready') void askAgain(client);
  else invalidate(...namesMoved(message));
}

/** The journal's clock is read a moment before a change can be seen. */
const UNSEEN_MS = 2_000;

let wasReady = false;

/** Keeps the live channel open while the calling component is there. One for the whole signed-in area. */
export function useLiveChannel(): void {
  const client = useQueryClient();
  useEffect(() => {
    const invalidate = createInvalidator(client);
    const protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const since = performance.now();
    const socket = new LiveSocket({
      url: `${protocol}//${location.host}${LIVE_PATH}`,
      token: getAccessToken,
      renewToken: async () => {
        const token = getAccessToken();
        const isRenewed = await refreshSession();
        if (!isRenewed && getAccessToken() === token) clearSession('expired');
        return isRenewed;
      },
      onStatus: setStatus,
      onMessage: (message) => {
        if (message.type === 'ready') {
          const { lastSeq, quietMs } = message.payload;
          const isBehind = beginArrivals(client, lastSeq);
          // The first time what is on the page was asked for since then, and answered before the channel stood.
          const isMoved = quietMs !== null && quietMs < performance.now() - since + UNSEEN_MS;
          if (wasReady || isBehind || isMoved) handle(client, invalidate, message);
          wasReady = true;
        } else handle(client, invalidate, message);
        for (const listener of messageListeners) listener(message);
      },
    });
    setStatus('connecting');
    socket.start();
    const asking = setInterval(async () => {
      if (document.visibilityState === 'hidden' || !navigator.onLine) return;
      if (await askUnlive(client, status === 'connected')) socket.tryOnce();
    }, ASK_UNLIVE_MS);
    return () => {
      clearInterval(asking);
      socket.stop();
    };
  }, [client]);
}

const LIVE_PATH = '/api/ws';
