import { listMembers } from '../db/readers/workspaces.ts';
import type { WorkspaceId } from '../model/ids.ts';
import type { AccountsContext } from './context.ts';
import { type NotificationChoices, openProfile } from './profile.ts';

/** By which choice of theirs people get what, besides the one for all emails about their stores. */
const CHOICES = {
  alerts: 'syncAlerts',
  usage: 'billingAlerts',
  weekly_report: 'weeklyReports',
} as const satisfies Record<string, keyof NotificationChoices>;

/** Members of a workspace who confirmed their address and want such emails. */
export function listRecipients(
  ctx: Pick<AccountsContext, 'db' | 'vault'>,
  workspaceId: WorkspaceId,
  what: keyof typeof CHOICES,
): readonly { readonly email: string; readonly firstName: string }[] {
  return listMembers(ctx.db, workspaceId).flatMap(({ user }) => {
    if (user.isDemo || user.verifiedAt === null) return [];
    const { email, firstName, notifications } = openProfile(ctx.vault, user);
    return notifications.email && notifications[CHOICES[what]] ? [{ email, firstName }] : [];
  });
}
