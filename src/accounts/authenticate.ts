import { findSessionWithPerson } from '../db/readers/sessions.ts';
import type { AccountsContext } from './context.ts';
import type { Principal } from './open-session.ts';

/** The person behind a session id that a verified access token carried; null when the session ended or the person left. */
export function authenticate(ctx: Pick<AccountsContext, 'db' | 'clock'>, sessionId: string): Principal | null {
  const found = findSessionWithPerson(ctx.db, sessionId);
  if (found === null || found.session.revokedAt !== null || found.session.expiresAt <= ctx.clock.now()) return null;
  return found;
}
