import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import { mayFollow, mayLead } from '../../core/direction.ts';
import { stockTarget } from '../../core/stock.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import type { VariantBindingRow } from '../../db/schema/product.ts';
import { loadHub } from '../../engine/hub.ts';
import type { ProductId } from '../../model/ids.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import type { CoverageTally } from './coverage.ts';
import { isDeleteOpen, isStockDrifting, metLate } from './told.ts';
import type { World } from './world.ts';

const OUTSIDE_STOCK = new Set(['sell', 'restock', 'recount']);

/** Starting numbers of a unit: what its hub record was linked or created with, and the versions from which outside changes count. */
export interface StockOrigin {
  readonly quantity: number;
  readonly from: Readonly<Record<Side, number>>;
}

/** [I2][I1] Hub stock = what it was linked with + every outside change of either side; each side shows the target. */
export function checkStock(
  world: World,
  productIds: readonly ProductId[],
  origins: ReadonlyMap<string, StockOrigin>,
  coverage: CoverageTally,
): readonly Violation[] {
  if (!world.settings.syncInventory) return [];
  const violations: Violation[] = [];
  const doubts = doubtfulUnits(world);
  const late = metLate(world);
  world.lateOrigins.forget(world.db);
  const lines = onceRead(() => stockLines(world));
  // [S11] The source of stock that goes one way is never written.
  const isShown = (side: Side) => world.settings.stockTwoWay || mayFollow(side, world.settings);
  for (const id of productIds) {
    const hub = loadHub(world.db, id);
    if (hub === null || hub.row.state !== 'live') continue;
    for (const variant of hub.variants.values()) {
      if (variant.stockState === 'removed') continue;
      const woocommerce = hub.variantBindings.woocommerce.get(variant.id);
      const shopify = hub.variantBindings.shopify.get(variant.id);
      if (woocommerce === undefined || shopify === undefined) continue;
      const bindings = { woocommerce, shopify };
      const leftOut = (why: string) => {
        coverage.leftOut('stock_shown', why, SIDES.filter(isShown).length);
        coverage.leftOut('stock_counted', why);
      };
      if (variant.stockState !== 'live' || isDeleteOpen(world, id)) {
        leftOut('waits for a person');
        continue;
      }
      const tracked = SIDES.map((side) => world.shops[side].shelf.items.get(bindings[side].stockId)?.variant);
      if (tracked.every((item) => item !== undefined) && tracked[0]?.isTracked !== tracked[1]?.isTracked)
        violations.push({
          invariant: 'S6 tracking is an epoch',
          message: `${variant.sku} (${variant.id}) is counted on one side only, and its stock is kept the same as if nothing had happened`,
        });
      if (!woocommerce.baseTracked || !shopify.baseTracked) {
        leftOut('not counted');
        continue;
      }
      // What is gone from one shop is kept the same with nothing.
      if (tracked.includes(undefined)) {
        leftOut('not there');
        continue;
      }
      // Known since the first link and met by its other half later: only the link's own readings could tell what it began with.
      const hasMetLate = (origins.has(variant.id) && late.has(id)) || wasRemade(world, id);
      const first = hasMetLate ? null : originOf(world, origins, bindings, lines);
      const later = world.lateOrigins.of(variant.id, bindings);
      const isLater = later !== null && (first === null || hasTrackingMoved(world, bindings, first));
      const origin = isLater ? later : first;
      const fields = hub.row.data.variants[variant.id];
      let expected = origin?.quantity ?? 0;
      for (const side of SIDES) {
        const binding = bindings[side];
        const entries = entriesSince(world, side, binding.stockId, origin?.from[side] ?? 0);
        // [L4][R9] A target whose stock a person has made one-way has no say, and its source is never written.
        const isCounted = world.settings.stockTwoWay || mayLead(side, world.settings);
        if (origin !== null && isCounted) {
          expected += outsideSum(entries);
          expected -= allowedLosses(entries, violations, side, entriesSince(world, side, binding.stockId, 0));
        }
        const truth = world.shops[side].shelf.items.get(binding.stockId)?.variant;
        if (truth === undefined || !isShown(side)) continue;
        // [S11] A target whose number moved by itself is left alone, and somebody was told.
        if (!world.settings.stockTwoWay && isStockDrifting(world, variant.id)) {
          coverage.leftOut('stock_shown', 'drift');
          continue;
        }
        coverage.compared('stock_shown');
        const target = stockTarget(variant.quantity, fields?.backorders ?? 'no', world.settings);
        if (truth.quantity !== target)
          violations.push({
            invariant: 'I1 convergence',
            message: `${side} shows ${truth.quantity} of ${variant.sku}, its target is ${target} (hub ${variant.quantity})`,
          });
      }
      if (origin === null || hasTrackingMoved(world, bindings, origin)) {
        coverage.leftOut('stock_counted', origin === null ? 'met later' : 'tracking moved');
        continue;
      }
      coverage.compared('stock_counted');
      const doubt = doubts.get(variant.id) ?? 0;
      if (variant.quantity > expected || variant.quantity < expected - doubt) {
        violations.push({
          invariant: 'I2 no lost stock change',
          message: `hub holds ${variant.quantity} of ${variant.sku} (${variant.id}), outside changes make it ${expected}${doubt > 0 ? ` (${doubt} in doubt)` : ''}`,
        });
      }
    }
  }
  return violations;
}

function entriesSince(world: World, side: Side, stockId: string, seq: number): readonly LedgerEntry[] {
  return world.shops[side].shelf.ledger.of(stockId).filter((entry) => entry.stockId === stockId && entry.seq > seq);
}

function hasTrackingMoved(world: World, bindings: Readonly<Record<Side, Bound>>, { from }: StockOrigin): boolean {
  return SIDES.some((side) =>
    entriesSince(world, side, bindings[side].stockId, from[side]).some(
      ({ kind }) => kind === 'set_tracked' || kind === 'unstock',
    ),
  );
}

/** A counterpart that was deleted and made again has sold under two names: its first one's sales can't be told from the new one's ledger. */
function wasRemade(world: World, id: ProductId): boolean {
  return remade(world.db).get(id) !== undefined;
}

const remade = rawStatement<[productId: string], { one: 1 }>(
  "SELECT 1 AS one FROM change WHERE product_id = ? AND cause IN ('edit_wins', 'restore') LIMIT 1",
);

function outsideSum(entries: readonly LedgerEntry[]): number {
  return entries.reduce(
    (sum, entry) =>
      entry.by === 'outside' && OUTSIDE_STOCK.has(entry.kind) ? sum + Number(entry.to) - Number(entry.from) : sum,
    0,
  );
}

/** [W1] A reading may take a time-out to come back, and its write leaves within five seconds of that: the window of one request. */
const WINDOW_MS = 36_000;

/**
 * What a blind write overwrote. Allowed only inside its window: the item must have shown what the write expected at some moment shortly
 * before it was sent. A write that expected an older number has lost a change elsewhere.
 */
function allowedLosses(
  entries: readonly LedgerEntry[],
  violations: Violation[],
  side: Side,
  all: readonly LedgerEntry[],
): number {
  let lost = 0;
  for (const entry of entries) {
    if (entry.by !== 'us' || entry.kind !== 'set_stock' || entry.write === null) continue;
    const { expected, sentAt } = entry.write;
    if (expected === null || entry.from === expected) continue;
    if (!valuesBetween(all, sentAt - WINDOW_MS, sentAt).has(expected)) {
      violations.push({
        invariant: 'I2 no lost stock change',
        message: `${side} ${entry.stockId}: a write sent at ${sentAt} expected ${expected}, which the item had not shown for longer than one request`,
      });
    }
    lost += Number(entry.from) - expected;
  }
  return lost;
}

/** Every quantity that the item showed at some moment of a span. */
function valuesBetween(entries: readonly LedgerEntry[], from: number, to: number): ReadonlySet<number> {
  const values = new Set<number>();
  let current: number | null = null;
  for (const entry of entries) {
    // A weight is a number, too.
    if (typeof entry.to !== 'number' || entry.kind === 'set_field') continue;
    if (current === null && typeof entry.from === 'number') current = entry.from;
    if (entry.at > to) break;
    if (entry.at >= from && current !== null) values.add(current);
    current = entry.to;
  }
  if (current !== null) values.add(current);
  return values;
}

type Bound = Pick<VariantBindingRow, 'productId' | 'variantId' | 'stockId'>;

/** Units added after the first link begin with what was typed when they were made, on whichever side that was. */
function originOf(
  world: World,
  origins: ReadonlyMap<string, StockOrigin>,
  bindings: Readonly<Record<Side, Bound>>,
  lines: () => ReadonlyMap<string, readonly StockLine[]>,
): StockOrigin | null {
  const known = origins.get(bindings.woocommerce.variantId);
  if (known !== undefined) return known;
  const births = SIDES.map((side) => ({ side, ...birthOf(world.shops[side], bindings[side].stockId) }));
  const outside = births.filter((birth) => birth.entry?.by === 'outside');
  const from = { woocommerce: 0, shopify: 0 };
  for (const birth of births) from[birth.side] = birth.entry?.seq ?? 0;
  const ours = births.find((birth) => birth.entry?.by === 'us');
  const made = ours === undefined ? undefined : bindings[ours.side];
  const hasMetAnother =
    ours !== undefined && made !== undefined && hasMet(world, made, ours.side, ours.entry?.at ?? 0, lines());
  const [older] = outside;
  const wasKept =
    older !== undefined && wasWrittenBefore(world, older.side, bindings[older.side].stockId, ours?.entry?.at ?? 0);
  if (outside.length === 1 && !hasMetAnother && !wasKept) return { quantity: older?.quantity ?? 0, from };
  // Made by hand in both shops and linked some time afterwards, or linked with one that is gone by now: only the link's own readings could tell what it began with.
  return null;
}

/** Written by us before what we made for it was there: it was kept the same with one that is gone by now, as a part of another record. */
function wasWrittenBefore(world: World, side: Side, stockId: string, madeAt: number): boolean {
  return world.shops[side].shelf.ledger
    .of(stockId)
    .some((entry) => entry.by === 'us' && entry.kind === 'set_stock' && entry.stockId === stockId && entry.at < madeAt);
}

interface StockLine {
  readonly productId: string;
  readonly variantId: string;
  readonly origin: Side | null;
  readonly target: Side | null;
  readonly cause: string;
  readonly at: number;
}

/** Most seeds never ask. */
function onceRead<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** The history of stock, by variant. */
function stockLines(world: World): ReadonlyMap<string, readonly StockLine[]> {
  const lines = world.db.connection
    .prepare(
      "SELECT product_id AS productId, variant_id AS variantId, origin, target, cause, at FROM change WHERE field = 'stock'",
    )
    .all() as StockLine[];
  return Map.groupBy(lines, ({ variantId }) => variantId);
}

/**
 * A counterpart that was there before the one that we made, or another one that took the place of the one it was made for: what the two were linked
 * with is in no ledger of those that are left.
 */
function hasMet(
  world: World,
  { productId, variantId }: Bound,
  side: Side,
  madeAt: number,
  lines: ReadonlyMap<string, readonly StockLine[]>,
): boolean {
  const own = lines.get(variantId) ?? [];
  const isOfAnother = ({ cause, origin, target }: StockLine) =>
    cause === 'first_link' || origin === side || target === side;
  if (own.some((line) => line.at < madeAt && isOfAnother(line))) return true;
  return boundSince(world.db).get(productId, side, madeAt) !== undefined;
}

const boundSince = rawStatement<[productId: string, side: Side, at: number], { one: 1 }>(
  'SELECT 1 AS one FROM was_bound JOIN product_binding USING (product_id, side, external_id) WHERE product_id = ? AND side <> ? AND at > ?',
);

function birthOf(
  shop: MemoryPlatform,
  stockId: string,
): { readonly entry: LedgerEntry | null; readonly quantity: number } {
  const entry = shop.shelf.ledger.of(stockId)[0] ?? null;
  return { entry, quantity: typeof entry?.to === 'number' ? entry.to : 0 };
}

function doubtfulUnits(world: World): ReadonlyMap<string, number> {
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
