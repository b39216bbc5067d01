import { transact } from '../db/database.ts';
import { findUser, findUserByEmail } from '../db/readers/users.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { EMAIL_LENGTH_MAX, emailIndex } from './email.ts';
import { openSession, type SignedIn } from './open-session.ts';
import { hasSecondFactor, refuseManyCodes, spendCode } from './second-factor.ts';

export interface LoginForm {
  readonly email?: string | undefined;
  /** What a client of the specification calls the email. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly rememberMe?: boolean | undefined;
  /** From the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
}

/**
 * Signs a person in. An unknown email and a wrong password give the same refusal after the same work. Refuses with VALIDATION,
 * INVALID_CREDENTIALS, LOGIN_THROTTLED (`details.retryAfterMs`), and, once the password was right, TWO_FACTOR_REQUIRED or INVALID_CODE.
 */
export async function login(ctx: AccountsContext, form: LoginForm, device: Device): Promise<SignedIn> {
  const email = (form.email ?? form.username ?? '').trim();
  const password = form.password ?? '';
  if (email === '' || password === '') {
    const message = 'Please fill in all fields';
    const missing = email === '' ? 'email' : 'password';
    throw new Refusal('VALIDATION', message, { fields: [{ field: missing, message }] });
  }
  // One character too many is as good as all of them: it belongs to nobody either way.
  const account = emailIndex(ctx.vault, email.slice(0, EMAIL_LENGTH_MAX + 1));
  refuseThrottled(ctx, account, device);
  ctx.throttle.attempted(account, device.ip);
  const known = email.length > EMAIL_LENGTH_MAX ? null : findUserByEmail(ctx.db, account);
  const isRight = await ctx.passwords.verify(password, known?.passwordHash ?? null, device.ip);
  if (known === null || !isRight) throw new Refusal('INVALID_CREDENTIALS', 'Invalid email or password.');
  ctx.throttle.succeeded(account, device.ip);
  const outcome = transact(ctx.db, (tx) => {
    // Looked up again: the account may have gone, or its password changed, while the hash was computed.
    const user = findUser(tx, known.id);
    if (user === null || user.passwordHash !== known.passwordHash) {
      throw new Refusal('INVALID_CREDENTIALS', 'Invalid email or password.');
    }
    if (hasSecondFactor(user)) {
      if (form.code === undefined || form.code === '') {
        throw new Refusal('TWO_FACTOR_REQUIRED', 'Enter the code from your authenticator app.');
      }
      refuseManyCodes(ctx, user);
      if (!spendCode(ctx, tx, user, form.code)) return null;
    }
    const signedIn = openSession(ctx, tx, user, device, { isRemembered: form.rememberMe === true });
    recordAudit(ctx, tx, {
      ...{ workspaceId: signedIn.workspace.id, actorId: user.id, device },
      action: 'session.opened',
      target: signedIn.session.id,
    });
    return signedIn;
  });
  if (outcome === null) {
    ctx.log.warn({ userId: known.id }, 'a sign-in with the right password had a wrong code');
    throw wrongSignInCode();
  }
  return outcome;
}

export function wrongSignInCode(): Refusal {
  return new Refusal('INVALID_CODE', 'This code is not right. Enter the present one, or a recovery code.');
}

function refuseThrottled(ctx: AccountsContext, account: string, device: Device): void {
  const waitMs = ctx.throttle.waitMs(account, device.ip);
  if (waitMs <= 0) return;
  const message = `Too many attempts. Try again in ${Math.ceil(waitMs / 1000)} seconds.`;
  throw new Refusal('LOGIN_THROTTLED', message, { retryAfterMs: waitMs });
}
