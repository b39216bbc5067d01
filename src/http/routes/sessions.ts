import { describeSessions, endOtherSessions, endSession } from '../../accounts/end-sessions.ts';
import { EndedReply, SessionsReply } from '../../contracts/account.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { person } from '../plugins/authentication.ts';
import { presentSessionRow } from '../present/account.ts';
import type { Server } from '../types.ts';

export function sessionRoutes(server: Server, { accounts }: HttpDeps): void {
  server.get('/api/auth/sessions', { schema: { response: { 200: SessionsReply } } }, async (request) => ({
    sessions: describeSessions(accounts, person(request)).map(presentSessionRow),
  }));

  server.delete('/api/auth/sessions/:id', { schema: { params: IdParams, response: { 200: Ok } } }, async (request) => {
    endSession(accounts, person(request), request.params.id, deviceOf(request));
    return { ok: true as const };
  });

  server.post('/api/auth/sessions/end-others', { schema: { response: { 200: EndedReply } } }, async (request) => ({
    count: endOtherSessions(accounts, person(request), deviceOf(request)),
  }));
}
