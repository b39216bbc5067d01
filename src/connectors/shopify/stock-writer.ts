import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { ConnectorError } from '../../model/connector-error.ts';
import type { StockWrite, StockWriteOutcome } from '../../ports/connector.ts';
import type { CallOptions, ShopifyClient } from './client.ts';
import { assertQuantity } from './export-mapper.ts';
import { isGid } from './gid.ts';
import { OPERATIONS } from './operations.gen.ts';
import { notAnItemId, STOCK_BATCH_MAX, type UntrackedItems } from './stock-reader.ts';
import type { StoreContext } from './store-context.ts';
import { rowIndex, userErrorToConnectorError } from './user-errors.ts';
import { StockActivateAnswer, StockSetAnswer, type UserError } from './wire.ts';

export interface StockWriterOptions {
  readonly client: ShopifyClient;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  readonly untracked: UntrackedItems;
}

/**
 * Absolute quantities by compare-and-set, in one call of at most 250. `inventorySetQuantities` is all or nothing: a call that refuses some rows
 * changed none, so the others are `withheld` [C25], and what is sent again is a call of its own with intents of its own. `@idempotent` allows one
 * key for a call: it is derived from the intents' keys and numbers, so the same intents make the same call again, row by row, and Shopify answers
 * what it answered then, or "stale" where an item no longer holds what was expected.
 */
export async function writeStock(
  options: StockWriterOptions,
  writes: readonly StockWrite[],
  signal?: AbortSignal,
  cut = signal,
): Promise<StockWriteOutcome[]> {
  assert(writes.length <= STOCK_BATCH_MAX, 'a call takes at most 250 rows');
  assert(new Set(writes.map((write) => write.stockId)).size === writes.length, 'an item stands once in a call');
  const refused = writes.map((write) => preCheck(write, options.untracked));
  if (writes.length === 0) return [];
  if (refused.some((outcome) => outcome !== null)) return refused.map((outcome) => outcome ?? withheld(null));
  const outcomes = await sendCall(options, writes.toSorted(byItem), signal, cut);
  return writes.map(
    ({ stockId }) =>
      outcomes.get(stockId) ?? { outcome: 'failed', error: new ConnectorError('unknown_outcome', 'no outcome') },
  );
}

function withheld(cause: ConnectorError | null): StockWriteOutcome {
  return { outcome: 'withheld', cause };
}

/** What Shopify would refuse for a whole call (GraphQL checks inputs before rows), or would take although it must not. */
function preCheck(write: StockWrite, untracked: UntrackedItems): StockWriteOutcome | null {
  if (!isGid(write.stockId, 'InventoryItem')) return { outcome: 'failed', error: notAnItemId(write.stockId) };
  if (untracked.has(write.stockId)) return { outcome: 'failed', error: notCounted() };
  try {
    assertQuantity(write.to);
    assertQuantity(write.expected);
  } catch (error) {
    return { outcome: 'failed', error: error as ConnectorError };
  }
  return null;
}

function notCounted(): ConnectorError {
  return new ConnectorError('rejected', 'Shopify does not count the stock of this item at the linked location', {
    field: 'stock',
  });
}

/** One order for the same items, however they were asked for: Shopify replays a call under its key only when its parameters are the same to the letter. */
function byItem(a: StockWrite, b: StockWrite): number {
  return a.stockId < b.stockId ? -1 : a.stockId > b.stockId ? 1 : 0;
}

/** What is wrong with the location or the call as such is wrong for every row. */
const CALL_CODES = new Set(['INVALID_LOCATION', 'INVALID_NAME', 'INVALID_REASON', 'INVALID_REFERENCE_DOCUMENT']);

type Outcomes = ReadonlyMap<string, StockWriteOutcome>;

async function sendCall(
  options: StockWriterOptions,
  rows: readonly StockWrite[],
  signal: AbortSignal | undefined,
  cut: AbortSignal | undefined,
): Promise<Outcomes> {
  try {
    const { locationId } = await options.context(signal);
    const { inventoryAdjustmentGroup, userErrors } = await setQuantities(options, rows, locationId, { signal, cut });
    const changes = inventoryAdjustmentGroup?.changes ?? [];
    for (const change of changes) if (change.item) options.untracked.note(change.item.id, change.item.tracked);
    if (userErrors.length === 0) return all(rows, { outcome: 'applied' });
    const refusals = new Map<number, UserError>();
    for (const error of userErrors) {
      const row = rowIndex(error.field, 'quantities');
      if (row !== null && row < rows.length && !refusals.has(row)) refusals.set(row, error);
    }
    const [first] = userErrors;
    if (first !== undefined && refusals.size === 0) return callRefused(rows, first);
    // All or nothing, unless the answer itself shows that a row went through.
    const changed = new Set(changes.map((change) => change.item?.id));
    const outcomes = new Map<string, StockWriteOutcome>();
    for (const [index, row] of rows.entries()) {
      const refusal = refusals.get(index);
      if (refusal !== undefined) outcomes.set(row.stockId, await rowRefused(options, row, refusal, locationId, cut));
      else outcomes.set(row.stockId, changed.has(row.stockId) ? { outcome: 'applied' } : withheld(null));
    }
    return outcomes;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    return callFailed(rows, error);
  }
}

function all(rows: readonly StockWrite[], outcome: StockWriteOutcome): Outcomes {
  return new Map(rows.map((row) => [row.stockId, outcome]));
}

async function setQuantities(
  options: StockWriterOptions,
  rows: readonly StockWrite[],
  locationId: string,
  until: Pick<CallOptions, 'signal' | 'cut'>,
) {
  const key = callKey(rows, locationId);
  const input = {
    name: 'available',
    reason: 'correction',
    referenceDocumentUri: `twinshelf://stock/${key}`,
    quantities: rows.map((row) => ({
      inventoryItemId: row.stockId,
      locationId,
      quantity: row.to,
      changeFromQuantity: row.expected,
    })),
  };
  const answer = await options.client.call(OPERATIONS.stockSet, { input, key }, StockSetAnswer, {
    ...until,
    priority: 'stock',
  });
  return answer.inventorySetQuantities;
}

function callRefused(rows: readonly StockWrite[], error: UserError): Outcomes {
  // Nothing happened under this key, now or before, and nothing will: Shopify asks for a new one.
  if (error.code === 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED') return all(rows, { outcome: 'already_failed' });
  if (rows.length === 1 && isStale(error)) return all(rows, { outcome: 'stale' });
  return callFailed(rows, userErrorToConnectorError(error));
}

/** A refusal of the whole call names nobody: in smaller company the culprit is found, and the others get through. */
function callFailed(rows: readonly StockWrite[], error: ConnectorError): Outcomes {
  const isAboutSomeRow =
    (error.kind === 'rejected' || error.kind === 'not_found') && !CALL_CODES.has(error.details.platformCode ?? '');
  return all(rows, isAboutSomeRow && rows.length > 1 ? withheld(error) : { outcome: 'failed', error });
}

/** What is not stocked at the location is put there and waits for the next call; the rest is told. */
async function rowRefused(
  options: StockWriterOptions,
  row: StockWrite,
  refusal: UserError,
  locationId: string,
  signal: AbortSignal | undefined,
): Promise<StockWriteOutcome> {
  if (isStale(refusal)) return { outcome: 'stale' };
  const error = userErrorToConnectorError(refusal);
  if (!isNotStocked(refusal)) return { outcome: 'failed', error };
  const failure = await activate(options, row, locationId, signal);
  return failure === null ? withheld(error) : { outcome: 'failed', error: notSet(failure) };
}

/** Whether the item was put there may be unknown; its stock was certainly not set. */
function notSet(failure: ConnectorError): ConnectorError {
  return failure.kind === 'unknown_outcome' || failure.kind === 'malformed'
    ? new ConnectorError('unavailable', failure.message, failure.details)
    : failure;
}

function isStale(error: UserError): boolean {
  return error.code === 'CHANGE_FROM_QUANTITY_STALE' || error.code === 'COMPARE_QUANTITY_STALE';
}

/** Shopify has no code for it among those of `inventorySetQuantities`; the words are what there is. */
function isNotStocked(error: UserError): boolean {
  return (
    error.code === 'ITEM_NOT_STOCKED_AT_LOCATION' ||
    /not (currently )?(stocked|active|activated|connected)/i.test(error.message)
  );
}

/** Puts the item into the mapped location. It then holds what it held there before, or 0: the compare-and-set that follows tells. */
async function activate(
  options: StockWriterOptions,
  write: StockWrite,
  locationId: string,
  signal: AbortSignal | undefined,
): Promise<ConnectorError | null> {
  const variables = {
    inventoryItemId: write.stockId,
    locationId,
    key: uuid(`activate\n${write.key}\n${write.stockId}\n${locationId}`),
  };
  try {
    const answer = await options.client.call(OPERATIONS.stockActivate, variables, StockActivateAnswer, {
      signal,
      priority: 'stock',
    });
    const [first] = answer.inventoryActivate.userErrors;
    return first === undefined || /already (active|stocked|activated)/i.test(first.message)
      ? null
      : userErrorToConnectorError(first);
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}

/** The same intents give the same key, in whatever order they come. */
export function callKey(writes: readonly StockWrite[], locationId: string): string {
  const rows = writes.map((write) => JSON.stringify([write.key, write.stockId, write.expected, write.to])).sort();
  return uuid([locationId, ...rows].join('\n'));
}

/** Shopify asks for keys that look like UUIDs; these are made from their input. */
function uuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
