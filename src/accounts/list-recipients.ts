import { listMembers } from '../db/readers/workspaces.ts';
import type { WorkspaceId } from '../model/ids.ts';
import type { AccountsContext } from './context.ts';
import { openProfile } from './profile.ts';

/** Members of a workspace who confirmed their address and want such emails. */
export function listRecipients(
  ctx: Pick<AccountsContext, 'db' | 'vault'>,
  workspaceId: WorkspaceId,
  what: 'alerts' | 'weekly_report',
): readonly { readonly email: string; readonly firstName: string }[] {
  return listMembers(ctx.db, workspaceId).flatMap(({ user }) => {
    if (user.isDemo || user.verifiedAt === null) return [];
    const { email, firstName, notifications } = openProfile(ctx.vault, user);
    const isWanted = what === 'alerts' ? notifications.syncAlerts : notifications.weeklyReports;
    return notifications.email && isWanted ? [{ email, firstName }] : [];
  });
}
