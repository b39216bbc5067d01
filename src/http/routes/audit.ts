import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { AuditQuery, AuditReply } from '../../contracts/account.ts';
import { listAuditEntries } from '../../db/readers/accounts.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { HttpDeps } from '../deps.ts';
import { person } from '../plugins/authentication.ts';
import { presentAuditEntry } from '../present/account.ts';
import type { Server } from '../types.ts';

const EXPORT_PAGE = 200;

export function auditRoutes(server: Server, deps: HttpDeps): void {
  const { accounts, db } = deps;

  server.get(
    '/api/workspace/audit',
    { schema: { querystring: AuditQuery, response: { 200: AuditReply } } },
    async (request) => {
      const page = listAuditEntries(db, person(request).workspace.id, request.query);
      return { entries: page.rows.map((row) => presentAuditEntry(accounts, row)), nextCursor: page.nextCursor };
    },
  );

  /** One JSON object a line, newest first, read page by page however long it is. */
  server.get(
    '/api/workspace/audit/export',
    { schema: { response: { 200: { content: { 'application/x-ndjson': { schema: Type.String() } } } } } },
    async (request, reply): Promise<never> => {
      const { id } = person(request).workspace;
      reply.header('content-disposition', 'attachment; filename="audit.ndjson"');
      // The contract is of each line; Fastify passes a stream through as it is.
      return reply.type('application/x-ndjson').send(exportLines(deps, id) as never) as never;
    },
  );
}

async function* exportPages({ db, accounts }: HttpDeps, workspaceId: WorkspaceId): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = listAuditEntries(db, workspaceId, { cursor, limit: EXPORT_PAGE });
    if (page.rows.length > 0) {
      yield `${page.rows.map((row) => JSON.stringify(presentAuditEntry(accounts, row))).join('\n')}\n`;
    }
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function exportLines(deps: HttpDeps, workspaceId: WorkspaceId): Readable {
  return Readable.from(exportPages(deps, workspaceId));
}
