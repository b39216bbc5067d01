import { deleteWorkspace } from '../../accounts/delete-workspace.ts';
import type { SessionPrincipal } from '../../accounts/open-session.ts';
import { createWorkspace, leaveWorkspace, renameWorkspace, switchWorkspace } from '../../accounts/workspaces.ts';
import { SwitchReply, WorkspaceBody, WorkspaceReply, WorkspacesReply } from '../../contracts/account.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import { listWorkspacesOf } from '../../db/readers/workspaces.ts';
import { present } from '../../lib/assert.ts';
import { isoTime } from '../../lib/time.ts';
import type { AccessTokens } from '../access-token.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { givenName } from '../given-name.ts';
import { person } from '../plugins/authentication.ts';
import { presentUser } from '../present/user.ts';
import type { Server } from '../types.ts';

export function workspaceRoutes(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  const { accounts, db } = deps;

  function listOf(principal: SessionPrincipal) {
    return listWorkspacesOf(db, principal.user.id).map(({ workspace, membership }) => ({
      _id: workspace.id,
      name: workspace.name,
      role: membership.role,
      isCurrent: workspace.id === principal.workspace.id,
    }));
  }

  server.get('/api/workspaces', { schema: { response: { 200: WorkspacesReply } } }, async (request) => ({
    workspaces: listOf(person(request)),
  }));

  server.post(
    '/api/workspaces',
    { schema: { body: WorkspaceBody, response: { 201: WorkspaceReply } } },
    async (request, reply) => {
      const principal = person(request);
      const id = createWorkspace(accounts, principal, givenName(request.body.name), deviceOf(request));
      const workspace = present(
        listOf(principal).find((one) => one._id === id),
        'a workspace that was made is there',
      );
      return reply.code(201).send({ workspace });
    },
  );

  server.post(
    '/api/workspaces/:id/switch',
    { schema: { params: IdParams, response: { 200: SwitchReply } } },
    async (request) => switched(switchWorkspace(accounts, person(request), request.params.id), tokens),
  );

  server.patch(
    '/api/workspace',
    { schema: { body: WorkspaceBody, response: { 200: WorkspaceReply } } },
    async (request) => {
      const principal = person(request);
      const name = givenName(request.body.name);
      renameWorkspace(accounts, principal, name, deviceOf(request));
      const { id } = principal.workspace;
      return { workspace: { _id: id, name, role: principal.membership.role, isCurrent: true } };
    },
  );

  server.delete('/api/workspace', { schema: { body: WorkspaceBody, response: { 200: Ok } } }, async (request) => {
    await deleteWorkspace(accounts, person(request), request.body.name, deviceOf(request));
    return { ok: true as const };
  });

  server.post('/api/workspace/leave', { schema: { response: { 200: Ok } } }, async (request) => {
    leaveWorkspace(accounts, person(request), deviceOf(request));
    return { ok: true as const };
  });
}

/** What a client needs after its session went on in another workspace. */
export function switched(principal: SessionPrincipal, tokens: AccessTokens) {
  const { accessToken, expiresAt } = tokens.sign(principal);
  return { user: presentUser(principal), accessToken, expiresAt: isoTime(expiresAt) };
}
