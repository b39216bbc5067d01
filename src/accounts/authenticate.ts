import { type Db, isDiskError, transact } from '../db/database.ts';
import { findApiTokenByHash } from '../db/readers/accounts.ts';
import { findSessionWithPerson } from '../db/readers/sessions.ts';
import { findUser } from '../db/readers/users.ts';
import { findMembership, findWorkspace } from '../db/readers/workspaces.ts';
import type { ApiTokenRow } from '../db/schema/account.ts';
import { updateApiToken } from '../db/writers/accounts.ts';
import { lesserRole, ROLE_OF_SCOPE } from '../model/role.ts';
import type { AccountsContext } from './context.ts';
import type { SessionPrincipal, TokenPrincipal } from './open-session.ts';
import { openProfile } from './profile.ts';
import { hashSecretToken } from './secret-token.ts';

type Needs = Pick<AccountsContext, 'db' | 'clock' | 'vault'>;

/** When a token was last used is noted at most this often. */
const USE_NOTED_EVERY_MS = 60_000;

/** The person behind a session id that a verified access token carried; null when the session ended or the person left. */
export function authenticate(ctx: Needs, sessionId: string): SessionPrincipal | null {
  const found = findSessionWithPerson(ctx.db, sessionId);
  if (found === null || found.session.revokedAt !== null || found.session.expiresAt <= ctx.clock.now()) return null;
  return { ...found, profile: openProfile(ctx.vault, found.user), apiToken: null };
}

/** Who an API token acts for; null when it is none of ours, has expired, or its person left the workspace. */
export function authenticateApiToken(ctx: Needs, token: string): TokenPrincipal | null {
  const now = ctx.clock.now();
  const apiToken = findApiTokenByHash(ctx.db, hashSecretToken(token));
  if (apiToken === null || (apiToken.expiresAt !== null && apiToken.expiresAt <= now)) return null;
  const user = findUser(ctx.db, apiToken.userId);
  const membership = findMembership(ctx.db, apiToken.workspaceId, apiToken.userId);
  const workspace = findWorkspace(ctx.db, apiToken.workspaceId);
  if (user === null || membership === null || workspace === null) return null;
  if (now - (apiToken.lastUsedAt ?? 0) >= USE_NOTED_EVERY_MS) noteUse(ctx.db, apiToken, now);
  const role = lesserRole(membership.role, ROLE_OF_SCOPE[apiToken.scope]);
  return {
    user,
    profile: openProfile(ctx.vault, user),
    workspace,
    membership: { ...membership, role },
    session: null,
    apiToken,
  };
}

/** On a disk that is full a program can still look: it is often the one that watches. */
function noteUse(db: Db, { id }: ApiTokenRow, now: number): void {
  try {
    transact(db, (tx) => updateApiToken(tx, id, { lastUsedAt: now }));
  } catch (error) {
    if (!isDiskError(error)) throw error;
  }
}
