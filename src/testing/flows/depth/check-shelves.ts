import { normaliseText } from '../../../core/normalise.ts';
import { listOpenConflicts } from '../../../db/writers/history.ts';
import { loadHub } from '../../../engine/hub.ts';
import type { ProductId } from '../../../model/ids.ts';
import { SIDES } from '../../../model/platform.ts';
import type { Violation } from './check.ts';
import { type Ledger, productKey } from './ledger.ts';
import type { ShelfItem } from './shelf.ts';
import type { DepthWorld } from './world.ts';

/** The two shelves against each other and against what people did, without a word of our connectors in between. */
export function checkShelves(
  world: DepthWorld,
  ledger: Ledger,
  ids: readonly ProductId[],
  items: ReadonlyMap<string, ShelfItem>,
): readonly Violation[] {
  return [
    ...ids.flatMap((id) => compareTwins(world, id, items)),
    ...checkSkus(items),
    ...checkDeletes(world, ledger, items),
    ...checkDirection(world, ledger),
  ];
}

/** [I1] Linked variants look the same in both stores. */
function compareTwins(world: DepthWorld, id: ProductId, items: ReadonlyMap<string, ShelfItem>): readonly Violation[] {
  const hub = loadHub(world.db, id);
  const { syncDirection, stockTwoWay } = world.pair().settings;
  if (hub === null || hub.row.state !== 'live') return [];
  const isTold = world.db.connection
    .prepare(
      "SELECT 1 FROM problem WHERE product_id = ? AND state = 'open' AND code NOT IN ('OVERSOLD', 'STOCK_DOUBT')",
    )
    .get(id);
  const conflicts = listOpenConflicts(world.db, id);
  if (isTold !== undefined || conflicts.length > 0) return [];
  return [...hub.variants.values()].flatMap((variant) => {
    const [a, b] = SIDES.map((side) =>
      items.get(`${side} ${hub.variantBindings[side].get(variant.id)?.stockId ?? ''}`),
    );
    if (a === undefined || b === undefined || variant.stockState !== 'live') return [];
    const isTwoWay = syncDirection === 'bidirectional';
    const pairs: readonly (readonly [string, unknown, unknown])[] = [
      ...(isTwoWay ? ([['SKU', a.sku, b.sku]] as const) : []),
      ...(isTwoWay && !a.isVariable ? ([['title', normaliseText(a.title), normaliseText(b.title)]] as const) : []),
      ...(isTwoWay ? ([['price', `${a.price} ${a.was}`, `${b.price} ${b.was}`]] as const) : []),
      ...(stockTwoWay ? ([['stock', a.stock, b.stock]] as const) : []),
    ];
    return pairs
      .filter(([, left, right]) => left !== right)
      .map(([what, left, right]) => ({
        invariant: 'I1 convergence',
        message: `${what} of ${variant.sku} (${id}): WooCommerce's shelf says ${JSON.stringify(left)}, Shopify's ${JSON.stringify(right)}`,
      }));
  });
}

/** [I3] Nobody ever types a SKU twice, so no shelf shows one twice. */
function checkSkus(items: ReadonlyMap<string, ShelfItem>): readonly Violation[] {
  const seen = new Map<string, string[]>();
  for (const { side, sku, stockId } of items.values())
    if (sku !== '') seen.set(`${side} ${sku}`, [...(seen.get(`${side} ${sku}`) ?? []), stockId]);
  return [...seen]
    .filter(([, ids]) => ids.length > 1)
    .map(([key, ids]) => ({
      invariant: 'I3 at most one counterpart',
      message: `${key} is there twice: ${ids.join(', ')}`,
    }));
}

/** [I6] What is gone from a shelf was taken away by a person. */
function checkDeletes(world: DepthWorld, ledger: Ledger, items: ReadonlyMap<string, ShelfItem>): readonly Violation[] {
  const there = new Set([...items.values()].map(productKey));
  const rows = world.db.connection
    .prepare('SELECT side, external_id AS id FROM product_binding WHERE external_id IS NOT NULL')
    .all() as { side: 'woocommerce' | 'shopify'; id: string }[];
  return rows
    .map(({ side, id }) => productKey({ side, productId: id }))
    .filter((key) => !there.has(key) && !ledger.deleted.has(key))
    .map((key) => ({ invariant: 'I6 deletes are guarded', message: `${key} is gone, and no person took it away` }));
}

/** [I7] A one-way pair never writes a field of its source. */
function checkDirection(world: DepthWorld, ledger: Ledger): readonly Violation[] {
  const { syncDirection } = world.pair().settings;
  if (syncDirection === 'bidirectional') return [];
  const source = syncDirection === 'woocommerce_to_shopify' ? 'woocommerce' : 'shopify';
  const count = ledger.writes[source].product;
  return count === 0 ? [] : [{ invariant: 'I7 direction', message: `we wrote ${count} times to the source` }];
}
