import type { Tx } from '../../db/database.ts';
import { transact } from '../../db/database.ts';
import { findEndpoint, listWaitingMessages, type MessagePlace } from '../../db/readers/endpoints.ts';
import { enqueueJob } from '../../db/writers/jobs.ts';
import type { EndpointId } from '../../model/ids.ts';
import { type ClaimedJob, JOB_PRIORITY, type JobOutcome } from '../../model/job.ts';
import type { NotifyContext } from '../context.ts';
import { enqueueSend } from './enqueue-message.ts';

export const SEND_WAITING = 'send_waiting';

/** Messages whose sending is ordered in one transaction: as many as wait for an endpoint that was away for days would stop everything else. */
const PORTION = 500;

interface Waiting {
  readonly endpointId: EndpointId;
  /** When it was switched on, ms: each time begins anew, whatever is left to do of the time before. */
  readonly since: number;
  readonly after: MessagePlace;
}

/** Orders the sending of what waits for an endpoint that was switched on: a first portion at once, the rest by a job, which a crash does not lose. */
export function enqueueWaiting(tx: Tx, endpointId: EndpointId, nowMs: number): void {
  enqueuePortion(tx, { endpointId, since: nowMs, after: null }, nowMs);
}

/** The job: one portion more. */
export function sendWaiting(ctx: NotifyContext, job: ClaimedJob): JobOutcome {
  const waiting = job.payload as Waiting;
  transact(ctx.db, (tx) => {
    // Switched off again, or gone: what waits waits on.
    if (findEndpoint(tx, waiting.endpointId)?.status !== 'enabled') return;
    enqueuePortion(tx, waiting, ctx.clock.now());
  });
  return { type: 'done' };
}

function enqueuePortion(
  tx: Tx,
  { endpointId, since, after }: Omit<Waiting, 'after'> & { readonly after: MessagePlace | null },
  nowMs: number,
): void {
  const portion = listWaitingMessages(tx, endpointId, after, PORTION);
  for (const { id } of portion) enqueueSend(tx, endpointId, id, nowMs);
  const last = portion.at(-1);
  if (last === undefined || portion.length < PORTION) return;
  const rest: Waiting = { endpointId, since, after: last };
  enqueueJob(tx, {
    key: `waiting:${endpointId}:${since}`,
    task: SEND_WAITING,
    groupKey: endpointId,
    payload: rest,
    priority: JOB_PRIORITY.notify,
    runAt: nowMs,
  });
}
