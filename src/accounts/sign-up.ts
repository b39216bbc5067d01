import { createHash, timingSafeEqual } from 'node:crypto';
import { type Tx, transact } from '../db/database.ts';
import { countUsers, findUserByEmailKey } from '../db/readers/users.ts';
import type { UserRow } from '../db/schema/user.ts';
import { insertUser } from '../db/writers/users.ts';
import { insertMembership, insertWorkspace } from '../db/writers/workspaces.ts';
import type { UserId, WorkspaceId } from '../model/ids.ts';
import { ID_PREFIX } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailKey } from './email.ts';
import { openSession, type SignedIn } from './open-session.ts';
import { type SignUpForm, validateSignUp } from './validate-sign-up.ts';

/**
 * Creates a person with a workspace of their own and signs them in. The first account of an instance owns it.
 * Refuses with VALIDATION (`details.fields`), SIGNUP_CLOSED, SETUP_TOKEN_REQUIRED or EMAIL_TAKEN.
 */
export async function signUp(ctx: AccountsContext, form: SignUpForm, device: Device): Promise<SignedIn> {
  const errors = validateSignUp(form);
  const fields = Object.entries(errors).map(([field, message]) => ({ field, message }));
  const first = fields[0];
  if (first !== undefined) throw new Refusal('VALIDATION', first.message, { fields });
  // Asked before the hash, which is slow, and again inside the transaction, which decides.
  refuseClosed(ctx, ctx.db, form);
  const passwordHash = await ctx.passwords.hash(form.password ?? '', device.ip);
  return transact(ctx.db, (tx) => {
    const isFirst = refuseClosed(ctx, tx, form);
    const now = ctx.clock.now();
    const email = form.email?.trim() ?? '';
    if (findUserByEmailKey(tx, emailKey(email)) !== null) {
      const message = 'An account with this email already exists.';
      throw new Refusal('EMAIL_TAKEN', message, { fields: [{ field: 'email', message }] });
    }
    const user: UserRow = {
      id: ctx.random.id(ID_PREFIX.user) as UserId,
      email,
      emailKey: emailKey(email),
      firstName: form.firstName?.trim() ?? '',
      lastName: form.lastName?.trim() ?? '',
      company: form.company?.trim() ?? '',
      passwordHash,
      role: isFirst ? 'admin' : 'user',
      isDemo: false,
      verifiedAt: null,
      newsletterAt: form.subscribeToNewsletter === true ? now : null,
      newsletterSource: form.subscribeToNewsletter === true ? 'signup' : null,
      createdAt: now,
    };
    insertUser(tx, user);
    insertOwnWorkspace(ctx, tx, user, now);
    ctx.log.info({ userId: user.id, isFirst }, 'account created');
    return openSession(ctx, tx, user, device, false);
  });
}

/** Whether the form would be accepted now, for a page that has not asked yet. */
export function signUpState(ctx: AccountsContext): {
  isOpen: boolean;
  isFirst: boolean;
  isSetupTokenRequired: boolean;
} {
  const isFirst = countUsers(ctx.db) === 0;
  return {
    isOpen: isFirst || ctx.signup === 'open',
    isFirst,
    isSetupTokenRequired: isFirst && ctx.setupToken !== null,
  };
}

function insertOwnWorkspace(ctx: AccountsContext, tx: Tx, user: UserRow, now: number): void {
  const id = ctx.random.id(ID_PREFIX.workspace) as WorkspaceId;
  const name = user.company !== '' ? user.company : `${user.firstName} ${user.lastName}`;
  insertWorkspace(tx, { id, name, isDemo: false, createdAt: now });
  insertMembership(tx, { workspaceId: id, userId: user.id, role: 'owner', createdAt: now });
}

/** Returns whether this is the first account. */
function refuseClosed(ctx: AccountsContext, db: Parameters<typeof countUsers>[0], form: SignUpForm): boolean {
  const isFirst = countUsers(db) === 0;
  if (!isFirst && ctx.signup !== 'open') {
    throw new Refusal('SIGNUP_CLOSED', 'This instance does not take new accounts. Ask its owner for an invitation.');
  }
  if (isFirst && ctx.setupToken !== null && !isSameSecret(form.setupToken ?? '', ctx.setupToken)) {
    const message = 'The first account of this instance needs the set-up token from its log.';
    throw new Refusal('SETUP_TOKEN_REQUIRED', message, { fields: [{ field: 'setupToken', message }] });
  }
  return isFirst;
}

function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
