import { createHash } from 'node:crypto';
import { type Tx, transact } from '../db/database.ts';
import { findIdempotentReply, sumRepliesOf } from '../db/readers/idempotency.ts';
import { deleteUnansweredKey, finishIdempotentReply, insertIdempotentReply } from '../db/writers/idempotency.ts';
import { DAY_MS } from '../lib/time.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext } from './context.ts';
import type { Principal } from './open-session.ts';
import { INSTANCE_BYTES_MAX } from './reply-room.ts';

export interface RepeatableRequest {
  readonly principal: Principal;
  /** Method and address. */
  readonly route: string;
  readonly key: string;
  readonly body: unknown;
}

type Kept =
  | { readonly type: 'first'; readonly id: string }
  | { readonly type: 'again'; readonly status: number; readonly body: string };

/** A request that was at work when its process died is answered anew after this. */
const STALE_MS = 5 * 60_000;

/** What a workspace can use and have kept in a day: one caller is not to fill the disk. */
export const REPLIES_MAX = { keys: 10_000, bytes: 20_000_000 } as const;

/** What a workspace can have kept although others have filled the instance's room: nobody is to be shut out by one who fills many workspaces. */
const OWN_BYTES = 1_000_000;

/** Nobody knows who a visitor is, and there are others after them. */
export const DEMO_REPLIES_MAX = { keys: 300, bytes: 1_000_000 } as const;

/**
 * Claims a key for its first request, or gives the answer of that one. Refuses with IDEMPOTENCY_KEY_REUSED (another body),
 * IDEMPOTENCY_IN_PROGRESS, and RATE_LIMITED where a day's keys are used up, or the room for their answers is.
 */
export function claimRequest(ctx: AccountsContext, request: RepeatableRequest): Kept {
  const { principal, route, key } = request;
  const id = digest([principal.user.id, principal.workspace.id, route, key]);
  // Keyed: a body may be a password, which a fast hash of it would give away to whoever has the database.
  const fingerprint = ctx.vault.index(`request:${JSON.stringify([route, request.body ?? null])}`);
  const now = ctx.clock.now();
  return transact(ctx.db, (tx): Kept => {
    const kept = findIdempotentReply(tx, id);
    if (kept !== null) {
      if (kept.fingerprint !== fingerprint) {
        throw new Refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for another request.');
      }
      if (kept.status !== null && kept.body !== null) {
        return { type: 'again', status: kept.status, body: ctx.vault.open<string>(kept.body, contextOf(id)) };
      }
      if (now - kept.createdAt < STALE_MS) {
        const message = 'The first request with this Idempotency-Key is still at work.';
        throw new Refusal('IDEMPOTENCY_IN_PROGRESS', message, { retryAfterMs: 1000 });
      }
      deleteUnansweredKey(tx, id);
    }
    const { id: workspaceId } = principal.workspace;
    refuseTooMany(ctx, tx, principal.workspace);
    insertIdempotentReply(tx, { id, workspaceId, fingerprint, status: null, body: null, createdAt: now });
    return { type: 'first', id };
  });
}

/** Keeps the answer of what was done for a day. What was refused or failed did nothing, and its reason may be gone: the next try is a first one. */
export function keepReply(ctx: AccountsContext, id: string, status: number, body: string): void {
  transact(ctx.db, (tx) => {
    if (status >= 400) return deleteUnansweredKey(tx, id);
    const sealed = ctx.vault.seal(body, contextOf(id));
    finishIdempotentReply(tx, id, status, sealed);
    ctx.replies.kept(sealed.length);
  });
}

/** None is forgotten before its day is over, however many come: its request would be done twice. */
function refuseTooMany(ctx: AccountsContext, tx: Tx, workspace: Principal['workspace']): void {
  const now = ctx.clock.now();
  const most = workspace.isDemo ? DEMO_REPLIES_MAX : REPLIES_MAX;
  const used = sumRepliesOf(tx, workspace.id, now - DAY_MS);
  const waitMs = used.firstAt + DAY_MS - now;
  if (used.keys >= most.keys)
    throw spent(`This workspace has used ${most.keys.toLocaleString('en')} Idempotency-Keys within a day`, waitMs);
  if (used.bytes >= most.bytes)
    throw spent(`The kept answers of this workspace take up ${most.bytes / 1_000_000} MB`, waitMs);
  const instanceWaitMs = used.bytes < OWN_BYTES ? 0 : ctx.replies.waitMs();
  if (instanceWaitMs > 0)
    throw spent(`The kept answers of all workspaces take up ${INSTANCE_BYTES_MAX / 1_000_000} MB`, instanceWaitMs);
}

function spent(what: string, retryAfterMs: number): Refusal {
  const message = `${what}, the most there may be. Try again later, or send the request without an Idempotency-Key.`;
  return new Refusal('RATE_LIMITED', message, { retryAfterMs });
}

function contextOf(id: string): string {
  return `idempotent_reply.body:${id}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
