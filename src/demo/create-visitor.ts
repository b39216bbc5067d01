import type { AccountsContext, Device } from '../accounts/context.ts';
import { emailIndex } from '../accounts/email.ts';
import { openSession, type SignedIn } from '../accounts/open-session.ts';
import { DEFAULT_NOTIFICATIONS, sealProfile } from '../accounts/profile.ts';
import { transact } from '../db/database.ts';
import type { UserRow } from '../db/schema/user.ts';
import { insertUser } from '../db/writers/users.ts';
import { insertMembership, insertWorkspace } from '../db/writers/workspaces.ts';
import { ID_PREFIX, type UserId, type WorkspaceId } from '../model/ids.ts';

/** A visitor without an account, signed in to a fresh workspace of their own. */
export function createVisitor(accounts: AccountsContext, device: Device): SignedIn {
  return transact(accounts.db, (tx) => {
    const now = accounts.clock.now();
    const id = accounts.random.id(ID_PREFIX.user) as UserId;
    const email = `${id.toLowerCase().replaceAll('_', '-')}@demo.invalid`;
    const user: UserRow = {
      id,
      profile: sealProfile(accounts.vault, id, {
        ...{ email, firstName: 'Demo', lastName: 'Visitor', company: 'Harbour & Home', timezone: '' },
        notifications: DEFAULT_NOTIFICATIONS,
      }),
      emailIndex: emailIndex(accounts.vault, email),
      passwordHash: '',
      role: 'user',
      isDemo: true,
      verifiedAt: null,
      ...{ totpSecret: null, totpEnabledAt: null, totpLastStep: null },
      newsletterAt: null,
      newsletterSource: null,
      createdAt: now,
    };
    const workspaceId = accounts.random.id(ID_PREFIX.workspace) as WorkspaceId;
    insertUser(tx, user);
    insertWorkspace(tx, { id: workspaceId, name: 'Harbour & Home (demo)', isDemo: true, createdAt: now });
    insertMembership(tx, { workspaceId, userId: id, role: 'owner', createdAt: now });
    return openSession(accounts, tx, user, device);
  });
}
