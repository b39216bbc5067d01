import { transact } from '../db/database.ts';
import { listMembers } from '../db/readers/workspaces.ts';
import { purgeWorkspace } from '../db/writers/purge-workspace.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import type { SessionPrincipal } from './open-session.ts';
import { rehomeSessions } from './workspaces.ts';

/**
 * Takes the caller's present workspace away with everything in it; the shops themselves are left as they are. `name`: typed by the caller, so
 * that nobody deletes the wrong one. Refuses with VALIDATION. A sync that is under way is not waited for: it ends with its pair.
 */
export async function deleteWorkspace(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  name: string,
  device: Device,
): Promise<void> {
  const { workspace, user } = principal;
  if (name.trim() !== workspace.name.trim()) {
    const message = 'This is not the name of the workspace.';
    throw new Refusal('VALIDATION', message, { fields: [{ field: 'name', message }] });
  }
  await ctx.clearWorkspace(workspace.id);
  transact(ctx.db, (tx) => {
    const members = listMembers(tx, workspace.id);
    purgeWorkspace(tx, workspace.id, ctx.clock.now());
    for (const member of members) rehomeSessions(ctx, tx, member.user.id, workspace.id);
    recordAudit(ctx, tx, {
      ...{ workspaceId: null, actorId: user.id, device },
      action: 'workspace.deleted',
      target: workspace.id,
    });
  });
}
