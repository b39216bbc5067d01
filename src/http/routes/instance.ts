import type { Static } from 'typebox';
import { recordAct } from '../../accounts/audit.ts';
import { maskEmail } from '../../accounts/email.ts';
import { changeInstanceRole } from '../../accounts/instance-users.ts';
import {
  AuditReply,
  InstanceAuditQuery,
  InstanceRoleBody,
  InstanceUserReply,
  InstanceUsersReply,
  OutboxMailReply,
  type OutboxMailView,
  OutboxQuery,
  OutboxReply,
} from '../../contracts/account.ts';
import { IdParams } from '../../contracts/shared.ts';
import { listAuditEntries } from '../../db/readers/accounts.ts';
import { findOutboxMail, listOutboxMails } from '../../db/readers/outbox.ts';
import { listUsers } from '../../db/readers/users.ts';
import type { OutboxMailRow } from '../../db/schema/account.ts';
import { isoTime } from '../../lib/time.ts';
import { openEnvelope, sendTestMail } from '../../notify/outbox.ts';
import { found } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { deviceOf } from '../device.ts';
import { person } from '../plugins/authentication.ts';
import { STRICT_LIMITS } from '../plugins/rate-limits.ts';
import { presentAuditEntry, presentInstanceUser } from '../present/account.ts';
import { isoTimeOrNull } from '../present/store.ts';
import type { Server } from '../types.ts';

/** For the administrators of the instance. */
export function instanceRoutes(server: Server, deps: HttpDeps): void {
  const { accounts, db, outbox } = deps;

  server.get('/api/instance/users', { schema: { response: { 200: InstanceUsersReply } } }, async () => ({
    users: listUsers(db).map((user) => presentInstanceUser(accounts, user)),
  }));

  server.patch(
    '/api/instance/users/:id',
    { schema: { params: IdParams, body: InstanceRoleBody, response: { 200: InstanceUserReply } } },
    async (request) => {
      const { id } = request.params;
      const user = changeInstanceRole(accounts, person(request), id, request.body.role, deviceOf(request));
      return { user: presentInstanceUser(accounts, user) };
    },
  );

  server.get(
    '/api/instance/audit',
    { schema: { querystring: InstanceAuditQuery, response: { 200: AuditReply } } },
    async (request) => {
      const page = listAuditEntries(db, null, request.query);
      return { entries: page.rows.map((row) => presentAuditEntry(accounts, row)), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/instance/outbox',
    { schema: { querystring: OutboxQuery, response: { 200: OutboxReply } } },
    async (request) => {
      const page = listOutboxMails(db, request.query);
      const mails = page.rows.map((row) => presentMail(deps, row));
      return { mails, nextCursor: page.nextCursor, isMailSent: outbox.send !== null };
    },
  );

  server.get(
    '/api/instance/outbox/:id',
    { schema: { params: IdParams, response: { 200: OutboxMailReply } } },
    async (request) => {
      const row = found(findOutboxMail(db, request.params.id), 'email');
      const { to, text } = openEnvelope(outbox, row);
      // Who has read a link can sign in as somebody else by it, and only this tells of it.
      recordAct(accounts, person(request).user, deviceOf(request), {
        action: 'instance.email_read',
        target: row.id,
        change: { email: maskEmail(to), kind: row.kind },
      });
      return { mail: presentMail(deps, row), text };
    },
  );

  server.post(
    '/api/instance/outbox/test',
    { schema: { response: { 202: OutboxMailReply } }, config: STRICT_LIMITS.mail },
    async (request, reply) => {
      const id = sendTestMail(outbox, person(request).profile.email);
      const row = found(findOutboxMail(db, id), 'email');
      return reply.code(202).send({ mail: presentMail(deps, row), text: openEnvelope(outbox, row).text });
    },
  );
}

function presentMail({ outbox }: HttpDeps, row: OutboxMailRow): Static<typeof OutboxMailView> {
  const { to, subject } = openEnvelope(outbox, row);
  const { kind, state, attempts, lastError } = row;
  return {
    _id: row.id,
    ...{ kind, to, subject, state, attempts, lastError },
    createdAt: isoTime(row.createdAt),
    sentAt: isoTimeOrNull(row.sentAt),
  };
}
