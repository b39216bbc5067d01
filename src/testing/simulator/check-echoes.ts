import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import { mayLead } from '../../core/direction.ts';
import { otherSide, type PerSide, SIDES, type Side } from '../../model/platform.ts';
import type { Violation } from './check.ts';
import type { World } from './world.ts';

/**
 * [I4] One outside change causes at most one stock write per side; three where requests go wrong. Where they do, which write is owed to which
 * change is more than a ledger tells: here only what has no end shows. The calm day counts them one by one.
 */
export function checkEchoes(world: World): readonly Violation[] {
  let outside = 0;
  let ours = 0;
  for (const side of SIDES) {
    for (const entry of world.shops[side].shelf.ledger.entries) {
      if (entry.at <= world.linkedAt) continue;
      if (entry.by === 'outside') outside += 1;
      else if (isOurs(entry)) ours += 1;
    }
  }
  return ours > 2 * outside + 20
    ? [{ invariant: 'I4 no echo', message: `${outside} outside changes caused ${ours} writes` }]
    : [];
}

/** Where the two shops' ledgers stand, which fields wait in a conflict, as `product field`, and which products and variants wait for a namesake. */
export interface LedgerMark {
  readonly seqs: PerSide<number>;
  readonly held: ReadonlySet<string>;
  readonly namesakes: ReadonlySet<string>;
}

export function markLedgers({ shops, db }: World): LedgerMark {
  const held = db.connection
    .prepare("SELECT product_id || ' ' || field AS place FROM conflict WHERE state = 'open'")
    .all() as { place: string }[];
  return {
    seqs: { woocommerce: shops.woocommerce.shelf.ledger.seq, shopify: shops.shopify.shelf.ledger.seq },
    held: new Set(held.map(({ place }) => place)),
    namesakes: namesakesIn(db),
  };
}

/** [M1] What is not made while another product has its title is made once that one is renamed, and neither shop has touched it. */
function namesakesIn(db: World['db']): ReadonlySet<string> {
  const rows = db.connection
    .prepare(
      `WITH waiting AS (SELECT product_id AS id FROM problem WHERE state = 'open' AND code = 'SAME_TITLE')
       SELECT id FROM waiting UNION ALL SELECT variant.id FROM variant JOIN waiting ON waiting.id = variant.product_id`,
    )
    .all() as { id: string }[];
  return new Set(rows.map(({ id }) => id));
}

/**
 * [I4] Where nothing goes wrong: a record (or stock item) of a side is written at most once for each change of it. A change on the other side may
 * bring one write; one on the side itself brings none, save where a rule asks for it.
 */
export function checkCalmEchoes(world: World, { seqs, held, namesakes }: LedgerMark): readonly Violation[] {
  const twins = twinsOf(world);
  const subjects = new Map<string, Counts>();
  for (const side of SIDES) {
    for (const entry of world.shops[side].shelf.ledger.entries.slice(seqs[side])) {
      const isChange = entry.by === 'outside';
      if (!isChange && !isOurs(entry)) continue;
      const isStock = STOCK_KINDS.has(entry.kind);
      const place = `${side} ${isStock ? entry.stockId : entry.productId}`;
      const subject = twins.get(place) ?? place;
      const counts = subjects.get(subject) ?? noCounts(isStock);
      subjects.set(subject, counts);
      (isChange ? counts.changes : counts.writes)[side] += 1;
      if (isChange && isStock && Number(entry.to) < 0) counts.isOversold[side] = true;
      counts.isHeld ||= held.has(`${subject} ${entry.field}`);
    }
  }
  return [...subjects].flatMap(([subject, { isStock, isHeld, isOversold, changes, writes }]) =>
    SIDES.flatMap((side) => {
      const others = changes[otherSide(side)];
      const isAnswered = isStock
        ? isOversold[side] || isStockAnswered(world, side)
        : isProductAnswered(world, side, others > 0 || isHeld);
      const made = namesakes.has(subject) ? (isStock ? 1 : CREATE_REQUESTS) : 0;
      if (writes[side] <= others + (isAnswered ? changes[side] : 0) + made) return [];
      const there = `${changes.woocommerce} changes on woocommerce and ${changes.shopify} on shopify`;
      const message = `${isStock ? 'stock' : 'fields'} of ${subject}: ${there} caused ${writes[side]} writes to ${side}`;
      return [{ invariant: 'I4 no echo', message }];
    }),
  );
}

/** A product is made by one request, and its variants by one more where there are several. */
const CREATE_REQUESTS = 2;

const STOCK_KINDS: ReadonlySet<LedgerEntry['kind']> = new Set(['sell', 'restock', 'recount', 'set_stock']);

interface Counts {
  readonly isStock: boolean;
  isHeld: boolean;
  /** [S9] Sold below zero there: it is to show 0. */
  readonly isOversold: PerSide<boolean>;
  readonly changes: PerSide<number>;
  readonly writes: PerSide<number>;
}

function noCounts(isStock: boolean): Counts {
  return {
    isStock,
    isHeld: false,
    isOversold: { woocommerce: false, shopify: false },
    changes: { woocommerce: 0, shopify: 0 },
    writes: { woocommerce: 0, shopify: 0 },
  };
}

/** Whether a side is written back for what was sold there. [S1] It shows less than there is. [S11] A target's number is put right. */
function isStockAnswered({ settings }: World, side: Side): boolean {
  const { stockCap, stockBuffer, stockTwoWay } = settings;
  return stockCap !== null || stockBuffer > 0 || (!stockTwoWay && !mayLead(side, settings));
}

/** Whether a side is written back for what was typed there. [R4][L1] It was typed in both, now or before it was held, and one of them loses. [R11] A target's fields are put right. */
function isProductAnswered({ settings }: World, side: Side, isDisputed: boolean): boolean {
  return isDisputed || !mayLead(side, settings);
}

/** A write of ours that landed: a stock item that was set, or one request that reached a product. */
function isOurs({ by, kind, write }: LedgerEntry): boolean {
  return by === 'us' && (kind === 'set_stock' || (kind === 'write_landed' && write?.operation !== 'write_stock'));
}

/** Which record or item of a side is which of ours, as `side id`. */
function twinsOf({ db }: World): ReadonlyMap<string, string> {
  const rows = db.connection
    .prepare(
      `SELECT side || ' ' || external_id AS place, product_id AS id FROM product_binding WHERE external_id IS NOT NULL
       UNION ALL SELECT side || ' ' || stock_id, variant_id FROM variant_binding`,
    )
    .all() as { place: string; id: string }[];
  return new Map(rows.map(({ place, id }) => [place, id]));
}
