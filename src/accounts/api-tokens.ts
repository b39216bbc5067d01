import { transact } from '../db/database.ts';
import { findApiToken, listApiTokens } from '../db/readers/accounts.ts';
import type { ApiTokenRow } from '../db/schema/account.ts';
import { deleteApiToken, insertApiToken, updateApiToken } from '../db/writers/accounts.ts';
import { DAY_MS } from '../lib/time.ts';
import { type ApiTokenId, ID_PREFIX } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import { ROLE_OF_SCOPE, type TokenScope } from '../model/role.ts';
import { actedBy, recordAudit } from './audit.ts';
import type { AccountsContext, Device } from './context.ts';
import type { Principal, SessionPrincipal } from './open-session.ts';
import { hashSecretToken, newSecretToken } from './secret-token.ts';
import { refuseAbove } from './workspaces.ts';

const TOKENS_MAX = 50;
/** Whoever may look may make tokens: they must not leave none to those who run the shop. */
const PER_PERSON_MAX = 10;
const HINT_LENGTH = 4;

export interface ApiTokenForm {
  readonly name: string;
  readonly scope: TokenScope;
  /** Null: until it is revoked. */
  readonly expiresInDays: number | null;
}

/** Makes a token; `secret` is shown this once. Refuses with FORBIDDEN (a scope above the caller's role) and LIMIT_REACHED. */
export function createApiToken(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  form: ApiTokenForm,
  device: Device,
): { readonly row: ApiTokenRow; readonly secret: string } {
  refuseAbove(principal, ROLE_OF_SCOPE[form.scope]);
  const secret = newSecretToken('ts_');
  const now = ctx.clock.now();
  const row: ApiTokenRow = {
    id: ctx.random.id(ID_PREFIX.apiToken) as ApiTokenId,
    workspaceId: principal.workspace.id,
    userId: principal.user.id,
    name: form.name,
    hash: hashSecretToken(secret),
    hint: secret.slice(-HINT_LENGTH),
    scope: form.scope,
    createdAt: now,
    expiresAt: form.expiresInDays === null ? null : now + form.expiresInDays * DAY_MS,
    lastUsedAt: null,
  };
  transact(ctx.db, (tx) => {
    const tokens = listApiTokens(tx, row.workspaceId);
    if (tokens.filter(({ userId }) => userId === row.userId).length >= PER_PERSON_MAX) {
      const message = `You have ${PER_PERSON_MAX} API tokens in this workspace. Revoke one of them first.`;
      throw new Refusal('LIMIT_REACHED', message);
    }
    if (tokens.length >= TOKENS_MAX) {
      throw new Refusal('LIMIT_REACHED', `A workspace has at most ${TOKENS_MAX} API tokens. Revoke one first.`);
    }
    insertApiToken(tx, row);
    const change = { name: row.name, scope: row.scope, expiresInDays: form.expiresInDays };
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'api_token.created', target: row.id, change });
  });
  return { row, secret };
}

/** A new secret for the caller's own token; the old one opens nothing from now on. Refuses with NOT_FOUND. */
export function regenerateApiToken(
  ctx: AccountsContext,
  principal: SessionPrincipal,
  id: string,
  device: Device,
): { readonly row: ApiTokenRow; readonly secret: string } {
  const secret = newSecretToken('ts_');
  return transact(ctx.db, (tx) => {
    const old = findApiToken(tx, principal.workspace.id, id);
    if (old === null || old.userId !== principal.user.id) {
      throw new Refusal('NOT_FOUND', 'You have no such API token in this workspace.');
    }
    const now = ctx.clock.now();
    const life = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
    const set = {
      ...{ hash: hashSecretToken(secret), hint: secret.slice(-HINT_LENGTH), createdAt: now, lastUsedAt: null },
      expiresAt: life === null ? null : now + life,
    };
    updateApiToken(tx, old.id, set);
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'api_token.regenerated', target: old.id });
    return { row: { ...old, ...set }, secret };
  });
}

/** Refuses with NOT_FOUND. */
export function revokeApiToken(ctx: AccountsContext, principal: Principal, id: string, device: Device): void {
  transact(ctx.db, (tx) => {
    const row = findApiToken(tx, principal.workspace.id, id);
    if (row === null) throw new Refusal('NOT_FOUND', 'There is no such API token in this workspace.');
    deleteApiToken(tx, row.id);
    const change = { name: row.name };
    recordAudit(ctx, tx, { ...actedBy(principal, device), action: 'api_token.revoked', target: row.id, change });
  });
}
