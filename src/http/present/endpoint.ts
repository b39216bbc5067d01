import type { Endpoint, EndpointMessage } from '../../contracts/endpoints.ts';
import type { EndpointMessageRow, EndpointRow } from '../../db/schema/endpoint.ts';
import { isoTime } from '../../lib/time.ts';
import { isoTimeOrNull } from './store.ts';

export function presentEndpoint(row: EndpointRow, url: string): Endpoint {
  return {
    _id: row.id,
    kind: row.kind,
    url,
    description: row.description,
    events: row.events.length === 0 ? null : [...row.events],
    status: row.status,
    statusReason: row.statusReason,
    failingSince: isoTimeOrNull(row.failingSince),
    createdAt: isoTime(row.createdAt),
  };
}

export function presentMessage(row: EndpointMessageRow): EndpointMessage {
  return {
    _id: row.id,
    type: row.type,
    body: row.body,
    status: row.status,
    attempts: row.attempts,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    lastMs: row.lastMs,
    nextAt: isoTimeOrNull(row.nextAt),
    createdAt: isoTime(row.createdAt),
    endedAt: isoTimeOrNull(row.endedAt),
  };
}
