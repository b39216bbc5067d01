import { transact } from '../../db/database.ts';
import { listEnabledEndpoints } from '../../db/readers/endpoints.ts';
import { latestEventSeq, listEventsAfter } from '../../db/readers/events.ts';
import type { EndpointRow } from '../../db/schema/endpoint.ts';
import { updateEndpoint } from '../../db/writers/endpoints.ts';
import type { NotifyContext } from './context.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { publicEvent } from './public-event.ts';

/** Events looked at in one transaction. */
const PAGE = 200;

/**
 * Turns what the journal noted since each endpoint was last looked at into messages. Messages and the place in the journal are one
 * transaction: after a crash nothing is told twice and nothing is left out. Returns the journal's number up to which all are served.
 */
export function collectMessages(ctx: NotifyContext): number {
  const latest = latestEventSeq(ctx.db);
  for (const endpoint of listEnabledEndpoints(ctx.db)) {
    let seen = endpoint.seenSeq;
    while (seen < latest) seen = collectPage(ctx, endpoint, seen, latest);
  }
  return latest;
}

function collectPage(ctx: NotifyContext, endpoint: EndpointRow, after: number, latest: number): number {
  return transact(ctx.db, (tx) => {
    const events = listEventsAfter(tx, endpoint.workspaceId, after, PAGE);
    for (const event of events) {
      const told = publicEvent(event);
      if (told === null || (endpoint.events.length > 0 && !endpoint.events.includes(told.type))) continue;
      enqueueMessage(ctx, tx, endpoint, { type: told.type, at: event.at, data: told.data });
    }
    const seen = events.length === PAGE ? (events.at(-1)?.seq ?? latest) : latest;
    updateEndpoint(tx, endpoint.id, { seenSeq: Math.max(seen, after) });
    return Math.max(seen, after + 1);
  });
}
