import { transact } from '../db/database.ts';
import { countRefreshTokens, findRefreshToken, findSessionWithPerson } from '../db/readers/sessions.ts';
import { insertRefreshToken, markRefreshTokenRotated, revokeSession, touchSession } from '../db/writers/sessions.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext } from './context.ts';
import { type SignedIn, sessionEndsAt, sessionLifeMs } from './open-session.ts';
import { openProfile } from './profile.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';

/** Every five minutes by day and night for as long as they are kept: a browser asks every quarter of an hour. */
const TOKENS_PER_SESSION_MAX = 10_000;

/**
 * Exchanges a refresh token for its successor. A token that was exchanged before is in two hands: its whole family ends.
 * Refuses with SESSION_EXPIRED for everything that is not the newest token of a living session, and ends one that is refreshed without end or has come to its last day.
 */
export function refreshSession(ctx: AccountsContext, token: string): SignedIn {
  const now = ctx.clock.now();
  const hash = hashSecretToken(token);
  // A refusal must not roll back the revocation, so the transaction returns it instead of throwing.
  const outcome = transact(ctx.db, (tx): SignedIn | null => {
    const stored = findRefreshToken(tx, hash);
    if (stored === null) return null;
    const found = findSessionWithPerson(tx, stored.sessionId);
    if (found === null || found.session.revokedAt !== null || found.session.expiresAt <= now) return null;
    if (stored.rotatedAt !== null) {
      revokeSession(tx, stored.sessionId, 'reuse', now);
      ctx.log.warn({ sessionId: stored.sessionId }, 'refresh token used twice, session ended');
      return null;
    }
    if (countRefreshTokens(tx, stored.sessionId) >= TOKENS_PER_SESSION_MAX) {
      revokeSession(tx, stored.sessionId, 'refreshed_too_often', now);
      ctx.log.warn({ sessionId: stored.sessionId }, 'a session was refreshed too often and has ended');
      return null;
    }
    const endsAt = sessionEndsAt(found.session);
    // No refresh reaches beyond the end, so this is a session that was opened by a version which knew none.
    if (endsAt <= now) {
      revokeSession(tx, stored.sessionId, 'life_over', now);
      return null;
    }
    markRefreshTokenRotated(tx, hash, now);
    const refreshToken = newSecretToken('rt_');
    insertRefreshToken(tx, {
      hash: hashSecretToken(refreshToken),
      sessionId: stored.sessionId,
      createdAt: now,
      rotatedAt: null,
    });
    const expiresAt = Math.min(now + sessionLifeMs(found.session.isRemembered), endsAt);
    touchSession(tx, stored.sessionId, now, expiresAt);
    return {
      ...found,
      profile: openProfile(ctx.vault, found.user),
      session: { ...found.session, lastSeenAt: now, expiresAt },
      apiToken: null,
      refreshToken,
    };
  });
  if (outcome === null) throw new Refusal('SESSION_EXPIRED', 'Session expired. Please log in again.');
  return outcome;
}
