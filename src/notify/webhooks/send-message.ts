import { transact } from '../../db/database.ts';
import { findEndpoint, findMessage } from '../../db/readers/endpoints.ts';
import type { EndpointMessageRow, EndpointRow } from '../../db/schema/endpoint.ts';
import { updateEndpoint, updateMessage } from '../../db/writers/endpoints.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time.ts';
import type { MessageId } from '../../model/ids.ts';
import type { ClaimedJob, JobOutcome } from '../../model/job.ts';
import type { NotifyContext } from '../context.ts';
import { openUrl, secretContext } from './manage-endpoints.ts';
import { signMessage } from './sign-message.ts';

/** Waits after each failed attempt, about three days in all, as Standard Webhooks recommends; then the message is failed. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Waits are stretched by up to a fifth, so that a receiver that comes back is not met by everybody at once. */
const JITTER = 0.2;
/** An endpoint that took nothing for this long is switched off, and a person is told. */
const DISABLED_AFTER_MS = 5 * DAY_MS;
const GONE = 410;
const ERROR_LENGTH_MAX = 300;

interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number;
}

/** The job: one attempt at one message. */
export async function sendMessage(ctx: NotifyContext, job: ClaimedJob, signal: AbortSignal): Promise<JobOutcome> {
  const { messageId } = job.payload as { readonly messageId: MessageId };
  const message = findMessage(ctx.db, messageId);
  const endpoint = message === null ? null : findEndpoint(ctx.db, message.endpointId);
  if (message === null) return { type: 'cancel', reason: 'the message is kept no more' };
  if (endpoint === null) return { type: 'cancel', reason: 'the endpoint was deleted' };
  if (message.status !== 'waiting') return { type: 'done' };
  // It waits until the endpoint is switched on again.
  if (endpoint.status === 'disabled') return { type: 'done' };
  const attempt = await post(ctx, endpoint, message, signal);
  return settle(ctx, endpoint, message, attempt);
}

async function post(
  ctx: NotifyContext,
  endpoint: EndpointRow,
  message: EndpointMessageRow,
  signal: AbortSignal,
): Promise<Attempt> {
  const sentAt = ctx.clock.now();
  const ms = (): number => ctx.clock.now() - sentAt;
  const { id, body } = message;
  const secrets = secretsOf(ctx, endpoint, sentAt);
  const headers = {
    'content-type': 'application/json',
    ...(endpoint.kind === 'chat' ? {} : signMessage({ id, sentAt: ctx.clock.wallNow(), body, secrets })),
  };
  try {
    const { status } = await ctx.poster.post({ url: openUrl(ctx, endpoint), headers, body, signal });
    return { status, error: status >= 200 && status < 300 ? null : `It answered with HTTP ${status}.`, ms: ms() };
  } catch (error) {
    signal.throwIfAborted();
    const text = error instanceof Error ? error.message : 'There was no answer.';
    return { status: null, error: text.slice(0, ERROR_LENGTH_MAX), ms: ms() };
  }
}

function secretsOf(ctx: NotifyContext, endpoint: EndpointRow, now: number): readonly string[] {
  const { secret, secretPrevious, secretPreviousUntil } = endpoint;
  const isOverlap = secretPrevious !== null && (secretPreviousUntil ?? 0) > now;
  return [secret, ...(isOverlap ? [secretPrevious] : [])].map((sealed) =>
    ctx.cipher.open(sealed, secretContext(endpoint.id)),
  );
}

function settle(ctx: NotifyContext, asked: EndpointRow, message: EndpointMessageRow, attempt: Attempt): JobOutcome {
  return transact(ctx.db, (tx) => {
    const now = ctx.clock.now();
    // A person may have given it another address, or switched it off, while the attempt was under way.
    const endpoint = findEndpoint(tx, asked.id);
    if (endpoint === null) return { type: 'cancel', reason: 'the endpoint was deleted' };
    const isSame = endpoint.url === asked.url;
    const attempts = message.attempts + 1;
    const last = { attempts, lastStatus: attempt.status, lastError: attempt.error, lastMs: attempt.ms };
    if (attempt.error === null) {
      updateMessage(tx, message.id, { ...last, status: 'delivered', nextAt: null, endedAt: now });
      if (isSame && endpoint.failingSince !== null) updateEndpoint(tx, endpoint.id, { failingSince: null });
      return { type: 'done' };
    }
    const failingSince = endpoint.failingSince ?? now;
    const isGone = isSame && attempt.status === GONE;
    const isHopeless = isSame && endpoint.status === 'enabled' && (isGone || now - failingSince >= DISABLED_AFTER_MS);
    const reason = isGone ? 'It answered that it is gone (410).' : `It has taken nothing for 5 days. ${attempt.error}`;
    if (isSame)
      updateEndpoint(tx, endpoint.id, {
        failingSince,
        ...(isHopeless ? { status: 'disabled', statusReason: reason } : {}),
      });
    if (isHopeless)
      recordEvent(tx, {
        workspaceId: endpoint.workspaceId,
        pairId: null,
        type: 'endpoint_disabled',
        payload: { endpointId: endpoint.id, url: new URL(openUrl(ctx, endpoint)).origin, reason },
        at: now,
      });
    const pause = RETRY_AFTER_MS[attempts - 1];
    if (pause === undefined || isGone) {
      updateMessage(tx, message.id, { ...last, status: 'failed', nextAt: null, endedAt: now });
      return { type: 'done' };
    }
    const afterMs = Math.round(pause * (1 + JITTER * ctx.random.unit()));
    updateMessage(tx, message.id, { ...last, nextAt: now + afterMs });
    return { type: 'retry', reason: attempt.error, afterMs };
  });
}
