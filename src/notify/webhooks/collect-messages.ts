import { transact } from '../../db/database.ts';
import { listEnabledEndpoints } from '../../db/readers/endpoints.ts';
import { latestEventSeq, listEventsAfter } from '../../db/readers/events.ts';
import { isOfSandbox } from '../../db/readers/sandbox.ts';
import type { EndpointRow } from '../../db/schema/endpoint.ts';
import { updateEndpoint } from '../../db/writers/endpoints.ts';
import type { EndpointId } from '../../model/ids.ts';
import type { NotifyContext } from '../context.ts';
import { enqueueMessage } from './enqueue-message.ts';
import { publicEvent } from './public-event.ts';

/** Events looked at in one transaction. */
const PAGE = 200;

/** Up to where the journal was looked at for each endpoint: more than the database knows, where nothing was to be told. */
export type Seen = Map<EndpointId, number>;

/**
 * Turns what the journal noted since each endpoint was last looked at into messages. Messages and the place in the journal are one
 * transaction: after a crash nothing is told twice and nothing is left out. Where nothing is to be told nothing is written; `known` remembers, and
 * `keepSeen` writes it down now and then.
 */
export function collectMessages(ctx: NotifyContext, known: Seen = new Map()): void {
  const endpoints = listEnabledEndpoints(ctx.db);
  if (endpoints.length === 0) return;
  const latest = latestEventSeq(ctx.db);
  for (const endpoint of endpoints) {
    let seen = Math.max(endpoint.seenSeq, known.get(endpoint.id) ?? 0);
    while (seen < latest) seen = collectPage(ctx, endpoint, seen, latest);
    known.set(endpoint.id, seen);
  }
}

/**
 * Brings the database up to `known`. Without it a later version, which may tell of more, would look again at what this one had nothing to tell
 * about, however long ago.
 */
export function keepSeen(ctx: NotifyContext, known: Seen): void {
  const behind = listEnabledEndpoints(ctx.db).filter(({ id, seenSeq }) => (known.get(id) ?? 0) > seenSeq);
  if (behind.length === 0) return;
  transact(ctx.db, (tx) => {
    for (const { id } of behind) updateEndpoint(tx, id, { seenSeq: known.get(id) ?? 0 });
  });
}

function collectPage(ctx: NotifyContext, endpoint: EndpointRow, after: number, latest: number): number {
  const events = listEventsAfter(ctx.db, endpoint.workspaceId, after, PAGE);
  const through = events.length === PAGE ? (events.at(-1)?.seq ?? latest) : latest;
  const told = events.flatMap((event) => {
    const found = publicEvent(event);
    const isWanted = found !== null && (endpoint.events.length === 0 || endpoint.events.includes(found.type));
    return isWanted && !isOfSandbox(ctx.db, event) ? [{ type: found.type, at: event.at, data: found.data }] : [];
  });
  if (told.length > 0)
    transact(ctx.db, (tx) => {
      for (const message of told) enqueueMessage(ctx, tx, endpoint, message);
      updateEndpoint(tx, endpoint.id, { seenSeq: through });
    });
  return through;
}
