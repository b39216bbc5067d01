import { type Tx, transact } from '../db/database.ts';
import { findRefreshToken, findSession } from '../db/readers/sessions.ts';
import { revokeSession } from '../db/writers/sessions.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { hashSecretToken } from './secret-token.ts';

/** Ends the sessions that the caller can name: by access token (its session) or by refresh token. Unknown ones are no error. */
export function logout(
  ctx: AccountsContext,
  known: { readonly sessionId: string | null; readonly refreshToken: string | null },
  device: Device,
): void {
  transact(ctx.db, (tx) => {
    if (known.sessionId !== null) end(ctx, tx, known.sessionId, device);
    if (known.refreshToken === null) return;
    const stored = findRefreshToken(tx, hashSecretToken(known.refreshToken));
    if (stored !== null) end(ctx, tx, stored.sessionId, device);
  });
}

function end(ctx: AccountsContext, tx: Tx, sessionId: string, device: Device): void {
  const session = findSession(tx, sessionId);
  if (session === null || !revokeSession(tx, sessionId, 'logout', ctx.clock.now())) return;
  const { workspaceId, userId: actorId } = session;
  recordAudit(ctx, tx, { workspaceId, actorId, action: 'session.closed', target: sessionId, device });
}
