import { transact } from '../db/database.ts';
import { findUserByEmail } from '../db/readers/users.ts';
import { listMemberships } from '../db/readers/workspaces.ts';
import { replaceRecoveryCodes, revokeSessionsOf } from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext } from './context.ts';
import { emailIndex } from './email.ts';
import { openProfile } from './profile.ts';
import { hasSecondFactor } from './second-factor.ts';

/**
 * For who lost the phone and the recovery codes: turns two-factor sign-in off and ends the person's sessions; the password stays and is still
 * asked for. Who may do this has the machine itself, so that nobody is signed in. The person is told by email, and every workspace of theirs by its
 * audit log. Refuses with NOT_FOUND and TWO_FACTOR_OFF.
 */
export function resetTwoFactor(ctx: Pick<AccountsContext, 'db' | 'clock' | 'vault' | 'mail'>, email: string): void {
  transact(ctx.db, (tx) => {
    const user = findUserByEmail(tx, emailIndex(ctx.vault, email));
    if (user === null || user.isDemo) throw new Refusal('NOT_FOUND', 'No account has this email address.');
    if (!hasSecondFactor(user)) {
      throw new Refusal('TWO_FACTOR_OFF', 'Two-factor sign-in is off for this account: its password is enough.');
    }
    updateUser(tx, user.id, { totpSecret: null, totpEnabledAt: null, totpLastStep: null });
    replaceRecoveryCodes(tx, user.id, []);
    revokeSessionsOf(tx, user.id, null, 'two_factor_reset', ctx.clock.now());
    const { email: to, firstName } = openProfile(ctx.vault, user);
    ctx.mail(tx, { kind: 'security_notice', to, firstName, event: 'two_factor_reset' });
    const record = { actorId: null, device: null, action: 'account.two_factor_reset', target: user.id } as const;
    for (const { workspaceId } of listMemberships(tx, user.id)) {
      recordAudit(ctx, tx, { ...record, workspaceId, change: { how: 'command line' } });
    }
  });
}
