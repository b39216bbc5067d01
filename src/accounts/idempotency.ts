import { createHash } from 'node:crypto';
import { type Db, transact } from '../db/database.ts';
import { findIdempotentReply, readKeyTime } from '../db/readers/idempotency.ts';
import { deleteUnansweredKey, finishIdempotentReply, insertIdempotentReply } from '../db/writers/idempotency.ts';
import { DAY_MS } from '../lib/time.ts';
import type { WorkspaceId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext } from './context.ts';
import type { Principal } from './open-session.ts';

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

/** So many keys a workspace can use in a day: answers are kept, and one caller is not to fill the disk with them. */
export const KEYS_PER_DAY = 10_000;

/**
 * Claims a key for its first request, or gives the answer of that one. Refuses with IDEMPOTENCY_KEY_REUSED (another body),
 * IDEMPOTENCY_IN_PROGRESS, and RATE_LIMITED for one key more than a day may have.
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
    refuseTooMany(tx, workspaceId, now);
    insertIdempotentReply(tx, { id, workspaceId, fingerprint, status: null, body: null, createdAt: now });
    return { type: 'first', id };
  });
}

/** Keeps the answer of what was done for a day. What was refused or failed did nothing, and its reason may be gone: the next try is a first one. */
export function keepReply(ctx: AccountsContext, id: string, status: number, body: string): void {
  transact(ctx.db, (tx) => {
    if (status >= 400) deleteUnansweredKey(tx, id);
    else finishIdempotentReply(tx, id, status, ctx.vault.seal(body, contextOf(id)));
  });
}

/** None is forgotten before its day is over, however many come: its request would be done twice. */
function refuseTooMany(db: Db, workspaceId: WorkspaceId, now: number): void {
  const firstUsedAt = readKeyTime(db, workspaceId, KEYS_PER_DAY);
  const retryAfterMs = firstUsedAt === null ? 0 : firstUsedAt + DAY_MS - now;
  if (retryAfterMs <= 0) return;
  const most = KEYS_PER_DAY.toLocaleString('en');
  const message = `This workspace has used ${most} Idempotency-Keys within a day, the most there may be. Try again later, or send the request without one.`;
  throw new Refusal('RATE_LIMITED', message, { retryAfterMs });
}

function contextOf(id: string): string {
  return `idempotent_reply.body:${id}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
