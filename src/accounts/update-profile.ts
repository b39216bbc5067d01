import { type Tx, transact } from '../db/database.ts';
import { findUserByEmail } from '../db/readers/users.ts';
import { updateUser } from '../db/writers/users.ts';
import { isTimeZone } from '../lib/time.ts';
import type { UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailIndex, emailKey, isEmail } from './email.ts';
import type { SessionPrincipal } from './open-session.ts';
import { type NotificationChoices, type Profile, sealProfile } from './profile.ts';
import { isProved } from './prove-identity.ts';
import { stillSignedIn } from './still-signed-in.ts';
import { sendVerification } from './verify-email.ts';

export interface ProfileForm {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly company?: string | undefined;
  readonly timezone?: string | undefined;
  readonly notifications?: Partial<NotificationChoices> | undefined;
  readonly subscribeToNewsletter?: boolean | undefined;
}

interface UpdatedProfile {
  /** The caller as they are now. */
  readonly principal: SessionPrincipal;
  /** A link was mailed to a new address, which counts once that is followed. */
  readonly isEmailPending: boolean;
}

/**
 * Changes what stands about the caller. A new email address counts only after the link that is mailed to it was followed; until then the old
 * one stays. Refuses with VALIDATION, EMAIL_TAKEN, SESSION_EXPIRED, and for a new address PROOF_REQUIRED and MAIL_THROTTLED.
 */
export function updateProfile(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  form: ProfileForm,
  device: Device,
): UpdatedProfile {
  return transact(ctx.db, (tx) => {
    // Looked up again: what was changed while the form was on its way must not be taken back by it.
    const now = stillSignedIn(ctx, tx, principal);
    const { user, profile } = now;
    const next = mergeProfile(profile, form);
    const newEmail = newEmailOf(profile, form);
    if (newEmail !== null && !isProved(ctx, now)) throw proofRequired();
    if (newEmail !== null) {
      refuseTaken(ctx, tx, user.id, newEmail);
      sendVerification(ctx, tx, user, next, newEmail);
    }
    const { subscribeToNewsletter } = form;
    const set = {
      profile: sealProfile(ctx.vault, user.id, next),
      ...(subscribeToNewsletter === undefined
        ? {}
        : {
            newsletterAt: subscribeToNewsletter ? (user.newsletterAt ?? ctx.clock.now()) : null,
            newsletterSource: subscribeToNewsletter ? (user.newsletterSource ?? 'settings') : null,
          }),
    };
    updateUser(tx, user.id, set);
    recordAudit(ctx, tx, {
      ...{ workspaceId: null, actorId: user.id, device },
      action: 'account.updated',
      target: user.id,
      change: { fields: Object.keys(form) },
    });
    return { principal: { ...now, user: { ...user, ...set }, profile: next }, isEmailPending: newEmail !== null };
  });
}

function mergeProfile(profile: Profile, form: ProfileForm): Profile {
  const text = (given: string | undefined, old: string) => given?.trim() ?? old;
  const next: Profile = {
    ...profile,
    firstName: text(form.firstName, profile.firstName),
    lastName: text(form.lastName, profile.lastName),
    company: text(form.company, profile.company),
    timezone: text(form.timezone, profile.timezone),
    notifications: { ...profile.notifications, ...form.notifications },
  };
  if (next.firstName === '') throw invalid('firstName', 'First name is required');
  if (next.lastName === '') throw invalid('lastName', 'Last name is required');
  if (next.timezone !== '' && !isTimeZone(next.timezone)) {
    throw invalid('timezone', 'timezone: write a name like Europe/Berlin');
  }
  return next;
}

function newEmailOf(profile: Profile, form: ProfileForm): string | null {
  const email = form.email?.trim();
  if (email === undefined || emailKey(email) === emailKey(profile.email)) return null;
  if (email === '') throw invalid('email', 'Email is required');
  if (!isEmail(email)) throw invalid('email', 'Please enter a valid email address');
  return email;
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('VALIDATION', message, { fields: [{ field, message }] });
}

/** Tells whether an address has an account, and so a few times an hour only. */
function refuseTaken({ confirmations, vault }: AccountsContext, tx: Tx, userId: UserId, email: string): void {
  const retryAfterMs = confirmations.personWaitMs(userId);
  if (retryAfterMs > 0) {
    throw new Refusal('MAIL_THROTTLED', 'You have asked for several addresses. Try again in an hour.', {
      retryAfterMs,
    });
  }
  if (findUserByEmail(tx, emailIndex(vault, email)) === null) return;
  confirmations.wasTaken(userId);
  const message = 'An account with this email already exists.';
  throw new Refusal('EMAIL_TAKEN', message, { fields: [{ field: 'email', message }] });
}

/** What a client answers by asking for the password (and code) and calling `POST /api/auth/prove`. */
function proofRequired(): Refusal {
  return new Refusal('PROOF_REQUIRED', 'Confirm that it is you: enter your password once more.');
}
