import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { ServerMessage } from '../../contracts/live.ts';
import { latestEventSeq } from '../../db/readers/events.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { HttpDeps } from '../deps.ts';
import { messagesOf } from './live-messages.ts';

/** Bytes that may wait in a socket before the stream waits for it. Rows wait in the journal then, and past its bound are left out. */
const BUFFERED_BYTES_MAX = 256 * 1024;
const DRAIN_POLL_MS = 50;
/** A client that takes nothing for this long is not there. */
const STALLED_MS = 30_000;

interface Following {
  readonly deps: HttpDeps;
  readonly workspaceId: WorkspaceId;
  readonly afterSeq: number;
  readonly socket: WebSocket;
  readonly signal: AbortSignal;
  readonly send: (message: ServerMessage) => void;
  readonly now: () => string;
}

/** Sends one workspace's journal to one client, in order, at the client's pace, until `signal`. */
export async function followJournal(following: Following): Promise<void> {
  const { deps, workspaceId, socket, signal, send } = following;
  let afterSeq: number | null = following.afterSeq;
  while (!signal.aborted) {
    const subscription = deps.journal.subscribe({ workspaceId, afterSeq });
    const stop = () => subscription.close();
    signal.addEventListener('abort', stop, { once: true });
    let hasLagged = false;
    try {
      for await (const message of subscription) {
        if (message.type === 'lagged') {
          hasLagged = true;
          break;
        }
        for (const out of messagesOf(deps, message.event)) send(out);
        if (!(await drained(socket, signal))) return;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      subscription.close();
    }
    if (!hasLagged) return;
    // What was left out is read anew by the client; from here on it is told everything again.
    send({ type: 'lagged', payload: { lastSeq: latestEventSeq(deps.db) }, timestamp: following.now() });
    afterSeq = null;
  }
}

/** False: the client is gone or takes nothing any more (and is cut off). */
async function drained(socket: WebSocket, signal: AbortSignal): Promise<boolean> {
  let waitedMs = 0;
  while (socket.bufferedAmount > BUFFERED_BYTES_MAX) {
    if (signal.aborted) return false;
    if (waitedMs >= STALLED_MS) {
      socket.terminate();
      return false;
    }
    await sleep(DRAIN_POLL_MS, undefined, { ref: false });
    waitedMs += DRAIN_POLL_MS;
  }
  return !signal.aborted;
}
