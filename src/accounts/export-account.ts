import { listAuditEntriesOf } from '../db/readers/accounts.ts';
import { listWorkspacesOf } from '../db/readers/workspaces.ts';
import { isoTime } from '../lib/time.ts';
import { openAuditDetails } from './audit.ts';
import type { AccountsContext } from './context.ts';
import { describeSessions } from './end-sessions.ts';
import type { SessionPrincipal } from './open-session.ts';

const ACTIONS_MAX = 10_000;

/** Everything that is kept about the caller, in plain words and without secrets. */
export function exportAccount(ctx: AccountsContext, principal: SessionPrincipal) {
  const { user, profile } = principal;
  return {
    exportedAt: isoTime(ctx.clock.now()),
    account: {
      id: user.id,
      ...profile,
      isEmailVerified: user.verifiedAt !== null,
      instanceRole: user.role,
      hasTwoFactor: user.totpEnabledAt !== null,
      newsletter:
        user.newsletterAt === null ? null : { since: isoTime(user.newsletterAt), source: user.newsletterSource },
      createdAt: isoTime(user.createdAt),
    },
    workspaces: listWorkspacesOf(ctx.db, user.id).map(({ workspace, membership }) => ({
      id: workspace.id,
      name: workspace.name,
      role: membership.role,
      since: isoTime(membership.createdAt),
    })),
    sessions: describeSessions(ctx, principal).map(({ row, device }) => ({
      ...device,
      createdAt: isoTime(row.createdAt),
      lastSeenAt: isoTime(row.lastSeenAt),
    })),
    actions: listAuditEntriesOf(ctx.db, user.id, ACTIONS_MAX).map((row) => ({
      at: isoTime(row.at),
      action: row.action,
      target: row.target,
      workspaceId: row.workspaceId,
      ...openAuditDetails(ctx.vault, row),
    })),
  };
}
