import type { Static } from 'typebox';
import { openAuditDetails } from '../../accounts/audit.ts';
import type { AccountsContext } from '../../accounts/context.ts';
import type { describeSessions } from '../../accounts/end-sessions.ts';
import { openInvitationEmail } from '../../accounts/invitations.ts';
import type { Principal } from '../../accounts/open-session.ts';
import { fullName, openProfile } from '../../accounts/profile.ts';
import type {
  ApiTokenView,
  AuditView,
  InstanceUserView,
  InvitationView,
  MemberView,
  SessionView,
} from '../../contracts/account.ts';
import { findUser, readUserTraces } from '../../db/readers/users.ts';
import type { ApiTokenRow, AuditEntryRow, InvitationRow } from '../../db/schema/account.ts';
import type { UserRow } from '../../db/schema/user.ts';
import type { MembershipRow } from '../../db/schema/workspace.ts';
import { isoTime } from '../../lib/time.ts';
import { isoTimeOrNull } from './store.ts';

export function presentSessionRow({
  row,
  device,
  isCurrent,
}: ReturnType<typeof describeSessions>[number]): Static<typeof SessionView> {
  return {
    _id: row.id,
    ...device,
    isCurrent,
    isRemembered: row.isRemembered,
    createdAt: isoTime(row.createdAt),
    lastSeenAt: isoTime(row.lastSeenAt),
    expiresAt: isoTime(row.expiresAt),
  };
}

export function presentMember(
  ctx: AccountsContext,
  caller: Principal,
  { user, membership }: { readonly user: UserRow; readonly membership: MembershipRow },
): Static<typeof MemberView> {
  const profile = openProfile(ctx.vault, user);
  return {
    userId: user.id,
    name: fullName(profile),
    email: profile.email,
    role: membership.role,
    isYou: user.id === caller.user.id,
    hasTwoFactor: user.totpEnabledAt !== null,
    since: isoTime(membership.createdAt),
  };
}

export function presentInvitation(ctx: AccountsContext, row: InvitationRow): Static<typeof InvitationView> {
  return {
    _id: row.id,
    email: openInvitationEmail(ctx, row),
    role: row.role,
    createdAt: isoTime(row.createdAt),
    expiresAt: isoTime(row.expiresAt),
  };
}

export function presentApiToken(caller: Principal, row: ApiTokenRow): Static<typeof ApiTokenView> {
  const { name, scope, hint, userId } = row;
  return {
    _id: row.id,
    ...{ name, scope, hint, userId },
    isYours: userId === caller.user.id,
    createdAt: isoTime(row.createdAt),
    expiresAt: isoTimeOrNull(row.expiresAt),
    lastUsedAt: isoTimeOrNull(row.lastUsedAt),
  };
}

export function presentAuditEntry(ctx: AccountsContext, row: AuditEntryRow): AuditView {
  const details = openAuditDetails(ctx.vault, row);
  const actor = row.actorId === null ? null : findUser(ctx.db, row.actorId);
  return {
    seq: row.seq,
    at: isoTime(row.at),
    action: row.action,
    target: row.target,
    actorId: row.actorId,
    actorName: actor === null ? '' : fullName(openProfile(ctx.vault, actor)),
    apiTokenId: row.apiTokenId,
    ip: details?.ip ?? '',
    userAgent: details?.userAgent ?? '',
    change: { ...details?.change },
  };
}

export function presentInstanceUser(ctx: AccountsContext, user: UserRow): Static<typeof InstanceUserView> {
  const profile = openProfile(ctx.vault, user);
  const { workspaceCount, lastActiveAt } = readUserTraces(ctx.db, user.id);
  return {
    _id: user.id,
    name: fullName(profile),
    email: profile.email,
    role: user.role,
    isVerified: user.verifiedAt !== null,
    hasTwoFactor: user.totpEnabledAt !== null,
    workspaceCount,
    lastActiveAt: isoTimeOrNull(lastActiveAt),
    createdAt: isoTime(user.createdAt),
  };
}
