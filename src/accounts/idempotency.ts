import { createHash } from 'node:crypto';
import { transact } from '../db/database.ts';
import { findIdempotentReply } from '../db/readers/idempotency.ts';
import { deleteIdempotentReply, finishIdempotentReply, insertIdempotentReply } from '../db/writers/idempotency.ts';
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

/**
 * Claims a key for its first request, or gives the answer of that one. Refuses with IDEMPOTENCY_KEY_REUSED (another body) and
 * IDEMPOTENCY_IN_PROGRESS.
 */
export function claimRequest(ctx: AccountsContext, request: RepeatableRequest): Kept {
  const { principal, route, key } = request;
  const id = digest([principal.user.id, principal.workspace.id, route, key]);
  const fingerprint = digest([route, JSON.stringify(request.body ?? null)]);
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
      deleteIdempotentReply(tx, id);
    }
    const { id: workspaceId } = principal.workspace;
    insertIdempotentReply(tx, { id, workspaceId, fingerprint, status: null, body: null, createdAt: now });
    return { type: 'first', id };
  });
}

/** Keeps the answer of what was done for a day. What was refused or failed did nothing, and its reason may be gone: the next try is a first one. */
export function keepReply(ctx: AccountsContext, id: string, status: number, body: string): void {
  transact(ctx.db, (tx) => {
    if (status >= 400) deleteIdempotentReply(tx, id);
    else finishIdempotentReply(tx, id, status, ctx.vault.seal(body, contextOf(id)));
  });
}

function contextOf(id: string): string {
  return `idempotent_reply.body:${id}`;
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
