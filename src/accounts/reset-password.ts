import { transact } from '../db/database.ts';
import { countMailedTokens, findMailedToken } from '../db/readers/accounts.ts';
import { findUser, findUserByEmail } from '../db/readers/users.ts';
import {
  deleteApiTokensOf,
  deleteExternalIdentities,
  deleteLaterIdentities,
  deleteMailedTokens,
  deletePendingEmails,
  insertMailedToken,
  revokeSessionsOf,
} from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import { refuseBreached } from './breached-passwords.ts';
import { clearUnconfirmed } from './clear-unconfirmed.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailIndex, isEmail } from './email.ts';
import { openProfile } from './profile.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { passwordError } from './validate-sign-up.ts';
import { invalidLink } from './verify-email.ts';

const LIFE_MS = 60 * MINUTE_MS;
const MAILS_PER_HOUR_MAX = 3;

/**
 * Mails a link to set a new password, if there is such an account. The caller answers the same in both cases, and before this runs, so that
 * neither words nor time tell. At most three an hour: nobody's mailbox can be flooded.
 */
export function forgotPassword(ctx: AccountsContext, email: string): void {
  if (!isEmail(email)) return;
  const now = ctx.clock.now();
  const index = emailIndex(ctx.vault, email);
  const user = findUserByEmail(ctx.db, index);
  if (user === null || user.isDemo) return;
  const profile = openProfile(ctx.vault, user);
  transact(ctx.db, (tx) => {
    if (countMailedTokens(tx, user.id, 'reset_password', now - LIFE_MS) >= MAILS_PER_HOUR_MAX) return;
    const token = newSecretToken('rst_');
    insertMailedToken(tx, {
      hash: hashSecretToken(token),
      userId: user.id,
      purpose: 'reset_password',
      emailIndex: index,
      email: null,
      createdAt: now,
      expiresAt: now + LIFE_MS,
    });
    const link = `${ctx.webUrl()}/reset-password#token=${token}`;
    ctx.mail(tx, { kind: 'reset_password', to: profile.email, firstName: profile.firstName, link });
  });
}

/**
 * Sets a new password by the token of a mailed link. Ends every session, revokes the person's API tokens and disconnects another sign-in; signs
 * nobody in, so that a second factor is still asked for. Where nobody had confirmed the address, what was prepared before goes as well. Refuses with TOKEN_INVALID and VALIDATION.
 */
export async function resetPassword(
  ctx: AccountsContext,
  form: { readonly token: string; readonly password: string },
  device: Device,
): Promise<void> {
  const hash = hashSecretToken(form.token);
  const isGood = (found: ReturnType<typeof findMailedToken>) =>
    found?.purpose === 'reset_password' && found.expiresAt > ctx.clock.now();
  if (!isGood(findMailedToken(ctx.db, hash))) throw invalidLink();
  const error = passwordError(form.password);
  if (error !== null) throw new Refusal('VALIDATION', error, { fields: [{ field: 'password', message: error }] });
  await refuseBreached(ctx, form.password, 'password');
  const passwordHash = await ctx.passwords.hash(form.password, device.ip);
  transact(ctx.db, (tx) => {
    // Looked up again: another request may have used it while the hash was computed.
    const found = findMailedToken(tx, hash);
    const user = found !== null && isGood(found) ? findUser(tx, found.userId) : null;
    if (found === null || user === null || found.emailIndex !== user.emailIndex) throw invalidLink();
    const now = ctx.clock.now();
    updateUser(tx, user.id, { passwordHash, verifiedAt: user.verifiedAt ?? now });
    deleteMailedTokens(tx, user.id, 'reset_password');
    // Whoever the password is changed against may have ordered another address: its link would open the account again.
    deletePendingEmails(tx, user.id);
    deleteApiTokensOf(tx, user.id, null);
    revokeSessionsOf(tx, user.id, null, 'password_reset', now);
    const isCleared = user.verifiedAt === null && user.role !== 'admin';
    if (isCleared) clearUnconfirmed(ctx, tx, user, device);
    const { email, firstName } = openProfile(ctx.vault, user);
    const event = isCleared ? 'unconfirmed_cleared' : 'password_changed';
    ctx.mail(tx, { kind: 'security_notice', to: email, firstName, event });
    const audit = { workspaceId: null, actorId: user.id, device, target: user.id };
    recordAudit(ctx, tx, { ...audit, action: 'account.password_reset' });
    // Whoever had the account before may have connected one of their own. An account without a password was made by its first.
    const forget = user.passwordHash === '' ? deleteLaterIdentities : deleteExternalIdentities;
    if (forget(tx, user.id) > 0) recordAudit(ctx, tx, { ...audit, action: 'account.identity_disconnected' });
  });
}
