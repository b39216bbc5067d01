import { transact } from '../db/database.ts';
import { findUser, findUserByEmailKey } from '../db/readers/users.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailKey } from './email.ts';
import { openSession, type SignedIn } from './open-session.ts';

export interface LoginForm {
  readonly email?: string | undefined;
  /** What older clients call the email. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly rememberMe?: boolean | undefined;
}

/**
 * Signs a person in. An unknown email and a wrong password give the same refusal after the same work.
 * Refuses with VALIDATION, INVALID_CREDENTIALS, or LOGIN_THROTTLED (`details.retryAfterMs`).
 */
export async function login(ctx: AccountsContext, form: LoginForm, device: Device): Promise<SignedIn> {
  const email = (form.email ?? form.username ?? '').trim();
  const password = form.password ?? '';
  if (email === '' || password === '') {
    const message = 'Please fill in all fields';
    const missing = email === '' ? 'email' : 'password';
    throw new Refusal('VALIDATION', message, { fields: [{ field: missing, message }] });
  }
  const account = emailKey(email);
  const waitMs = ctx.throttle.waitMs(account, device.ip);
  if (waitMs > 0) {
    const message = `Too many attempts. Try again in ${Math.ceil(waitMs / 1000)} seconds.`;
    throw new Refusal('LOGIN_THROTTLED', message, { retryAfterMs: waitMs });
  }
  ctx.throttle.attempted(account, device.ip);
  const known = findUserByEmailKey(ctx.db, account);
  const isRight = await ctx.passwords.verify(password, known?.passwordHash ?? null, device.ip);
  if (known === null || !isRight) throw new Refusal('INVALID_CREDENTIALS', 'Invalid email or password.');
  ctx.throttle.succeeded(account, device.ip);
  return transact(ctx.db, (tx) => {
    // Looked up again: the account may have gone, or its password changed, while the hash was computed.
    const user = findUser(tx, known.id);
    if (user === null || user.passwordHash !== known.passwordHash) {
      throw new Refusal('INVALID_CREDENTIALS', 'Invalid email or password.');
    }
    return openSession(ctx, tx, user, device, form.rememberMe === true);
  });
}
