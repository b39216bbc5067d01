import type { Tx } from '../db/database.ts';
import type { MembershipRow } from '../db/schema/workspace.ts';
import { insertMembership, insertWorkspace } from '../db/writers/workspaces.ts';
import { ID_PREFIX, type UserId, type WorkspaceId } from '../model/ids.ts';
import type { AccountsContext } from './context.ts';
import type { Profile } from './profile.ts';

/** A workspace that belongs to one person; `name`: by default their company's. A person's own name is sealed, and a workspace's is not. */
export function insertOwnWorkspace(
  ctx: Pick<AccountsContext, 'clock' | 'random'>,
  tx: Tx,
  userId: UserId,
  profile: Profile,
  name: string = profile.company === '' ? 'My workspace' : profile.company,
): MembershipRow {
  const createdAt = ctx.clock.now();
  const workspaceId = ctx.random.id(ID_PREFIX.workspace) as WorkspaceId;
  insertWorkspace(tx, { id: workspaceId, name, isDemo: false, createdAt });
  const membership: MembershipRow = { workspaceId, userId, role: 'owner', createdAt };
  insertMembership(tx, membership);
  return membership;
}
