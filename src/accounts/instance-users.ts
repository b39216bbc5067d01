import { transact } from '../db/database.ts';
import { countInstanceAdmins, findUser } from '../db/readers/users.ts';
import type { UserRow } from '../db/schema/user.ts';
import { updateUser } from '../db/writers/users.ts';
import type { UserId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import type { Principal } from './open-session.ts';

/** Makes somebody an administrator of the instance, or no longer one. Refuses with NOT_FOUND and LAST_ADMIN. */
export function changeInstanceRole(
  ctx: AccountsContext,
  principal: Principal,
  id: string,
  role: UserRow['role'],
  device: Device,
): UserRow {
  return transact(ctx.db, (tx) => {
    const user = findUser(tx, id as UserId);
    if (user === null || user.isDemo) throw new Refusal('NOT_FOUND', 'There is no such account.');
    if (user.role === 'admin' && role !== 'admin' && countInstanceAdmins(tx) === 1) {
      throw new Refusal('LAST_ADMIN', 'An instance needs an administrator. Make somebody else one first.');
    }
    updateUser(tx, user.id, { role });
    recordAudit(ctx, tx, {
      ...{ workspaceId: null, actorId: principal.user.id, device },
      action: 'instance.role_changed',
      target: user.id,
      change: { from: user.role, to: role },
    });
    return { ...user, role };
  });
}
