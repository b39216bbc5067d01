import { transact } from '../db/database.ts';
import { findExternalIdentity } from '../db/readers/accounts.ts';
import { findUser } from '../db/readers/users.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { wrongSignInCode } from './login.ts';
import { openSession, type SignedIn } from './open-session.ts';
import { hasSecondFactor, refuseManyCodes, spendCode } from './second-factor.ts';

/** What the browser keeps, sealed, of whom the provider vouched for, until their code is there. */
interface SecondStep {
  readonly userId: UserId;
  readonly identityIndex: string;
  readonly at: number;
}

const CONTEXT = 'cookie:second_step';
export const SECOND_STEP_MS = 10 * MINUTE_MS;

export function sealSecondStep(ctx: AccountsContext, userId: UserId, identityIndex: string): string {
  const step: SecondStep = { userId, identityIndex, at: ctx.clock.now() };
  return ctx.vault.seal(step, CONTEXT);
}

function openSecondStep(ctx: AccountsContext, sealed: string | undefined): SecondStep | null {
  if (sealed === undefined) return null;
  try {
    const step = ctx.vault.open<SecondStep>(sealed, CONTEXT);
    return ctx.clock.now() - step.at <= SECOND_STEP_MS ? step : null;
  } catch {
    return null;
  }
}

/**
 * Signs in by a code whom the provider has vouched for a moment ago. Refuses with TOKEN_INVALID (too late, or the sign-in elsewhere was disconnected
 * meanwhile), INVALID_CODE and LOGIN_THROTTLED.
 */
export function finishSignInElsewhere(
  ctx: AccountsContext,
  sealed: string | undefined,
  code: string,
  device: Device,
): SignedIn {
  const step = openSecondStep(ctx, sealed);
  // A wrong code must not roll back that it was counted, so the transaction returns instead of throwing.
  const signedIn = transact(ctx.db, (tx) => {
    const user = step === null ? null : findUser(tx, step.userId);
    if (step === null || user === null || findExternalIdentity(tx, step.identityIndex)?.userId !== user.id)
      throw over();
    // Turned off meanwhile, and perhaps on again with another app: whoever has the code now counts.
    if (hasSecondFactor(user)) {
      refuseManyCodes(ctx, user);
      if (!spendCode(ctx, tx, user, code)) return null;
    }
    const isProof = hasSecondFactor(user) || user.passwordHash === '';
    const opened = openSession(ctx, tx, user, device, { isProof });
    const audit = { workspaceId: opened.workspace.id, actorId: user.id, device, change: { how: 'openid' } };
    recordAudit(ctx, tx, { ...audit, action: 'session.opened', target: opened.session.id });
    return opened;
  });
  if (signedIn === null) throw wrongSignInCode();
  return signedIn;
}

function over(): Refusal {
  return new Refusal('TOKEN_INVALID', 'This sign-in has taken too long. Go back and begin again.');
}
