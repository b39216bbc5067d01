import { acceptInvitation, invite, revokeInvitation, viewInvitation } from '../../accounts/invitations.ts';
import { changeMemberRole, removeMember } from '../../accounts/workspaces.ts';
import {
  InvitationPreviewReply,
  InvitationReply,
  InvitationsReply,
  InviteBody,
  MemberRoleBody,
  MembersReply,
  SwitchReply,
} from '../../contracts/account.ts';
import { MailedTokenBody } from '../../contracts/auth.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import { listInvitations } from '../../db/readers/accounts.ts';
import { listMembers } from '../../db/readers/workspaces.ts';
import { isoTime } from '../../lib/time.ts';
import type { AccessTokens } from '../access-token.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentInvitation, presentMember } from '../present/account.ts';
import type { Server } from '../types.ts';
import { switched } from './workspaces.ts';

export function memberRoutes(server: Server, deps: HttpDeps, tokens: AccessTokens): void {
  const { accounts, db } = deps;

  server.get('/api/workspace/members', { schema: { response: { 200: MembersReply } } }, async (request) => {
    const principal = person(request);
    const members = listMembers(db, principal.workspace.id);
    return { members: members.map((member) => presentMember(accounts, principal, member)) };
  });

  server.patch(
    '/api/workspace/members/:id',
    { schema: { params: IdParams, body: MemberRoleBody, response: { 200: Ok } } },
    async (request) => {
      changeMemberRole(accounts, person(request), request.params.id, request.body.role, deviceOf(request));
      return { ok: true as const };
    },
  );

  server.delete(
    '/api/workspace/members/:id',
    { schema: { params: IdParams, response: { 200: Ok } } },
    async (request) => {
      removeMember(accounts, person(request), request.params.id, deviceOf(request));
      return { ok: true as const };
    },
  );

  server.get('/api/workspace/invitations', { schema: { response: { 200: InvitationsReply } } }, async (request) => ({
    invitations: listInvitations(db, person(request).workspace.id).map((row) => presentInvitation(accounts, row)),
  }));

  server.post(
    '/api/workspace/invitations',
    { schema: { body: InviteBody, response: { 201: InvitationReply } }, config: STRICT_LIMITS.mail },
    async (request, reply) => {
      const row = invite(accounts, person(request), request.body, deviceOf(request));
      return reply.code(201).send({ invitation: presentInvitation(accounts, row) });
    },
  );

  server.delete(
    '/api/workspace/invitations/:id',
    { schema: { params: IdParams, response: { 200: Ok } } },
    async (request) => {
      revokeInvitation(accounts, person(request), request.params.id, deviceOf(request));
      return { ok: true as const };
    },
  );

  server.post(
    '/api/invitations/preview',
    { schema: { body: MailedTokenBody, response: { 200: InvitationPreviewReply } }, config: STRICT_LIMITS.signIn },
    async (request) => {
      const view = viewInvitation(accounts, request.body.token);
      return { ...view, expiresAt: isoTime(view.expiresAt) };
    },
  );

  server.post(
    '/api/invitations/accept',
    { schema: { body: MailedTokenBody, response: { 200: SwitchReply } } },
    async (request) =>
      switched(acceptInvitation(accounts, person(request), request.body.token, deviceOf(request)), tokens),
  );
}
