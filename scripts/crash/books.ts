import { withDatabase } from './database.ts';
import type { Entry } from './ledger.ts';

/** After a kill in the middle of a write its record is left alone for as long as that write could still land, ms: never longer. */
export const FENCE_MS = 200_000;
/** A job that waits for a fence is told how long when its pass looks, and waits that long from the pass's end on. */
const PASS_MS = 30_000;

export const SIDES = ['woocommerce', 'shopify'] as const;
export type Side = (typeof SIDES)[number];
export type PerSide<T> = Readonly<Record<Side, T>>;

/** A stock write whose fate is not known. */
export interface OpenWrite {
  readonly from: number;
  readonly to: number;
  /** The request that it left in, with others. */
  readonly call: string;
  readonly fencedUntil: number;
}

/** What the server's database says of a SKU. */
export interface Book {
  /** What there is, as the server counts it. */
  readonly hub: number;
  readonly sides: PerSide<{
    /** What the store was last known to hold. */
    readonly base: number;
    /** What the other store shows less until it is known whether a write landed. */
    readonly provisional: number;
    readonly open: OpenWrite | null;
    /** Whether we have written it a number. */
    readonly isWritten: boolean;
  }>;
  readonly job: { readonly state: string; readonly runAt: number } | null;
}

/**
 * Why a SKU is not as it must be once the server has nothing to do now; null: it is. Either both stores hold the truth, or a write to the one that
 * does not was cut off: then it is fenced from now on for some time, but no longer than it could land, a job comes back when that is over, and the
 * server's number is the truth but for what was sold in that store itself, which it counts when it knows whether its own write was part of it.
 */
export function faultOf(entry: Entry, book: Book | undefined, stock: PerSide<number>, now: number): string | null {
  if (book === undefined) return 'it is not in the database';
  for (const side of SIDES) {
    const fault = sideFault(entry, book, side, stock[side], now);
    if (fault !== null) return `${side}: ${fault}`;
  }
  const { hub, sides, job } = book;
  const { open } = sides[entry.soldIn];
  // Its own store sold what is not counted yet: from what it held before that write, or from what that write made of it.
  const left = open === null ? [hub] : [open.from, open.to].map((before) => hub + stock[entry.soldIn] - before);
  if (!isBlind(entry, book) && !left.includes(entry.truth))
    return `the server counts ${left.join(' or ')}, and ${entry.truth} are left`;
  const fences = SIDES.flatMap((side) => sides[side].open?.fencedUntil ?? []);
  if (fences.length === 0) return null;
  if (job === null) return 'a write was cut off, and no job settles it';
  if (job.state !== 'ready' || job.runAt <= now) return 'its job is due';
  const late = job.runAt - Math.max(...fences);
  return late > PASS_MS ? `its job comes back ${late} ms after the fence` : null;
}

/**
 * WooCommerce can't compare: what it sold between our reading and our write is lost by design, and nothing can be asked of what the server counts. It is
 * written where it sells only as long as the other store may have sold more than is known.
 */
export function isBlind({ soldIn }: Entry, { sides: { woocommerce } }: Book): boolean {
  return soldIn === 'woocommerce' && (woocommerce.open !== null || woocommerce.isWritten);
}

function sideFault(entry: Entry, { hub, sides }: Book, side: Side, holds: number, now: number): string | null {
  const { base, provisional, open } = sides[side];
  if (open === null) {
    if (provisional !== 0) return `${provisional} is kept back, and no write is open`;
    if (holds !== base) return `it holds ${holds}, and the server knows of ${base}`;
    // Less than there is, where the other store may have sold more than is known yet.
    const told = hub + sides[side === 'shopify' ? 'woocommerce' : 'shopify'].provisional;
    return base === told ? null : `it holds ${base}, is to hold ${told}, and no write is open`;
  }
  if (open.fencedUntil <= now) return 'the fence of a write is over, and it is not settled';
  if (open.fencedUntil > now + FENCE_MS) return `a write is fenced for ${open.fencedUntil - now} ms`;
  // Nobody sells here: what it holds is ours.
  if (side !== entry.soldIn && holds !== open.from && holds !== open.to)
    return `it holds ${holds}, and a write was to bring it from ${open.from} to ${open.to}`;
  return null;
}

interface Row {
  readonly sku: string;
  readonly side: Side;
  readonly hub: number;
  readonly base: number;
  readonly provisional: number;
  readonly intentFrom: number;
  readonly intentTo: number;
  readonly intentKey: string | null;
  readonly fencedUntil: number | null;
  readonly isWritten: number;
  readonly state: string | null;
  readonly runAt: number;
}

/** Every SKU of the pair. */
export function readBooks(dataDir: string): ReadonlyMap<string, Book> {
  const rows = withDatabase(dataDir, (database) =>
    database
      .prepare<[], Row>(
        `SELECT v.sku, b.side, v.quantity AS hub, b.base_quantity AS base, b.provisional, b.intent_from AS intentFrom, b.intent_to AS intentTo,
                b.intent_key AS intentKey, b.fenced_until AS fencedUntil, j.state, j.run_at AS runAt,
                EXISTS (SELECT 1 FROM change c WHERE c.variant_id = v.id AND c.target = b.side AND c.field = 'stock' AND c.cause = 'written') AS isWritten
         FROM variant v JOIN variant_binding b ON b.variant_id = v.id LEFT JOIN job j ON j.key = 'stock:' || v.pair_id || ':' || v.id`,
      )
      .all(),
  );
  const books = new Map<string, Book>();
  for (const [sku, pair] of Map.groupBy(rows, (row) => row.sku)) {
    const woo = pair.find(({ side }) => side === 'woocommerce');
    const shopify = pair.find(({ side }) => side === 'shopify');
    if (woo === undefined || shopify === undefined) continue;
    const { hub, state, runAt } = woo;
    const sides = { woocommerce: sideOf(woo), shopify: sideOf(shopify) };
    books.set(sku, { hub, sides, job: state === null ? null : { state, runAt } });
  }
  return books;
}

function sideOf({ base, provisional, intentFrom, intentTo, intentKey, fencedUntil, ...row }: Row): Book['sides'][Side] {
  const isWritten = row.isWritten === 1;
  if (intentKey === null) return { base, provisional, open: null, isWritten };
  const [call = ''] = intentKey.split('.');
  return {
    base,
    provisional,
    open: { from: intentFrom, to: intentTo, call, fencedUntil: fencedUntil ?? 0 },
    isWritten,
  };
}
