import { BRAND } from '../brand.ts';
import { transact } from '../db/database.ts';
import { findUser } from '../db/readers/users.ts';
import { replaceRecoveryCodes } from '../db/writers/accounts.ts';
import { updateUser } from '../db/writers/users.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device, SecurityEvent } from './context.ts';
import type { SessionPrincipal } from './open-session.ts';
import { wrongCode } from './prove-identity.ts';
import {
  hashRecoveryCode,
  hasSecondFactor,
  newRecoveryCodes,
  openTotpSecret,
  refuseManyCodes,
  sealTotpSecret,
} from './second-factor.ts';
import { stillSignedIn } from './still-signed-in.ts';
import { matchTotp, newTotpSecret, totpAddress } from './totp.ts';

/** Step one: a secret for the app. Nothing is asked for at sign-in until a code of it was given. Refuses with TWO_FACTOR_ON. */
export function beginTwoFactor(
  ctx: AccountsContext,
  principal: SessionPrincipal,
): { readonly secret: string; readonly address: string } {
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(ctx, principal.user, secret);
  transact(ctx.db, (tx) => {
    // Looked up again: the secret of an app that is in use by now must not be replaced.
    if (hasSecondFactor(stillSignedIn(ctx, tx, principal).user)) {
      throw new Refusal('TWO_FACTOR_ON', 'Two-factor sign-in is on already. Turn it off first to use another app.');
    }
    updateUser(tx, principal.user.id, { totpSecret: sealed, totpLastStep: null });
  });
  return { secret, address: totpAddress(secret, BRAND.name, principal.profile.email) };
}

/** Step two: the app's first code turns it on. Returns the recovery codes, shown this once. Refuses with WRONG_CODE, TWO_FACTOR_NOT_BEGUN. */
export function enableTwoFactor(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  code: string,
  device: Device,
): readonly string[] {
  const codes = transact(ctx.db, (tx) => {
    const user = findUser(tx, principal.user.id);
    if (user === null || user.totpSecret === null || hasSecondFactor(user)) {
      throw new Refusal('TWO_FACTOR_NOT_BEGUN', 'Begin with a new secret for your authenticator app.');
    }
    refuseManyCodes(ctx, user);
    const now = ctx.clock.now();
    const step = matchTotp(openTotpSecret(ctx, user), code, ctx.clock.wallNow(), null);
    if (step === null) {
      ctx.codes.failed(user.id);
      return null;
    }
    updateUser(tx, user.id, { totpEnabledAt: now, totpLastStep: step });
    const fresh = newRecoveryCodes();
    replaceRecoveryCodes(tx, user.id, fresh.map(hashRecoveryCode));
    tell(ctx, tx, principal, device, 'two_factor_enabled');
    return fresh;
  });
  if (codes === null) throw wrongCode();
  return codes;
}

/** The caller has proved who they are a moment ago (`prove-identity.ts`); the route's policy sees to it. Refuses with TWO_FACTOR_OFF. */
export function disableTwoFactor(ctx: AccountsContext, principal: SessionPrincipal, device: Device): void {
  // Who asks twice is not told a second time by email that it was turned off.
  if (!hasSecondFactor(principal.user)) throw new Refusal('TWO_FACTOR_OFF', 'Two-factor sign-in is off already.');
  transact(ctx.db, (tx) => {
    updateUser(tx, principal.user.id, { totpSecret: null, totpEnabledAt: null, totpLastStep: null });
    replaceRecoveryCodes(tx, principal.user.id, []);
    tell(ctx, tx, principal, device, 'two_factor_disabled');
  });
}

/** Ten new ones; the old ones are worthless from now on. Refuses with TWO_FACTOR_OFF. */
export function renewRecoveryCodes(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  device: Device,
): readonly string[] {
  const fresh = newRecoveryCodes();
  transact(ctx.db, (tx) => {
    if (!hasSecondFactor(stillSignedIn(ctx, tx, principal).user)) {
      throw new Refusal('TWO_FACTOR_OFF', 'Recovery codes belong to two-factor sign-in, which is off.');
    }
    replaceRecoveryCodes(tx, principal.user.id, fresh.map(hashRecoveryCode));
    recordAudit(ctx, tx, {
      ...{ workspaceId: null, actorId: principal.user.id, device },
      action: 'account.recovery_codes_renewed',
      target: principal.user.id,
    });
  });
  return fresh;
}

function tell(
  ctx: AccountsContext,
  tx: Parameters<AccountsContext['mail']>[0],
  { user, profile }: SessionPrincipal,
  device: Device,
  event: SecurityEvent & ('two_factor_enabled' | 'two_factor_disabled'),
): void {
  ctx.mail(tx, { kind: 'security_notice', to: profile.email, firstName: profile.firstName, event });
  recordAudit(ctx, tx, {
    ...{ workspaceId: null, actorId: user.id, device },
    action: `account.${event}`,
    target: user.id,
  });
}
