import type { Db, Tx } from '../db/database.ts';
import { findWorkspace, listMemberships } from '../db/readers/workspaces.ts';
import type { ApiTokenRow } from '../db/schema/account.ts';
import type { SessionRow } from '../db/schema/session.ts';
import type { UserRow } from '../db/schema/user.ts';
import type { MembershipRow, WorkspaceRow } from '../db/schema/workspace.ts';
import { deleteExpiredSessions, insertRefreshToken, insertSession, trimSessions } from '../db/writers/sessions.ts';
import { present } from '../lib/assert.ts';
import type { AccountsContext, Device } from './context.ts';
import { insertOwnWorkspace } from './own-workspace.ts';
import { openProfile, type Profile } from './profile.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import type { Vault } from './vault.ts';

const SESSION_MS = 12 * 3_600_000;
const SESSION_REMEMBERED_MS = 30 * 24 * 3_600_000;
/**
 * However often it is refreshed, a session ends so long after its sign-in: a refresh token that was copied unseen would otherwise be good for ever.
 * A browser that is never closed signs in once a week.
 */
const SESSION_ENDS_MS = 7 * 24 * 3_600_000;
const SESSION_REMEMBERED_ENDS_MS = 90 * 24 * 3_600_000;
const SESSIONS_PER_USER_MAX = 50;
const EXPIRED_DELETED_MAX = 100;

interface Person {
  readonly user: UserRow;
  readonly profile: Profile;
  readonly workspace: WorkspaceRow;
  /** With an API token the role is the lesser of the person's and the token's. */
  readonly membership: MembershipRow;
}

/** A person signed in on one device, in one workspace. */
export interface SessionPrincipal extends Person {
  readonly session: SessionRow;
  readonly apiToken: null;
}

/** A program that acts for a person, in one workspace. */
export interface TokenPrincipal extends Person {
  readonly session: null;
  readonly apiToken: ApiTokenRow;
}

export type Principal = SessionPrincipal | TokenPrincipal;

export interface SignedIn extends SessionPrincipal {
  /** Shown once; only its hash is kept. */
  readonly refreshToken: string;
}

export interface SessionDevice {
  readonly ip: string;
  readonly userAgent: string;
}

export function openSessionDevice(vault: Vault, session: SessionRow): SessionDevice {
  return vault.open<SessionDevice>(session.device, `session.device:${session.id}`);
}

export function sessionLifeMs(isRemembered: boolean): number {
  return isRemembered ? SESSION_REMEMBERED_MS : SESSION_MS;
}

/** When it ends, whatever is done with it until then. */
export function sessionEndsAt({ createdAt, isRemembered }: Pick<SessionRow, 'createdAt' | 'isRemembered'>): number {
  return createdAt + (isRemembered ? SESSION_REMEMBERED_ENDS_MS : SESSION_ENDS_MS);
}

interface SessionManner {
  readonly isRemembered?: boolean;
  /** False: nobody was asked for anything just now, so that protected actions ask. */
  readonly isProof?: boolean;
}

/** Starts a session of `user` in the workspace that they joined first. Who belongs to none any more gets one of their own. */
export function openSession(
  ctx: Pick<AccountsContext, 'clock' | 'random' | 'vault'>,
  tx: Tx,
  user: UserRow,
  device: Device,
  { isRemembered = false, isProof = true }: SessionManner = {},
): SignedIn {
  const profile = openProfile(ctx.vault, user);
  const now = ctx.clock.now();
  const membership = homeOf(tx, user) ?? insertOwnWorkspace(ctx, tx, user.id, profile);
  const workspace = present(findWorkspace(tx, membership.workspaceId), 'a membership has its workspace');
  deleteExpiredSessions(tx, now, EXPIRED_DELETED_MAX);
  trimSessions(tx, user.id, SESSIONS_PER_USER_MAX - 1);
  const id = ctx.random.id('ses_');
  const from: SessionDevice = { ip: device.ip, userAgent: device.userAgent.slice(0, 300) };
  const session: SessionRow = {
    id,
    userId: user.id,
    workspaceId: workspace.id,
    isRemembered,
    device: ctx.vault.seal(from, `session.device:${id}`),
    provedAt: isProof ? now : 0,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + sessionLifeMs(isRemembered),
    revokedAt: null,
    revokedReason: null,
  };
  insertSession(tx, session);
  const refreshToken = newSecretToken('rt_');
  insertRefreshToken(tx, {
    hash: hashSecretToken(refreshToken),
    sessionId: session.id,
    createdAt: now,
    rotatedAt: null,
  });
  return { user, profile, workspace, membership, session, apiToken: null, refreshToken };
}

/** The membership that a sign-in opens; null: the person belongs to no workspace. */
function homeOf(db: Db, user: UserRow): MembershipRow | null {
  return listMemberships(db, user.id)[0] ?? null;
}
