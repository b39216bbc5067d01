import { randomBytes } from 'node:crypto';
import type { Tx } from '../db/database.ts';
import { hasRecoveryCode } from '../db/readers/accounts.ts';
import type { UserRow } from '../db/schema/user.ts';
import { spendRecoveryCode } from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext } from './context.ts';
import { openProfile } from './profile.ts';
import { hashSecretToken } from './secret-token.ts';
import { matchTotp } from './totp.ts';

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten codes of 80 random bits, as people copy them: "k3fz-…". What is stored is `hashRecoveryCode` of each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`);
    let text = '';
    for (let n = 0; n < 16; n++) {
      text += ALPHABET.charAt(Number(bits & 31n));
      bits >>= 5n;
    }
    return text.replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

export function hashRecoveryCode(code: string): string {
  return hashSecretToken(`recovery:${code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')}`);
}

/** Throws LOGIN_THROTTLED while too many wrong codes were given. Asked before anything is looked at. */
export function refuseManyCodes(ctx: AccountsContext, user: UserRow): void {
  const waitMs = ctx.codes.waitMs(user.id);
  if (waitMs <= 0) return;
  const message = `Too many wrong codes. Try again in ${Math.ceil(waitMs / 60_000)} minutes.`;
  throw new Refusal('LOGIN_THROTTLED', message, { retryAfterMs: waitMs });
}

/** Whether `code` is the app's present one or an unused recovery code; it is spent by this. */
export function spendCode(ctx: AccountsContext, tx: Tx, user: UserRow, code: string): boolean {
  const secret = user.totpSecret === null ? null : openTotpSecret(ctx, user);
  if (secret === null) return false;
  const now = ctx.clock.now();
  const step = matchTotp(secret, code, ctx.clock.wallNow(), user.totpLastStep);
  if (step !== null) {
    updateUser(tx, user.id, { totpLastStep: step });
    ctx.codes.succeeded(user.id);
    return true;
  }
  const hash = hashRecoveryCode(code);
  if (!hasRecoveryCode(tx, user.id, hash) || !spendRecoveryCode(tx, user.id, hash, now)) {
    ctx.codes.failed(user.id);
    return false;
  }
  const { email, firstName } = openProfile(ctx.vault, user);
  ctx.mail(tx, { kind: 'security_notice', to: email, firstName, event: 'recovery_code_used' });
  ctx.codes.succeeded(user.id);
  return true;
}

export function sealTotpSecret(ctx: AccountsContext, user: UserRow, secret: string): string {
  return ctx.vault.seal(secret, `user.totp_secret:${user.id}`);
}

export function openTotpSecret(ctx: AccountsContext, user: UserRow): string {
  return ctx.vault.open<string>(user.totpSecret ?? '', `user.totp_secret:${user.id}`);
}

export function hasSecondFactor(user: UserRow): boolean {
  return user.totpEnabledAt !== null;
}
