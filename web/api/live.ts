import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { ServerMessage } from '../../src/contracts/live.ts';
import { addActivity, beginArrivals } from './activity.ts';
import { LiveSocket, type LiveStatus } from './live-socket.ts';
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

/** One refetch for a burst of messages; the first of a burst goes at once, so that a single sale shows without delay. */
const BURST_MS = 250;

function createInvalidator(client: QueryClient): (...names: readonly string[]) => void {
  const waiting = new Set<string>();
  const resting = new Map<string, ReturnType<typeof setTimeout>>();
  const flush = (name: string): void => {
    resting.set(
      name,
      setTimeout(() => {
        resting.delete(name);
        if (waiting.delete(name)) flush(name);
      }, BURST_MS),
    );
    void client.invalidateQueries({ queryKey: [name] });
  };
  return (...names) => {
    for (const name of names) {
      if (resting.has(name)) waiting.add(name);
      else flush(name);
    }
  };
}

function handle(client: QueryClient, invalidate: (...names: readonly string[]) => void, message: ServerMessage): void {
  switch (message.type) {
    case 'activity':
      addActivity(client, message.payload);
      invalidate('shelves', 'overview', 'pairs', 'conflicts', 'records', 'problems');
      break;
    case 'sync_status_update':
      invalidate('runs', 'overview', 'pairs', 'plans');
      break;
    case 'sync_completed':
    case 'sync_failed':
      invalidate('runs', 'overview', 'pairs', 'plans', 'conflicts', 'records', 'shelves');
      break;
    case 'store_health_changed':
      invalidate('stores', 'overview', 'pairs');
      break;
    case 'lagged':
    case 'ready':
      void client.invalidateQueries();
      break;
  }
}

/** Keeps the live channel open while the calling component is there. One for the whole signed-in area. */
export function useLiveChannel(): void {
  const client = useQueryClient();
  useEffect(() => {
    const invalidate = createInvalidator(client);
    const protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    let wasReady = false;
    const socket = new LiveSocket({
      url: `${protocol}//${location.host}${LIVE_PATH}`,
      token: getAccessToken,
      renewToken: async () => {
        const isRenewed = await refreshSession();
        if (!isRenewed) clearSession('expired');
        return isRenewed;
      },
      onStatus: setStatus,
      onMessage: (message) => {
        if (message.type === 'ready') {
          const isBehind = beginArrivals(client, message.payload.lastSeq);
          // The first time everything on screen has just been fetched, or is being fetched.
          if (wasReady || isBehind) handle(client, invalidate, message);
          wasReady = true;
        } else handle(client, invalidate, message);
        for (const listener of messageListeners) listener(message);
      },
    });
    setStatus('connecting');
    socket.start();
    return () => socket.stop();
  }, [client]);
}

const LIVE_PATH = '/api/ws';
