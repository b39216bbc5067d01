import type { Tx } from '../db/database.ts';
import { findWorkspace, listMemberships } from '../db/readers/workspaces.ts';
import type { SessionRow } from '../db/schema/session.ts';
import type { UserRow } from '../db/schema/user.ts';
import type { MembershipRow, WorkspaceRow } from '../db/schema/workspace.ts';
import { deleteExpiredSessions, insertRefreshToken, insertSession, trimSessions } from '../db/writers/sessions.ts';
import { present } from '../lib/assert.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext, Device } from './context.ts';
import { hashRefreshToken, newRefreshToken } from './refresh-token.ts';

export const SESSION_MS = 12 * 3_600_000;
export const SESSION_REMEMBERED_MS = 30 * 24 * 3_600_000;
const SESSIONS_PER_USER_MAX = 50;
const EXPIRED_DELETED_MAX = 100;

/** A person signed in on one device, in one workspace. */
export interface Principal {
  readonly user: UserRow;
  readonly workspace: WorkspaceRow;
  readonly membership: MembershipRow;
  readonly session: SessionRow;
}

export interface SignedIn extends Principal {
  /** Shown once; only its hash is kept. */
  readonly refreshToken: string;
}

export function sessionLifeMs(isRemembered: boolean): number {
  return isRemembered ? SESSION_REMEMBERED_MS : SESSION_MS;
}

/** Starts a session of `user` in the first workspace that they belong to. */
export function openSession(
  ctx: AccountsContext,
  tx: Tx,
  user: UserRow,
  device: Device,
  isRemembered: boolean,
): SignedIn {
  const membership = listMemberships(tx, user.id)[0];
  if (membership === undefined) throw new Refusal('FORBIDDEN', 'This account belongs to no workspace any more.');
  const workspace = present(findWorkspace(tx, membership.workspaceId), 'a membership has its workspace');
  const now = ctx.clock.now();
  deleteExpiredSessions(tx, now, EXPIRED_DELETED_MAX);
  trimSessions(tx, user.id, SESSIONS_PER_USER_MAX - 1);
  const session: SessionRow = {
    id: ctx.random.id('ses_'),
    userId: user.id,
    workspaceId: workspace.id,
    isRemembered,
    userAgent: device.userAgent.slice(0, 300),
    ip: device.ip,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + sessionLifeMs(isRemembered),
    revokedAt: null,
    revokedReason: null,
  };
  insertSession(tx, session);
  const refreshToken = newRefreshToken();
  insertRefreshToken(tx, {
    hash: hashRefreshToken(refreshToken),
    sessionId: session.id,
    createdAt: now,
    rotatedAt: null,
  });
  return { user, workspace, membership, session, refreshToken };
}
