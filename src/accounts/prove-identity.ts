import { transact } from '../db/database.ts';
import { updateSession } from '../db/writers/accounts.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext, Device } from './context.ts';
import type { SessionPrincipal } from './open-session.ts';
import { hasSecondFactor, refuseManyCodes, spendCode } from './second-factor.ts';
import { stillSignedIn } from './still-signed-in.ts';

/** How long a password or code that was given counts for protected actions. */
export const PROOF_MS = 10 * MINUTE_MS;

export interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** What a form calls the present password. */
type PasswordField = 'password' | 'currentPassword';

/** Whether the person proved a moment ago who they are. A session that was left open somewhere is no proof. */
export function isProved(ctx: Pick<AccountsContext, 'clock'>, principal: SessionPrincipal): boolean {
  return ctx.clock.now() - principal.session.provedAt <= PROOF_MS;
}

/**
 * Asks once more who is there: the password, and with two-factor sign-in a code as well. Refuses with WRONG_PASSWORD, CODE_REQUIRED,
 * WRONG_CODE or LOGIN_THROTTLED: 422 rather than 401, which would end the session in the browser; with SESSION_EXPIRED where it has ended.
 */
export async function proveIdentity(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  proof: Proof,
  device: Device,
): Promise<void> {
  await checkPassword(ctx, principal, proof.password ?? '', device);
  const isRight = transact(ctx.db, (tx) => {
    // Looked up again: a code that another request has just spent is spent, and so is a password that was changed.
    const { user } = stillSignedIn(ctx, tx, principal);
    if (user.passwordHash !== principal.user.passwordHash) throw wrongPassword();
    if (hasSecondFactor(user)) {
      if (proof.code === undefined || proof.code === '') throw codeMissing();
      refuseManyCodes(ctx, user);
      if (!spendCode(ctx, tx, user, proof.code)) return false;
    }
    updateSession(tx, principal.session.id, { provedAt: ctx.clock.now() });
    return true;
  });
  if (!isRight) throw wrongCode();
}

/** The caller's present password, or WRONG_PASSWORD at `field`, where the form has it. Throttled like a sign-in, by account and source. */
export async function checkPassword(
  ctx: AccountsContext,
  { user }: Pick<SessionPrincipal, 'user'>,
  password: string,
  device: Device,
  field: PasswordField = 'password',
): Promise<void> {
  const waitMs = ctx.throttle.waitMs(user.id, device.ip);
  if (waitMs > 0) {
    const message = `Too many attempts. Try again in ${Math.ceil(waitMs / 1000)} seconds.`;
    throw new Refusal('LOGIN_THROTTLED', message, { retryAfterMs: waitMs });
  }
  ctx.throttle.attempted(user.id, device.ip);
  if (!(await ctx.passwords.verify(password, user.passwordHash, device.ip))) {
    throw wrongPassword(field);
  }
  ctx.throttle.succeeded(user.id, device.ip);
}

export function wrongPassword(field: PasswordField = 'password'): Refusal {
  const message = 'This is not your current password.';
  return new Refusal('WRONG_PASSWORD', message, { fields: [{ field, message }] });
}

function codeMissing(): Refusal {
  const message = 'Enter the code from your authenticator app.';
  return new Refusal('CODE_REQUIRED', message, { fields: [{ field: 'code', message }] });
}

export function wrongCode(): Refusal {
  const message = 'This code is not right. Enter the present one, or a recovery code.';
  return new Refusal('WRONG_CODE', message, { fields: [{ field: 'code', message }] });
}
