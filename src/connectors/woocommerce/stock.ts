import { ConnectorError } from '../../model/connector-error.ts';
import { QUANTITY_MAX, type StockReading } from '../../model/stock.ts';
import type { ReadOutcome, StockWrite, StockWriteOutcome } from '../../ports/connector.ts';
import { idText, wireId } from '../shared/exact-json.ts';
import { type BatchResult, sendBatch } from './batch.ts';
import type { CallOptions } from './client.ts';
import type { WooContext } from './context.ts';
import { crashedOver, isAlive } from './crashed-reads.ts';
import { isCrash, isMissingRoute } from './errors.ts';
import { importTime } from './import-mapper.ts';
import { hasFractionalStock, importStock } from './import-stock.ts';
import { inParallel } from './in-parallel.ts';
import { listIncluded } from './list-included.ts';
import { stampMeta } from './marks.ts';
import { sendUndoneAgain } from './stock-again.ts';
import { parseStockId, type StockAddress } from './stock-id.ts';
import { firstFault, STOCK_ITEM_FIELDS, wire } from './wire.ts';

/** Stock goes before everything else at the rate gate. */
function stockCall(signal: AbortSignal | undefined): CallOptions {
  return { priority: 'stock', signal };
}

/**
 * Stock by stock id, an outcome for each in the order asked [C5]. Simple products are read a hundred a call;
 * variations too where the server lists them over all products, else per parent. What a listing leaves out is asked
 * for singly.
 */
export async function readStock(
  context: WooContext,
  stockIds: readonly string[],
  signal?: AbortSignal,
): Promise<ReadOutcome<StockReading>[]> {
  const outcomes = new Map<string, ReadOutcome<StockReading>>();
  const addresses = new Map<string, StockAddress>();
  for (const stockId of new Set(stockIds)) {
    const address = tryParse(stockId);
    if (address instanceof ConnectorError) outcomes.set(stockId, { ok: false, error: address });
    else addresses.set(stockId, address);
  }
  const byId = new Map([...addresses].map(([stockId, address]) => [address.id, stockId] as const));
  const note = (id: string, outcomeOf: (address: StockAddress) => ReadOutcome<StockReading>) => {
    const stockId = byId.get(id);
    const address = stockId === undefined ? undefined : addresses.get(stockId);
    if (stockId !== undefined && address) outcomes.set(stockId, answered(context, outcomeOf(address)));
  };
  const list = (path: string, ids: readonly string[]) => {
    const query = { status: 'any', context: 'edit', _fields: STOCK_ITEM_FIELDS };
    const request = { path, query, isSmall: true, ...stockCall(signal) };
    return listIncluded(context.client, request, ids, {
      take: ({ id, raw }) => note(id, (address) => importItem(raw, address)),
      leave: (id, error) => note(id, () => ({ ok: false, error })),
    });
  };
  const products = [...addresses.values()].filter((address) => address.kind === 'product');
  const variations = [...addresses.values()].filter((address) => address.kind === 'variation');
  if (products.length > 1)
    await list(
      '/products',
      products.map(({ id }) => id),
    );
  if (variations.length > 1) await listVariations(context, variations, list);
  const missing = [...addresses].filter(([stockId]) => !outcomes.has(stockId));
  // What is said of one that others are shown beside is said of that one alone.
  const isOthers = [...outcomes.values()].some(({ ok }) => ok);
  await inParallel(missing, 3, async ([stockId, address]) => {
    try {
      outcomes.set(stockId, await readSingle(context, address, signal));
    } catch (error) {
      if (!isOthers || !context.records.isReplaced(error)) throw error;
      outcomes.set(stockId, { ok: false, error });
    }
  });
  return stockIds.map((stockId) => outcomes.get(stockId) ?? unanswered(stockId));
}

/**
 * Sets quantities with our key as stamp in the same item of the same request, so that who reads one reads the other
 * [C17]. `expected` is not looked at: the REST API has no condition. Grouped into as few batches as the routes allow:
 * all simple products together, variations per parent.
 */
export async function writeStock(
  context: WooContext,
  writes: readonly StockWrite[],
  signal?: AbortSignal,
  cut?: AbortSignal,
): Promise<StockWriteOutcome[]> {
  const outcomes: StockWriteOutcome[] = [];
  const groups = new Map<string, { readonly index: number; readonly write: StockWrite; readonly id: string }[]>();
  writes.forEach((write, index) => {
    const address = tryParse(write.stockId);
    const refusal = address instanceof ConnectorError ? address : refuseQuantity(write.to);
    if (address instanceof ConnectorError || refusal) {
      outcomes[index] = { outcome: 'failed', error: refusal ?? (address as ConnectorError) };
      return;
    }
    const path = address.kind === 'product' ? '/products/batch' : `/products/${address.parentId}/variations/batch`;
    const group = groups.get(path) ?? [];
    group.push({ index, write, id: address.id });
    groups.set(path, group);
  });
  await inParallel([...groups], 3, async ([path, group]) => {
    const items = group.map(({ write, id }) => ({
      verb: 'update' as const,
      body: { id: wireId(id), stock_quantity: write.to, meta_data: [stampMeta(write.key)] },
    }));
    const results = await sendUndoneAgain(
      context,
      group.map(({ write }) => write),
      (some) =>
        sendBatch(
          context.client,
          path,
          some.flatMap((at) => items[at] ?? []),
          { ...stockCall(signal), cut },
        ),
      (stockIds) => readStock(context, stockIds, signal),
    );
    group.forEach(({ index }, at) => {
      outcomes[index] = outcomeOf(results[at]);
    });
  });
  return outcomes;
}

/** WooCommerce drops a number for an item it doesn't count without a word: only the answer shows it. */
function outcomeOf(result: BatchResult | undefined): StockWriteOutcome {
  if (!result)
    return { outcome: 'failed', error: new ConnectorError('unknown_outcome', 'a stock write got no answer') };
  if (!result.ok) return { outcome: 'failed', error: result.error };
  const managed = (result.data as { manage_stock?: unknown } | null)?.manage_stock;
  if (managed === true) return { outcome: 'applied' };
  const words =
    managed === 'parent'
      ? 'the stock of this variation is kept at its product: give the variation a stock of its own in WooCommerce'
      : 'WooCommerce does not track the stock of this item: switch "Track stock quantity" on';
  return {
    outcome: 'failed',
    error: new ConnectorError('rejected', words, { field: 'stock', platformMessage: words }),
  };
}

async function listVariations(
  context: WooContext,
  variations: readonly (StockAddress & { kind: 'variation' })[],
  list: (path: string, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  if (context.variations.hasFlatRoute !== false) {
    try {
      await list(
        '/variations',
        variations.map(({ id }) => id),
      );
      return;
    } catch (error) {
      if (!isMissingRoute(error)) throw error;
    }
  }
  const byParent = new Map<string, string[]>();
  for (const { parentId, id } of variations) byParent.set(parentId, [...(byParent.get(parentId) ?? []), id]);
  await inParallel([...byParent], 3, async ([parentId, ids]) => {
    if (ids.length > 1) await list(`/products/${parentId}/variations`, ids);
  });
}

async function readSingle(
  context: WooContext,
  address: StockAddress,
  signal: AbortSignal | undefined,
): Promise<ReadOutcome<StockReading>> {
  const path =
    address.kind === 'product' ? `/products/${address.id}` : `/products/${address.parentId}/variations/${address.id}`;
  try {
    const query = { context: 'edit', _fields: STOCK_ITEM_FIELDS };
    const data = await context.records.get(path, { query, ...stockCall(signal) });
    return answered(context, importItem(data, address));
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === 'not_found') return { ok: false, error };
    if (isCrash(error) && (await isAlive(context.client, signal))) return { ok: false, error: crashedOver(error) };
    throw error;
  }
}

/** A reading of many items takes many requests where variations have no route of their own: what was read first grows old meanwhile. */
function answered({ clock }: WooContext, outcome: ReadOutcome<StockReading>): ReadOutcome<StockReading> {
  return outcome.ok ? { ...outcome, at: clock.now() } : outcome;
}

function importItem(raw: unknown, address: StockAddress): ReadOutcome<StockReading> {
  if (!wire.stockItem.Check(raw)) {
    return {
      ok: false,
      error: new ConnectorError('malformed', `stock can't be understood: ${firstFault(wire.stockItem, raw)}`),
    };
  }
  const parentId = idText(raw.parent_id);
  // A list over all products shows it wherever it is. A write through the product that it was of would take it back there.
  if (address.kind === 'variation' && parentId !== null && parentId !== address.parentId) {
    const words = `variation ${address.id} belongs to product ${parentId} by now`;
    return { ok: false, error: new ConnectorError('not_found', words) };
  }
  if (hasFractionalStock(raw)) {
    const words = `the item has a stock of ${raw.stock_quantity}, which is not a whole number`;
    return { ok: false, error: new ConnectorError('rejected', words, { field: 'stock' }) };
  }
  const made = address.kind === 'product' ? { madeAt: importTime(raw.date_created_gmt) } : {};
  return { ok: true, value: { ...importStock(raw), ...made } };
}

function tryParse(stockId: string): StockAddress | ConnectorError {
  try {
    return parseStockId(stockId);
  } catch (error) {
    if (error instanceof ConnectorError) return error;
    throw error;
  }
}

/** `null` would be stored as 0, and a fraction is refused or cut, by the mood of the route. */
function refuseQuantity(quantity: number): ConnectorError | null {
  if (Number.isSafeInteger(quantity) && Math.abs(quantity) <= QUANTITY_MAX) return null;
  return new ConnectorError('rejected', `${quantity} is not a quantity that can be stored`, { field: 'stock' });
}

function unanswered(stockId: string): ReadOutcome<StockReading> {
  return { ok: false, error: new ConnectorError('malformed', `no answer about ${stockId}`) };
}
