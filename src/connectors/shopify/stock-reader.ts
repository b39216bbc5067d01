import { ConnectorError } from '../../model/connector-error.ts';
import type { StockReading } from '../../model/stock.ts';
import type { ReadOutcome } from '../../ports/connector.ts';
import type { ShopifyClient } from './client.ts';
import { isGid } from './gid.ts';
import { importStock } from './import-mapper.ts';
import { OPERATIONS } from './operations.gen.ts';
import { assertLocation, type StoreContext } from './store-context.ts';
import { NodesAnswer, type StockRow, StockRowShape } from './wire.ts';

/** Input arrays of Shopify hold at most 250 values. */
export const STOCK_BATCH_MAX = 250;
/** Their times are whole seconds. */
const TIME_STEP_MS = 1_000;

export interface StockReaderOptions {
  readonly client: ShopifyClient;
  readonly context: (signal?: AbortSignal) => Promise<StoreContext>;
  readonly untracked: UntrackedItems;
}

/** Stock by inventory item at the mapped location: 4 points for up to 250 items. */
export async function readStock(
  options: StockReaderOptions,
  stockIds: readonly string[],
  signal?: AbortSignal,
): Promise<ReadOutcome<StockReading>[]> {
  const { client, untracked } = options;
  const unique = [...new Set(stockIds)].filter((id) => isGid(id, 'InventoryItem'));
  const byId = new Map<string, ReadOutcome<StockReading>>();
  for (let at = 0; at < unique.length; at += STOCK_BATCH_MAX) {
    const ids = unique.slice(at, at + STOCK_BATCH_MAX);
    const { locationId } = await options.context(signal);
    const failed = new Map<number, ConnectorError>();
    const { location, nodes } = await client.call(OPERATIONS.stockByItem, { ids, locationId }, NodesAnswer, {
      signal,
      priority: 'stock',
      onNodeError: (index, error) => failed.set(index, error),
    });
    assertLocation(location);
    if (nodes.length !== ids.length) {
      throw new ConnectorError('malformed', `Shopify answered ${nodes.length} records for ${ids.length} ids`);
    }
    ids.forEach((id, index) => {
      const error = failed.get(index);
      const outcome = error
        ? ({ ok: false, error } as const)
        : readItem(nodes[index], client.observed().clockSkewMinMs);
      if (outcome.ok) untracked.note(id, outcome.value.tracked);
      byId.set(id, outcome);
    });
  }
  return stockIds.map((id) => byId.get(id) ?? { ok: false, error: notAnItemId(id) });
}

function readItem(node: unknown, skewMinMs: number | null): ReadOutcome<StockReading> {
  if (node === null) {
    return { ok: false, error: new ConnectorError('not_found', 'Shopify has no inventory item with this id') };
  }
  const mismatch = StockRowShape.mismatch(node);
  if (mismatch !== null) {
    return {
      ok: false,
      error: new ConnectorError('malformed', `stock from Shopify could not be understood: ${mismatch}`),
    };
  }
  const row = node as StockRow;
  const snapshot = importStock(row);
  const movedAt = Date.parse(row.inventoryLevel?.updatedAt ?? '');
  if (skewMinMs === null || Number.isNaN(movedAt)) return { ok: true, value: snapshot };
  return { ok: true, value: { ...snapshot, unmovedSince: movedAt + TIME_STEP_MS - skewMinMs } };
}

export function notAnItemId(id: string): ConnectorError {
  return new ConnectorError('rejected', `“${id.slice(0, 80)}” is not the id of a Shopify inventory item`, {
    field: 'stock',
  });
}

/**
 * Items that were last read as "not counted". A write to one is refused without a call; asking before each write would double the calls of the one
 * thing that has to be fast. The engine reads every item before it writes it, so the note is fresh.
 */
export interface UntrackedItems {
  note(stockId: string, tracked: boolean): void;
  has(stockId: string): boolean;
}

const UNTRACKED_MAX = 100_000;

export function createUntrackedItems(): UntrackedItems {
  const items = new Set<string>();
  return {
    has: (stockId) => items.has(stockId),
    note(stockId, tracked) {
      items.delete(stockId);
      if (tracked) return;
      items.add(stockId);
      if (items.size <= UNTRACKED_MAX) return;
      for (const oldest of items) {
        items.delete(oldest);
        break;
      }
    },
  };
}
