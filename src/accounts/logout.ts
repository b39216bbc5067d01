import { transact } from '../db/database.ts';
import { findRefreshToken } from '../db/readers/sessions.ts';
import { revokeSession } from '../db/writers/sessions.ts';
import type { AccountsContext } from './context.ts';
import { hashRefreshToken } from './refresh-token.ts';

/** Ends the sessions that the caller can name: by access token (its session) or by refresh token. Unknown ones are no error. */
export function logout(
  ctx: AccountsContext,
  known: { readonly sessionId: string | null; readonly refreshToken: string | null },
): void {
  const now = ctx.clock.now();
  transact(ctx.db, (tx) => {
    if (known.sessionId !== null) revokeSession(tx, known.sessionId, 'logout', now);
    if (known.refreshToken === null) return;
    const stored = findRefreshToken(tx, hashRefreshToken(known.refreshToken));
    if (stored !== null) revokeSession(tx, stored.sessionId, 'logout', now);
  });
}
