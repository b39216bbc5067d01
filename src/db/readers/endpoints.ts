import { and, desc, eq } from 'drizzle-orm';
import type { MessageStatus } from '../../model/endpoint.ts';
import type { EndpointId, MessageId, WorkspaceId } from '../../model/ids.ts';
import { type Db, statement } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type EndpointMessageRow, type EndpointRow, endpoint, endpointMessage } from '../schema/endpoint.ts';
import { beforePlace, limitOf, type Page, type PageRequest, placeOf, toPage } from './page.ts';

export function findEndpoint(db: Db, id: EndpointId): EndpointRow | null {
  return db.query.select().from(endpoint).where(eq(endpoint.id, id)).get() ?? null;
}

/** Null also for one of another workspace. */
export function findWorkspaceEndpoint(db: Db, workspaceId: WorkspaceId, id: string): EndpointRow | null {
  const row = findEndpoint(db, id as EndpointId);
  return row?.workspaceId === workspaceId ? row : null;
}

export function listEndpoints(db: Db, workspaceId: WorkspaceId): readonly EndpointRow[] {
  return db.query
    .select()
    .from(endpoint)
    .where(eq(endpoint.workspaceId, workspaceId))
    .orderBy(endpoint.createdAt, endpoint.id)
    .all();
}

const enabledForEvents = statement((query) =>
  query
    .select()
    .from(endpoint)
    .where(and(eq(endpoint.status, 'enabled'), eq(endpoint.kind, 'events')))
    .prepare(),
);

/** Those that want to be told of events. */
export function listEnabledEndpoints(db: Db): readonly EndpointRow[] {
  return enabledForEvents(db).all();
}

export function findMessage(db: Db, id: MessageId): EndpointMessageRow | null {
  return db.query.select().from(endpointMessage).where(eq(endpointMessage.id, id)).get() ?? null;
}

export interface MessageFilter extends PageRequest {
  readonly status?: MessageStatus | undefined;
}

/** The delivery log of one endpoint, newest first. */
export function listMessages(db: Db, endpointId: EndpointId, filter: MessageFilter): Page<EndpointMessageRow> {
  const limit = limitOf(filter);
  const rows = db.query
    .select()
    .from(endpointMessage)
    .where(
      and(
        eq(endpointMessage.endpointId, endpointId),
        filter.status === undefined ? undefined : eq(endpointMessage.status, filter.status),
        beforePlace(endpointMessage.createdAt, endpointMessage.id, placeOf(filter, 2)),
      ),
    )
    .orderBy(desc(endpointMessage.createdAt), desc(endpointMessage.id))
    .limit(limit + 1)
    .all();
  return toPage(rows, limit, (row) => [row.createdAt, row.id]);
}

/** A message's place among those of its endpoint, the oldest first. */
export interface MessagePlace {
  readonly createdAt: number;
  readonly id: MessageId;
}

const waitingAfter = rawStatement<[endpoint: string, createdAt: number, id: string, max: number], MessagePlace>(
  `SELECT created_at AS createdAt, id FROM endpoint_message
   WHERE endpoint_id = ? AND status = 'waiting' AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,
);

/** Messages of an endpoint that were not sent yet, in order after a place (null: from the first), at most `max`. */
export function listWaitingMessages(
  db: Db,
  endpointId: EndpointId,
  after: MessagePlace | null,
  max: number,
): readonly MessagePlace[] {
  return waitingAfter(db).all(endpointId, after?.createdAt ?? 0, after?.id ?? '', max);
}
