import { type Db, type Tx, transact } from '../db/database.ts';
import { countUsers, findUserByEmail } from '../db/readers/users.ts';
import type { InvitationRow } from '../db/schema/account.ts';
import type { UserRow } from '../db/schema/user.ts';
import { insertUser } from '../db/writers/users.ts';
import { ID_PREFIX, type UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import { refuseBreached } from './breached-passwords.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailIndex } from './email.ts';
import { goodInvitation, joinByInvitation, opensAccount } from './invitations.ts';
import { openSession, type SignedIn } from './open-session.ts';
import { insertOwnWorkspace } from './own-workspace.ts';
import { DEFAULT_NOTIFICATIONS, type Profile, sealProfile } from './profile.ts';
import { type SignUpForm, validateSignUp } from './validate-sign-up.ts';
import { sendFirstVerification } from './verify-email.ts';

/**
 * Creates a person and signs them in: with a workspace of their own, or in the one that they were invited to. The first account of an instance
 * owns it. Refuses with VALIDATION (`details.fields`), SIGNUP_CLOSED, SETUP_TOKEN_REQUIRED, INVITATION_INVALID, EMAIL_TAKEN or MAIL_THROTTLED.
 */
export async function signUp(ctx: AccountsContext, form: SignUpForm, device: Device): Promise<SignedIn> {
  const errors = validateSignUp(form);
  const fields = Object.entries(errors).map(([field, message]) => ({ field, message }));
  const first = fields[0];
  if (first !== undefined) throw new Refusal('VALIDATION', first.message, { fields });
  // Asked before the hash, which is slow, and again inside the transaction, which decides.
  refuseClosed(ctx, ctx.db, form, device);
  await refuseBreached(ctx, form.password ?? '', 'password');
  const passwordHash = await ctx.passwords.hash(form.password ?? '', device.ip);
  return transact(ctx.db, (tx) => {
    const { isFirst, invitation } = refuseClosed(ctx, tx, form, device);
    const profile = profileOf(form);
    const index = emailIndex(ctx.vault, profile.email);
    if (findUserByEmail(tx, index) !== null) {
      const message = 'An account with this email already exists.';
      throw new Refusal('EMAIL_TAKEN', message, { fields: [{ field: 'email', message }] });
    }
    const user = insertPerson(ctx, tx, { form, profile, index, passwordHash, isFirst, isInvited: invitation !== null });
    if (invitation === null) {
      insertOwnWorkspace(ctx, tx, user.id, profile);
      sendFirstVerification(ctx, tx, user, profile);
    } else joinByInvitation(ctx, tx, invitation, user.id, device);
    const signedIn = openSession(ctx, tx, user, device);
    recordAudit(ctx, tx, {
      ...{ workspaceId: signedIn.workspace.id, actorId: user.id, device },
      action: 'account.created',
      target: user.id,
    });
    ctx.log.info({ userId: user.id, isFirst }, 'account created');
    return signedIn;
  });
}

/** Whether the form would be accepted now, for a page that has not asked yet. */
export function signUpState(ctx: AccountsContext, device: Pick<Device, 'isLocal'>) {
  const isFirst = countUsers(ctx.db) === 0;
  return {
    isOpen: isFirst || ctx.signup === 'open',
    isFirst,
    isSetupTokenRequired: isFirst && ctx.setup.isNeeded(device),
  };
}

function profileOf(form: SignUpForm): Profile {
  return {
    email: form.email?.trim() ?? '',
    firstName: form.firstName?.trim() ?? '',
    lastName: form.lastName?.trim() ?? '',
    company: form.company?.trim() ?? '',
    timezone: '',
    notifications: DEFAULT_NOTIFICATIONS,
  };
}

interface NewPerson {
  readonly form: SignUpForm;
  readonly profile: Profile;
  readonly index: string;
  readonly passwordHash: string;
  readonly isFirst: boolean;
  readonly isInvited: boolean;
}

function insertPerson(ctx: AccountsContext, tx: Tx, person: NewPerson): UserRow {
  const now = ctx.clock.now();
  const id = ctx.random.id(ID_PREFIX.user) as UserId;
  const isSubscribed = person.form.subscribeToNewsletter === true;
  const user: UserRow = {
    id,
    profile: sealProfile(ctx.vault, id, person.profile),
    emailIndex: person.index,
    passwordHash: person.passwordHash,
    role: person.isFirst ? 'admin' : 'user',
    isDemo: false,
    // The invitation was mailed to this address: who has its token reads that mailbox.
    verifiedAt: person.isInvited ? now : null,
    totpSecret: null,
    totpEnabledAt: null,
    totpLastStep: null,
    newsletterAt: isSubscribed ? now : null,
    newsletterSource: isSubscribed ? 'signup' : null,
    createdAt: now,
  };
  insertUser(tx, user);
  return user;
}

function refuseClosed(
  ctx: AccountsContext,
  db: Db,
  form: SignUpForm,
  device: Device,
): { readonly isFirst: boolean; readonly invitation: InvitationRow | null } {
  const isFirst = countUsers(db) === 0;
  if (isFirst && ctx.setup.isNeeded(device) && !ctx.setup.matches(form.setupToken ?? '')) {
    ctx.setup.announce();
    const message = 'The first account of this instance needs the set-up token from its log.';
    throw new Refusal('SETUP_TOKEN_REQUIRED', message, { fields: [{ field: 'setupToken', message }] });
  }
  const invitation = invitationOf(ctx, db, form);
  const isInvited = invitation !== null && opensAccount(ctx, db, invitation);
  if (!isFirst && ctx.signup !== 'open' && !isInvited) {
    throw new Refusal('SIGNUP_CLOSED', 'This instance does not take new accounts. Ask its owner for an invitation.');
  }
  return { isFirst, invitation };
}

/** An invitation is for the address that it was mailed to, and for no other. */
function invitationOf(ctx: AccountsContext, db: Db, form: SignUpForm): InvitationRow | null {
  if (form.invitation === undefined || form.invitation === '') return null;
  const invitation = goodInvitation(ctx, db, form.invitation);
  if (invitation.emailIndex !== emailIndex(ctx.vault, form.email ?? '')) {
    const message = 'This invitation is for another email address: use the one that it was sent to.';
    throw new Refusal('INVITATION_OTHER_EMAIL', message, { fields: [{ field: 'email', message }] });
  }
  return invitation;
}
