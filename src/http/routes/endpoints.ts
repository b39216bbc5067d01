import {
  ChangeEndpointBody,
  CreateEndpointBody,
  EndpointMessagesQuery,
  EndpointMessagesReply,
  EndpointReply,
  EndpointSecretReply,
  EndpointsReply,
  EndpointTestReply,
  MessageParams,
} from '../../contracts/endpoints.ts';
import { IdParams, Ok } from '../../contracts/shared.ts';
import { findWorkspaceEndpoint, listEndpoints, listMessages } from '../../db/readers/endpoints.ts';
import type { EndpointRow } from '../../db/schema/endpoint.ts';
import { ENDPOINT_EVENTS } from '../../model/endpoint.ts';
import type { MessageId, WorkspaceId } from '../../model/ids.ts';
import {
  changeEndpoint,
  createEndpoint,
  removeEndpoint,
  replayMessage,
  rotateEndpointSecret,
  shownUrl,
  testEndpoint,
} from '../../notify/webhooks/manage-endpoints.ts';
import { found } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentEndpoint, presentMessage } from '../present/endpoint.ts';
import type { Server } from '../types.ts';

export function endpointRoutes(server: Server, deps: HttpDeps): void {
  const { db, notify } = deps;
  const getRow = (workspaceId: WorkspaceId, id: string): EndpointRow =>
    found(findWorkspaceEndpoint(db, workspaceId, id), 'webhook endpoint');

  const present = (row: EndpointRow) => presentEndpoint(row, shownUrl(notify, row));

  server.get('/api/webhook-endpoints', { schema: { response: { 200: EndpointsReply } } }, async (request) => ({
    endpoints: listEndpoints(db, caller(request).workspace.id).map(present),
    events: [...ENDPOINT_EVENTS],
  }));

  server.post(
    '/api/webhook-endpoints',
    { schema: { body: CreateEndpointBody, response: { 201: EndpointSecretReply } } },
    async (request, reply) => {
      const { kind = 'events', url, description = '', events } = request.body;
      const form = { kind, url: url.trim(), description, events: events ?? [] };
      const made = createEndpoint(notify, caller(request).workspace.id, form);
      return reply.code(201).send({ endpoint: present(made.endpoint), secret: made.secret });
    },
  );

  server.patch(
    '/api/webhook-endpoints/:id',
    { schema: { params: IdParams, body: ChangeEndpointBody, response: { 200: EndpointReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      const row = getRow(workspaceId, request.params.id);
      const { url, description, events, enabled } = request.body;
      changeEndpoint(notify, row, {
        ...(url === undefined ? {} : { url: url.trim() }),
        ...(description === undefined ? {} : { description }),
        ...(events === undefined ? {} : { events: events ?? [] }),
        ...(enabled === undefined ? {} : { enabled }),
      });
      return { endpoint: present(getRow(workspaceId, row.id)) };
    },
  );

  server.delete(
    '/api/webhook-endpoints/:id',
    { schema: { params: IdParams, response: { 200: Ok } } },
    async (request) => {
      removeEndpoint(notify, getRow(caller(request).workspace.id, request.params.id).id);
      return { ok: true as const };
    },
  );

  server.post(
    '/api/webhook-endpoints/:id/rotate-secret',
    { schema: { params: IdParams, response: { 200: EndpointSecretReply } } },
    async (request) => {
      const row = getRow(caller(request).workspace.id, request.params.id);
      return { secret: rotateEndpointSecret(notify, row), endpoint: present(row) };
    },
  );

  server.post(
    '/api/webhook-endpoints/:id/test',
    { schema: { params: IdParams, response: { 202: EndpointTestReply } }, config: STRICT_LIMITS.message },
    async (request, reply) => {
      const row = getRow(caller(request).workspace.id, request.params.id);
      return reply.code(202).send({ messageId: testEndpoint(notify, row) });
    },
  );

  server.get(
    '/api/webhook-endpoints/:id/messages',
    { schema: { params: IdParams, querystring: EndpointMessagesQuery, response: { 200: EndpointMessagesReply } } },
    async (request) => {
      const row = getRow(caller(request).workspace.id, request.params.id);
      const page = listMessages(db, row.id, request.query);
      return { messages: page.rows.map(presentMessage), nextCursor: page.nextCursor };
    },
  );

  server.post(
    '/api/webhook-endpoints/:id/messages/:messageId/replay',
    { schema: { params: MessageParams, response: { 202: Ok } }, config: STRICT_LIMITS.message },
    async (request, reply) => {
      const row = getRow(caller(request).workspace.id, request.params.id);
      replayMessage(notify, row, request.params.messageId as MessageId);
      return reply.code(202).send({ ok: true as const });
    },
  );
}
