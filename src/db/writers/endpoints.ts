import { eq } from 'drizzle-orm';
import type { EndpointId, MessageId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';
import { type EndpointMessageRow, type EndpointRow, endpoint, endpointMessage } from '../schema/endpoint.ts';
import { leaveBehind } from './leftovers.ts';

export function insertEndpoint(tx: Tx, row: EndpointRow): void {
  tx.query.insert(endpoint).values(row).run();
}

export function updateEndpoint(tx: Tx, id: EndpointId, set: Partial<EndpointRow>): void {
  tx.query.update(endpoint).set(set).where(eq(endpoint.id, id)).run();
}

/** With its messages, sent and waiting: of many the most in portions afterwards. */
export function deleteEndpoint(tx: Tx, id: EndpointId, nowMs: number): void {
  tx.query.delete(endpoint).where(eq(endpoint.id, id)).run();
  leaveBehind(tx, { pairs: [], stores: [], workspaceId: null, endpoints: [id] }, nowMs);
}

export function insertMessage(tx: Tx, row: EndpointMessageRow): void {
  tx.query.insert(endpointMessage).values(row).run();
}

export function updateMessage(tx: Tx, id: MessageId, set: Partial<EndpointMessageRow>): void {
  tx.query.update(endpointMessage).set(set).where(eq(endpointMessage.id, id)).run();
}

const deleteOld = rawStatement<[before: number, max: number]>(
  `DELETE FROM endpoint_message WHERE id IN (
     SELECT id FROM endpoint_message WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
);

/** Forgets old messages, also those that wait for an endpoint that is switched off, at most `max` in one go. Returns how many. */
export function pruneMessages(tx: Tx, beforeMs: number, max: number): number {
  return deleteOld(tx).run(beforeMs, max).changes;
}
