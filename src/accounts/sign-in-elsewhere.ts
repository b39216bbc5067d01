import { randomBytes } from 'node:crypto';
import { type Tx, transact } from '../db/database.ts';
import { findExternalIdentity, listSessions } from '../db/readers/accounts.ts';
import { countUsers, findUser, findUserByEmail } from '../db/readers/users.ts';
import type { SessionRow } from '../db/schema/session.ts';
import type { UserRow } from '../db/schema/user.ts';
import { deleteExternalIdentities, insertExternalIdentity } from '../db/writers/accounts.ts';
import { insertUser } from '../db/writers/users.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { ID_PREFIX, type UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import type { IdentityProvider, Trip, VouchedPerson } from '../ports/identity-provider.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import { emailIndex, isEmail } from './email.ts';
import { openSession, type SessionPrincipal, type SignedIn } from './open-session.ts';
import { insertOwnWorkspace } from './own-workspace.ts';
import { DEFAULT_NOTIFICATIONS, openProfile, type Profile, sealProfile } from './profile.ts';
import { hasSecondFactor } from './second-factor.ts';
import { sealSecondStep } from './second-step-elsewhere.ts';

/** What the browser keeps on its way, sealed. */
interface Ticket extends Trip {
  readonly at: number;
  /** Set: this person connects their account; null: somebody signs in. */
  readonly linkTo: Linking | null;
}

/** Whose account is to be connected, and where they asked for it. */
interface Linking {
  readonly userId: UserId;
  readonly sessionId: SessionRow['id'];
}

const TICKET_CONTEXT = 'cookie:sign_in_elsewhere';
const TRIP_MS = 10 * MINUTE_MS;

/** A trip to the identity provider. `ticket` belongs into a cookie of this browser. */
export function beginTrip(
  ctx: AccountsContext,
  asked: SessionPrincipal | null,
): { readonly trip: Trip; readonly ticket: string } {
  const secret = () => randomBytes(32).toString('base64url');
  const trip: Trip = { state: secret(), nonce: secret(), verifier: secret() };
  const linkTo = asked === null ? null : { userId: asked.user.id, sessionId: asked.session.id };
  const ticket: Ticket = { ...trip, at: ctx.clock.now(), linkTo };
  return { trip, ticket: ctx.vault.seal(ticket, TICKET_CONTEXT) };
}

/** Null: no ticket of ours, or an old one. */
export function openTicket(ctx: AccountsContext, sealed: string | undefined): Ticket | null {
  if (sealed === undefined) return null;
  try {
    const ticket = ctx.vault.open<Ticket>(sealed, TICKET_CONTEXT);
    return ctx.clock.now() - ticket.at <= TRIP_MS ? ticket : null;
  } catch {
    return null;
  }
}

/** What became of a trip to the provider. */
export type Arrival =
  | { readonly type: 'signed_in'; readonly signedIn: SignedIn }
  | { readonly type: 'connected' }
  /** Two-factor sign-in is on for the account: `ticket` belongs into a cookie of this browser, until the code is there. */
  | { readonly type: 'code_asked'; readonly ticket: string };

/**
 * Signs in whom the provider vouches for, connects them to the account that asked for it, or creates an account where that is open. An existing
 * account is never found by its email address: its owner connects it, signed in. Refuses with EMAIL_TAKEN, EMAIL_UNVERIFIED, SIGNUP_CLOSED,
 * IDENTITY_TAKEN, and with SESSION_EXPIRED where the session that asked for it has ended.
 */
export function arrive(
  ctx: AccountsContext,
  provider: Pick<IdentityProvider, 'allowsSignUp'>,
  person: VouchedPerson,
  linkTo: Linking | null,
  device: Device,
): Arrival {
  const index = ctx.vault.index(`identity:${JSON.stringify([person.issuer, person.subject])}`);
  return transact(ctx.db, (tx) => {
    const identity = findExternalIdentity(tx, index);
    if (linkTo !== null) {
      const { userId, sessionId } = linkTo;
      // Whoever changed the password while somebody was on the way has shut them out.
      if (!listSessions(tx, userId, ctx.clock.now()).some(({ id }) => id === sessionId)) {
        throw new Refusal('SESSION_EXPIRED', 'The session that asked for it has ended. Sign in and try again.');
      }
      if (identity !== null && identity.userId !== userId) {
        throw new Refusal('IDENTITY_TAKEN', 'This sign-in is connected to another account already.');
      }
      if (identity === null) {
        connect(ctx, tx, index, userId, device);
        tell(ctx, tx, userId);
      }
      return { type: 'connected' };
    }
    const known = identity === null ? null : findUser(tx, identity.userId);
    const user = known ?? create(ctx, tx, provider, person, index, device);
    // Who turned it on wants to be asked, whichever way they come; what the provider asked for is its own affair.
    if (hasSecondFactor(user)) return { type: 'code_asked', ticket: sealSecondStep(ctx, user.id, index) };
    // A provider may vouch for a session of its own that stands open for weeks. An account without a password has no other proof.
    const signedIn = openSession(ctx, tx, user, device, { isProof: user.passwordHash === '' });
    const { id: workspaceId } = signedIn.workspace;
    const audit = { workspaceId, actorId: user.id, device, change: { how: 'openid' } };
    recordAudit(ctx, tx, { ...audit, action: 'session.opened', target: signedIn.session.id });
    return { type: 'signed_in', signedIn };
  });
}

/** The account is opened by its password alone again. Refuses with PASSWORD_MISSING when it has none. */
export function disconnectIdentity(ctx: AccountsContext, { user }: SessionPrincipal, device: Device): void {
  if (user.passwordHash === '') {
    throw new Refusal(
      'PASSWORD_MISSING',
      'Set a password first ("Forgot password"): without one nothing opens this account.',
    );
  }
  transact(ctx.db, (tx) => {
    deleteExternalIdentities(tx, user.id);
    const audit = { workspaceId: null, actorId: user.id, device, target: user.id };
    recordAudit(ctx, tx, { ...audit, action: 'account.identity_disconnected' });
  });
}

function connect(ctx: AccountsContext, tx: Tx, index: string, userId: UserId, device: Device): void {
  insertExternalIdentity(tx, { identityIndex: index, userId, createdAt: ctx.clock.now() });
  const audit = { workspaceId: null, actorId: userId, device, target: userId };
  recordAudit(ctx, tx, { ...audit, action: 'account.identity_connected' });
}

/** It opens the account from now on, also after its password was changed. */
function tell(ctx: AccountsContext, tx: Tx, userId: UserId): void {
  const user = findUser(tx, userId);
  if (user === null) return;
  const { email: to, firstName } = openProfile(ctx.vault, user);
  ctx.mail(tx, { kind: 'security_notice', to, firstName, event: 'identity_connected' });
}

function create(
  ctx: AccountsContext,
  tx: Tx,
  provider: Pick<IdentityProvider, 'allowsSignUp'>,
  person: VouchedPerson,
  index: string,
  device: Device,
): UserRow {
  // The first account owns the instance: it is made with the set-up token.
  if (countUsers(tx) === 0 || (ctx.signup !== 'open' && !provider.allowsSignUp)) {
    throw new Refusal(
      'SIGNUP_CLOSED',
      'No account is connected to this sign-in, and this instance takes no new ones by it.',
    );
  }
  if (!person.isEmailVerified || !isEmail(person.email)) {
    throw new Refusal('EMAIL_UNVERIFIED', 'The sign-in did not vouch for an email address.');
  }
  const addressIndex = emailIndex(ctx.vault, person.email);
  if (findUserByEmail(tx, addressIndex) !== null) {
    throw new Refusal('EMAIL_TAKEN', 'An account with this email already exists: sign in to it and connect it there.');
  }
  const now = ctx.clock.now();
  const id = ctx.random.id(ID_PREFIX.user) as UserId;
  const { email, firstName, lastName } = person;
  const profile: Profile = {
    email,
    firstName,
    lastName,
    company: '',
    timezone: '',
    notifications: DEFAULT_NOTIFICATIONS,
  };
  const user: UserRow = {
    ...{ id, profile: sealProfile(ctx.vault, id, profile), emailIndex: addressIndex, passwordHash: '' },
    ...{ role: 'user', isDemo: false, verifiedAt: now, createdAt: now },
    ...{ totpSecret: null, totpEnabledAt: null, totpLastStep: null, newsletterAt: null, newsletterSource: null },
  };
  insertUser(tx, user);
  const { workspaceId } = insertOwnWorkspace(ctx, tx, id, profile);
  recordAudit(ctx, tx, { workspaceId, actorId: id, device, action: 'account.created', target: id });
  connect(ctx, tx, index, id, device);
  return user;
}
