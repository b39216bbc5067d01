import { createHash } from 'node:crypto';
import { ConnectorError } from '../../model/connector-error.ts';
import type { StockWrite, StockWriteOutcome } from '../../ports/connector.ts';
import type { ShopifyClient } from './client.ts';
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

/** A write on its way; `activated`: the item was put into the location on behalf of this very write. */
interface Pending {
  readonly write: StockWrite;
  readonly index: number;
  readonly activated: boolean;
}

/**
 * Absolute quantities by compare-and-set, 250 in a call. `inventorySetQuantities` is all or nothing: a call that refuses some rows changed none, so the
 * others are sent again in a call of their own [C7]. `@idempotent` allows one key for a call: it is derived from the intents' keys and numbers, so the
 * same intents make the same call again, row by row, and Shopify answers what it answered then; a different set never meets
 * IDEMPOTENCY_KEY_PARAMETER_MISMATCH. Under another key, `changeFromQuantity` answers "stale" to a
 * repeat, unless the item is back at what was expected: then it is set once more. So what a refused repeat leaves over is not safe from a second time.
 */
export async function writeStock(
  options: StockWriterOptions,
  writes: readonly StockWrite[],
  signal?: AbortSignal,
): Promise<StockWriteOutcome[]> {
  const outcomes: (StockWriteOutcome | undefined)[] = writes.map((write) => preCheck(write, options.untracked));
  const open: Pending[] = [];
  writes.forEach((write, index) => {
    if (outcomes[index] === undefined) open.push({ write, index, activated: false });
  });
  const settle = (pending: Pending, outcome: StockWriteOutcome) => {
    outcomes[pending.index] = outcome;
  };
  for (const round of rounds(open)) await sendAll(options, round, settle, signal);
  return outcomes.map(
    (outcome) => outcome ?? { outcome: 'failed', error: new ConnectorError('unknown_outcome', 'no outcome') },
  );
}

/** What Shopify would refuse for a whole call (GraphQL checks inputs before rows), or would take although it must not. */
function preCheck(write: StockWrite, untracked: UntrackedItems): StockWriteOutcome | undefined {
  if (!isGid(write.stockId, 'InventoryItem')) return { outcome: 'failed', error: notAnItemId(write.stockId) };
  if (untracked.has(write.stockId)) return { outcome: 'failed', error: notCounted() };
  try {
    assertQuantity(write.to);
    assertQuantity(write.expected);
  } catch (error) {
    return { outcome: 'failed', error: error as ConnectorError };
  }
  return undefined;
}

function notCounted(): ConnectorError {
  return new ConnectorError('rejected', 'Shopify does not count the stock of this item (tracking is off)', {
    field: 'stock',
  });
}

/** An item may stand once in a call; its further writes go after it, in order. */
function rounds(open: readonly Pending[]): Pending[][] {
  const byTurn: Pending[][] = [];
  const turns = new Map<string, number>();
  for (const pending of open) {
    const turn = turns.get(pending.write.stockId) ?? 0;
    turns.set(pending.write.stockId, turn + 1);
    const round = byTurn[turn] ?? [];
    round.push(pending);
    byTurn[turn] = round;
  }
  return byTurn.flatMap((round) => chunks(round.sort(byItem), STOCK_BATCH_MAX));
}

/** One order for the same items, however they were asked for: Shopify replays a call under its key only when its parameters are the same to the letter. */
function byItem(a: Pending, b: Pending): number {
  return a.write.stockId < b.write.stockId ? -1 : a.write.stockId > b.write.stockId ? 1 : 0;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

type Settle = (pending: Pending, outcome: StockWriteOutcome) => void;

/** Sends `group`, and what of it has to be sent again, until each has its outcome. Every turn settles or splits something, so it ends. */
async function sendAll(
  options: StockWriterOptions,
  group: readonly Pending[],
  settle: Settle,
  signal: AbortSignal | undefined,
): Promise<void> {
  const queue: Call[] = [{ group, freshKey: 0 }];
  for (let call = queue.shift(); call; call = queue.shift()) {
    if (call.group.length === 0) continue;
    try {
      queue.unshift(...(await sendOne(options, call, settle, signal)));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      // A refusal of the whole call names nobody: halves find the culprit, and the others get through.
      const half = Math.ceil(call.group.length / 2);
      if (isAboutSomeRow(error) && call.group.length > 1) {
        queue.unshift({ ...call, group: call.group.slice(0, half) }, { ...call, group: call.group.slice(half) });
        continue;
      }
      for (const pending of call.group) settle(pending, { outcome: 'failed', error });
    }
  }
}

/** What is wrong with the location or the call as such is wrong for every row. */
const CALL_CODES = new Set(['INVALID_LOCATION', 'INVALID_NAME', 'INVALID_REASON', 'INVALID_REFERENCE_DOCUMENT']);

function isAboutSomeRow(error: ConnectorError): boolean {
  return (error.kind === 'rejected' || error.kind === 'not_found') && !CALL_CODES.has(error.details.platformCode ?? '');
}

interface Call {
  readonly group: readonly Pending[];
  /** How often Shopify asked for a new key because an attempt with the old one had failed. */
  readonly freshKey: number;
}

const FRESH_KEYS_MAX = 2;

/** One call; returns what must be sent again. */
async function sendOne(
  options: StockWriterOptions,
  call: Call,
  settle: Settle,
  signal: AbortSignal | undefined,
): Promise<Call[]> {
  const { group } = call;
  const { locationId } = await options.context(signal);
  const key = callKey(group, locationId, call.freshKey);
  const quantities = group.map(({ write }) => ({
    inventoryItemId: write.stockId,
    locationId,
    quantity: write.to,
    changeFromQuantity: write.expected,
  }));
  const input = {
    name: 'available',
    reason: 'correction',
    referenceDocumentUri: `twinshelf://stock/${key}`,
    quantities,
  };
  const answer = await options.client.call(OPERATIONS.stockSet, { input, key }, StockSetAnswer, {
    signal,
    priority: 'stock',
  });
  const { inventoryAdjustmentGroup, userErrors } = answer.inventorySetQuantities;
  const changes = inventoryAdjustmentGroup?.changes ?? [];
  for (const change of changes) if (change.item) options.untracked.note(change.item.id, change.item.tracked);

  if (userErrors.length === 0) {
    for (const pending of group) settle(pending, { outcome: 'applied' });
    return [];
  }
  const changed = new Set(changes.map((change) => change.item?.id));
  const byRow = new Map<number, UserError>();
  for (const error of userErrors) {
    const row = rowIndex(error.field, 'quantities');
    if (row !== null && row < group.length && !byRow.has(row)) byRow.set(row, error);
  }
  const [first] = userErrors;
  if (first !== undefined && byRow.size === 0) return wholeCallRefused(call, first, settle);

  const again: Pending[] = [];
  const activated: Pending[] = [];
  for (const [row, pending] of group.entries()) {
    const error = byRow.get(row);
    if (error === undefined) {
      // All or nothing, unless the answer itself shows that this row went through.
      if (changed.has(pending.write.stockId)) settle(pending, { outcome: 'applied' });
      else again.push(pending);
    } else if (isNotStocked(error) && !pending.activated) {
      const failure = await activate(options, pending.write, locationId, signal);
      if (failure === null) activated.push({ ...pending, activated: true });
      else settle(pending, { outcome: 'failed', error: failure });
    } else if (isStale(error)) {
      settle(pending, { outcome: 'stale' });
    } else {
      settle(pending, { outcome: 'failed', error: userErrorToConnectorError(error) });
    }
  }
  // The same rows once more would meet the key of the call that was refused.
  const freshKey = activated.length > 0 ? call.freshKey + 1 : 0;
  return [{ group: [...again, ...activated].sort(byItem), freshKey }];
}

function wholeCallRefused(call: Call, error: UserError, settle: Settle): Call[] {
  // The earlier attempt is known to have failed: nothing happened under its key, and a new one is asked for.
  const wantsNewKey =
    error.code === 'IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED' || error.code === 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH';
  if (wantsNewKey && call.freshKey < FRESH_KEYS_MAX) return [{ ...call, freshKey: call.freshKey + 1 }];
  const [lone, ...others] = call.group;
  if (lone !== undefined && others.length === 0 && isStale(error)) {
    settle(lone, { outcome: 'stale' });
    return [];
  }
  throw userErrorToConnectorError(error);
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
export function callKey(group: readonly { readonly write: StockWrite }[], locationId: string, freshKey = 0): string {
  const rows = group.map(({ write }) => JSON.stringify([write.key, write.stockId, write.expected, write.to])).sort();
  return uuid([locationId, String(freshKey), ...rows].join('\n'));
}

/** Shopify asks for keys that look like UUIDs; these are made from their input. */
function uuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
