import { stockTarget } from '../../../core/stock.ts';
import type { VariantRow } from '../../../db/schema/product.ts';
import { type HubState, loadHub } from '../../../engine/hub.ts';
import type { ProductId } from '../../../model/ids.ts';
import { type PerSide, SIDES } from '../../../model/platform.ts';
import type { Violation } from './check.ts';
import type { Ledger } from './ledger.ts';
import type { ShelfItem } from './shelf.ts';
import type { DepthWorld } from './world.ts';

/** What a unit's count begins with, and the booking from which people's changes count. */
export interface Origin {
  readonly quantity: number;
  readonly seq: number;
}

/** [I1][I2] Each shelf shows its target, and the hub holds what it was linked with plus everything that people did on either side. */
export function checkStock(
  world: DepthWorld,
  ledger: Ledger,
  ids: readonly ProductId[],
  origins: ReadonlyMap<string, Origin>,
  items: ReadonlyMap<string, ShelfItem>,
): readonly Violation[] {
  const doubts = doubtfulUnits(world);
  return ids.flatMap((id) => {
    const hub = loadHub(world.db, id);
    if (hub === null || hub.row.state !== 'live' || wasRemade(world, id)) return [];
    return [...hub.variants.values()].flatMap((variant) =>
      checkVariant(world, ledger, hub, variant, origins, items, doubts.get(variant.id) ?? 0),
    );
  });
}

function checkVariant(
  world: DepthWorld,
  ledger: Ledger,
  hub: HubState,
  variant: VariantRow,
  origins: ReadonlyMap<string, Origin>,
  items: ReadonlyMap<string, ShelfItem>,
  doubt: number,
): readonly Violation[] {
  if (variant.stockState !== 'live') return [];
  const stockIds: Partial<PerSide<string>> = {};
  for (const side of SIDES) {
    const binding = hub.variantBindings[side].get(variant.id);
    if (binding?.baseTracked === true) stockIds[side] = binding.stockId;
  }
  const { woocommerce, shopify } = stockIds;
  if (woocommerce === undefined || shopify === undefined) return [];
  const shown = SIDES.map((side) => items.get(`${side} ${stockIds[side]}`));
  if (shown.some((item) => item === undefined)) return [];
  const name = `${variant.sku} (${variant.id}, ${woocommerce}, ${shopify})`;
  const violations: Violation[] = [];
  const backorders = hub.row.data.variants[variant.id]?.backorders ?? 'no';
  const target = stockTarget(variant.quantity, backorders, world.pair().settings);
  for (const item of shown) {
    if (item !== undefined && item.stock !== target)
      violations.push({
        invariant: 'I1 convergence',
        message: `${item.side} shows ${item.stock} of ${name}, its target is ${target} (hub ${variant.quantity})`,
      });
  }
  const origin = origins.get(variant.id) ?? bornOf(ledger, woocommerce, shopify);
  if (origin === null) return violations;
  const expected =
    origin.quantity +
    SIDES.reduce((sum, side) => sum + ledger.outsideUnits(side, stockIds[side] ?? '', origin.seq), 0) -
    ledger.lostUnits('woocommerce', woocommerce, origin.seq);
  if (variant.quantity > expected || variant.quantity < expected - doubt)
    violations.push({
      invariant: 'I2 no lost stock change',
      message: `the hub holds ${variant.quantity} of ${name}, people make it ${expected}${doubt > 0 ? ` (${doubt} in doubt)` : ''}`,
    });
  return violations;
}

/** A unit that was added after the first link begins with what was typed, on the one side where a person made it. */
function bornOf(ledger: Ledger, woocommerce: string, shopify: string): Origin | null {
  const births = [ledger.birthOf('woocommerce', woocommerce), ledger.birthOf('shopify', shopify)];
  const outside = births.filter((birth) => birth !== null && !birth.isOurs);
  const [only] = outside;
  // Made by hand in both stores and linked some time afterwards: only the link's own readings could tell what it began with.
  if (outside.length !== 1 || births.length !== 2 || only === undefined || only === null) return null;
  return { quantity: only.quantity, seq: only.seq };
}

/** One of its records went and was made anew: what people did with the old one is counted, and stands under no id that there is any more. */
function wasRemade(world: DepthWorld, id: ProductId): boolean {
  const sql = `SELECT 1 FROM change WHERE product_id = ? AND (cause = 'edit_wins' OR (field = 'created' AND seq >
    (SELECT min(seq) FROM change WHERE product_id = ? AND field = 'deleted' AND variant_id IS NULL)))`;
  return world.db.connection.prepare(sql).get(id, id) !== undefined;
}

function doubtfulUnits(world: DepthWorld): ReadonlyMap<string, number> {
  const units = new Map<string, number>();
  const rows = world.db.connection.prepare("SELECT subject, details FROM problem WHERE code = 'STOCK_DOUBT'").all() as {
    subject: string;
    details: string;
  }[];
  for (const row of rows) {
    const variantId = row.subject.split(':')[0] ?? '';
    units.set(variantId, (units.get(variantId) ?? 0) + Number((JSON.parse(row.details) as { units: number }).units));
  }
  return units;
}
