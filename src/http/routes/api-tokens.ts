import { createApiToken, regenerateApiToken, revokeApiToken } from '../../accounts/api-tokens.ts';
import { ApiTokenBody, ApiTokensReply, NewApiTokenReply } from '../../contracts/account.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import { findApiToken, listApiTokens } from '../../db/readers/accounts.ts';
import { isAllowed } from '../../model/role.ts';
import { found } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { givenName } from '../given-name.ts';
import { person } from '../plugins/authentication.ts';
import { presentApiToken } from '../present/account.ts';
import type { Server } from '../types.ts';

const LIFE_DAYS_DEFAULT = 90;

export function apiTokenRoutes(server: Server, deps: HttpDeps): void {
  const { accounts, db } = deps;

  /** Administrators see all tokens of the workspace, others their own. */
  server.get('/api/workspace/tokens', { schema: { response: { 200: ApiTokensReply } } }, async (request) => {
    const principal = person(request);
    const isAdmin = isAllowed(principal.membership.role, 'admin');
    const rows = listApiTokens(db, principal.workspace.id);
    const visible = rows.filter((row) => isAdmin || row.userId === principal.user.id);
    return { tokens: visible.map((row) => presentApiToken(principal, row)) };
  });

  server.post(
    '/api/workspace/tokens',
    { schema: { body: ApiTokenBody, response: { 201: NewApiTokenReply } } },
    async (request, reply) => {
      const { scope, expiresInDays = LIFE_DAYS_DEFAULT } = request.body;
      const name = givenName(request.body.name);
      const principal = person(request);
      const { row, secret } = createApiToken(accounts, principal, { name, scope, expiresInDays }, deviceOf(request));
      return reply.code(201).send({ token: presentApiToken(principal, row), secret });
    },
  );

  server.post(
    '/api/workspace/tokens/:id/regenerate',
    { schema: { params: IdParams, response: { 200: NewApiTokenReply } } },
    async (request) => {
      const principal = person(request);
      const { row, secret } = regenerateApiToken(accounts, principal, request.params.id, deviceOf(request));
      return { token: presentApiToken(principal, row), secret };
    },
  );

  server.delete(
    '/api/workspace/tokens/:id',
    { schema: { params: IdParams, response: { 200: Ok } } },
    async (request) => {
      const principal = person(request);
      const row = found(findApiToken(db, principal.workspace.id, request.params.id), 'API token');
      const isOwn = row.userId === principal.user.id;
      if (!isOwn && !isAllowed(principal.membership.role, 'admin')) found(null, 'API token');
      revokeApiToken(accounts, principal, row.id, deviceOf(request));
      return { ok: true as const };
    },
  );
}
