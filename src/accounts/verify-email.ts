import { type Tx, transact } from '../db/database.ts';
import { findMailedToken } from '../db/readers/accounts.ts';
import { findUser, findUserByEmail } from '../db/readers/users.ts';
import type { MailedTokenRow } from '../db/schema/account.ts';
import type { UserRow } from '../db/schema/user.ts';
import { deleteMailedTokens, insertMailedToken } from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { DAY_MS } from '../lib/time.ts';
import type { UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailIndex } from './email.ts';
import { openProfile, type Profile, sealProfile } from './profile.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';

const LIFE_MS = 3 * DAY_MS;

/** Mails a link that proves the account's address, or `newEmail` before it becomes the account's. Refuses with MAIL_THROTTLED after some within the hour. */
export function sendVerification(
  ctx: AccountsContext,
  tx: Tx,
  user: UserRow,
  profile: Profile,
  newEmail: string | null = null,
): void {
  const now = ctx.clock.now();
  const token = newSecretToken('vfy_');
  const hash = hashSecretToken(token);
  const to = newEmail ?? profile.email;
  const index = emailIndex(ctx.vault, to);
  refuseTooMany(ctx, index, user.id);
  insertMailedToken(tx, {
    hash,
    userId: user.id,
    purpose: 'verify_email',
    emailIndex: index,
    email: newEmail === null ? null : ctx.vault.seal(newEmail, `mailed_token.email:${hash}`),
    createdAt: now,
    expiresAt: now + LIFE_MS,
  });
  ctx.mail(tx, {
    kind: 'verify_email',
    to,
    firstName: profile.firstName,
    link: `${ctx.webUrl()}/verify-email#token=${token}`,
  });
  ctx.confirmations.sent(index, user.id);
}

/** To a new account: one whose address others have had too many messages sent to is made all the same, and has its link sent later. */
export function sendFirstVerification(ctx: AccountsContext, tx: Tx, user: UserRow, profile: Profile): void {
  const index = emailIndex(ctx.vault, profile.email);
  if (ctx.confirmations.waitMs(index, user.id) === 0) sendVerification(ctx, tx, user, profile);
}

/** Sends the link once more. Refuses with MAIL_THROTTLED after some within the hour, and with ALREADY_VERIFIED. */
export function resendVerification(ctx: AccountsContext, user: UserRow): void {
  if (user.verifiedAt !== null) throw new Refusal('ALREADY_VERIFIED', 'This email address is verified already.');
  transact(ctx.db, (tx) => sendVerification(ctx, tx, user, openProfile(ctx.vault, user)));
}

function refuseTooMany({ confirmations }: AccountsContext, index: string, userId: UserId): void {
  const retryAfterMs = confirmations.waitMs(index, userId);
  if (retryAfterMs === 0) return;
  const message = 'Several messages are on their way already. Look into your spam folder, or try again in an hour.';
  throw new Refusal('MAIL_THROTTLED', message, { retryAfterMs });
}

/**
 * Takes the token of a verification link. Nobody is signed in by it. Refuses with TOKEN_INVALID (unknown, used or expired, or the account has
 * another address by now) and EMAIL_TAKEN.
 */
export function verifyEmail(ctx: AccountsContext, token: string, device: Device): void {
  transact(ctx.db, (tx) => {
    const found = findMailedToken(tx, hashSecretToken(token));
    const isGood = found?.purpose === 'verify_email' && found.expiresAt > ctx.clock.now();
    const user = isGood ? findUser(tx, found.userId) : null;
    if (found === null || user === null) throw invalidLink();
    if (found.email === null) {
      if (found.emailIndex !== user.emailIndex) throw invalidLink();
      if (user.verifiedAt === null) updateUser(tx, user.id, { verifiedAt: ctx.clock.now() });
    } else changeEmail(ctx, tx, user, found);
    deleteMailedTokens(tx, user.id, 'verify_email');
    const action = found.email === null ? 'account.email_verified' : 'account.email_changed';
    recordAudit(ctx, tx, { workspaceId: null, actorId: user.id, action, target: user.id, device });
  });
}

function changeEmail(ctx: AccountsContext, tx: Tx, user: UserRow, token: MailedTokenRow): void {
  const email = ctx.vault.open<string>(token.email ?? '', `mailed_token.email:${token.hash}`);
  const owner = findUserByEmail(tx, token.emailIndex);
  if (owner !== null && owner.id !== user.id) {
    throw new Refusal('EMAIL_TAKEN', 'An account with this email already exists.');
  }
  const profile = openProfile(ctx.vault, user);
  updateUser(tx, user.id, {
    profile: sealProfile(ctx.vault, user.id, { ...profile, email }),
    emailIndex: token.emailIndex,
    verifiedAt: ctx.clock.now(),
  });
  // The old address learns of it: who took over a session must not take the account silently.
  ctx.mail(tx, {
    kind: 'security_notice',
    to: profile.email,
    firstName: profile.firstName,
    event: 'email_changed',
  });
  deleteMailedTokens(tx, user.id, 'reset_password');
}

export function invalidLink(): Refusal {
  return new Refusal('TOKEN_INVALID', 'This link is not valid any more. Ask for a new one.');
}
