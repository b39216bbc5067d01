import type { Tx } from '../db/database.ts';
import { Refusal } from '../model/refusal.ts';
import { authenticate } from './authenticate.ts';
import type { AccountsContext } from './context.ts';
import type { SessionPrincipal } from './open-session.ts';

/**
 * The caller as they are by now. A body may take half a minute to arrive, and a password its turn to be checked: what was known of them when the request
 * began may be over. Refuses with SESSION_EXPIRED where their session has ended meanwhile.
 */
export function stillSignedIn(
  ctx: Pick<AccountsContext, 'clock' | 'vault'>,
  tx: Tx,
  { session }: Pick<SessionPrincipal, 'session'>,
): SessionPrincipal {
  const { clock, vault } = ctx;
  const now = authenticate({ db: tx, clock, vault }, session.id);
  if (now === null) throw new Refusal('SESSION_EXPIRED', 'Session expired. Please log in again.');
  return now;
}
