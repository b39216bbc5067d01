import { transact } from '../db/database.ts';
import { deleteMailedTokens, deletePendingEmails, revokeSessionsOf, updateSession } from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import { refuseBreached } from './breached-passwords.ts';
import type { AccountsContext, Device } from './context.ts';
import type { SessionPrincipal } from './open-session.ts';
import { checkPassword, wrongPassword } from './prove-identity.ts';
import { hasSecondFactor } from './second-factor.ts';
import { stillSignedIn } from './still-signed-in.ts';
import { passwordError } from './validate-sign-up.ts';

export interface ChangePasswordForm {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword?: string | undefined;
}

/** Changes the caller's password and ends all their other sessions. Refuses with VALIDATION (in the specification's words), WRONG_PASSWORD and SESSION_EXPIRED. */
export async function changePassword(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  form: ChangePasswordForm,
  device: Device,
): Promise<void> {
  const { currentPassword, newPassword, confirmPassword } = form;
  if (newPassword.length < 8) throw invalid('newPassword', 'Password must be at least 8 characters long.');
  if (confirmPassword !== undefined && confirmPassword !== newPassword) {
    throw invalid('confirmPassword', 'Passwords do not match.');
  }
  if (newPassword === currentPassword) {
    throw invalid('newPassword', 'New password must be different from current password.');
  }
  const error = passwordError(newPassword);
  if (error !== null) throw invalid('newPassword', error);
  await refuseBreached(ctx, newPassword, 'newPassword');
  await checkPassword(ctx, principal, currentPassword, device, 'currentPassword');
  const passwordHash = await ctx.passwords.hash(newPassword, device.ip);
  transact(ctx.db, (tx) => {
    // Looked up again: while the passwords were hashed the account may have been taken back by a new one.
    const { user, profile, session } = stillSignedIn(ctx, tx, principal);
    if (user.passwordHash !== principal.user.passwordHash) throw wrongPassword('currentPassword');
    const now = ctx.clock.now();
    updateUser(tx, user.id, { passwordHash });
    // With a second factor the password alone proves nothing: protected actions still ask for a code.
    if (!hasSecondFactor(user)) updateSession(tx, session.id, { provedAt: now });
    revokeSessionsOf(tx, user.id, session.id, 'password_change', now);
    deleteMailedTokens(tx, user.id, 'reset_password');
    // Whoever the password is changed against may have ordered another address: its link would open the account again.
    deletePendingEmails(tx, user.id);
    const { email: to, firstName } = profile;
    ctx.mail(tx, { kind: 'security_notice', to, firstName, event: 'password_changed' });
    recordAudit(ctx, tx, {
      ...{ workspaceId: null, actorId: user.id, device },
      action: 'account.password_changed',
      target: user.id,
    });
  });
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('VALIDATION', message, { fields: [{ field, message }] });
}
