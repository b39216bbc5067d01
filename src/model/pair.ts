import type { Side } from './platform.ts';

export const DIRECTIONS = ['bidirectional', 'woocommerce_to_shopify', 'shopify_to_woocommerce'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const SCHEDULES = ['manual', 'realtime', 'hourly', 'daily', 'weekly'] as const;
export type Schedule = (typeof SCHEDULES)[number];

export const CONFLICT_POLICIES = ['newest', 'oldest', 'manual', 'woocommerce', 'shopify'] as const;
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

/** How two records that were never linked are brought together. */
export const LINK_RULES = ['woocommerce', 'shopify', 'fill_blanks'] as const;
export type LinkRule = (typeof LINK_RULES)[number];

/** How two stocks that differ at first link become one. */
export const STOCK_LINK_RULES = ['woocommerce', 'shopify', 'smaller', 'sum'] as const;
export type StockLinkRule = (typeof STOCK_LINK_RULES)[number];

export const AREAS = ['details', 'weights', 'prices', 'inventory'] as const;
export type Area = (typeof AREAS)[number];

/** What a person decided about a pair. Everything the core needs to know besides the data itself. */
export interface PairSettings {
  readonly syncDirection: Direction;
  readonly syncSchedule: Schedule;
  readonly syncProducts: boolean;
  readonly syncPrices: boolean;
  readonly syncInventory: boolean;
  /** In a one-way pair stock stays two-way, or sales at the target would be lost; off only by an explicit choice. */
  readonly stockTwoWay: boolean;
  /** In a one-way pair: whether drift on the target is written over. */
  readonly enforce: boolean;
  readonly conflictResolution: ConflictPolicy;
  /** Who wins where `newest`/`oldest` can't be known. */
  readonly preferredSide: Side;
  /** Whether products that exist on one side only are created on the other, by side they are created ON. */
  readonly createOn: Readonly<Record<Side, boolean>>;
  /** What happens on the other side when a product is deleted here. */
  readonly deletePolicy: 'archive' | 'keep';
  /**
   * [A3] The unit in which a store weighed when it took another: until it has that one again, or a person has looked, weights are neither taken nor
   * written. Null: they are. Left out in rows of before.
   */
  readonly weightsHeldFrom?: string | null;
  /** Units held back from what is published, per side; shapes what is written, never fed back. */
  readonly stockBuffer: number;
  /** Highest quantity ever published; null: no cap. */
  readonly stockCap: number | null;
  /**
   * Shopify location that WooCommerce's single number stands for. Null: none was chosen yet; the first plan takes the one that the shop calls its
   * first then, and the pair keeps it.
   */
  readonly shopifyLocationId: string | null;
  readonly linkRule: LinkRule;
  readonly stockLinkRule: StockLinkRule;
  /** A person has agreed that zero may be settled against non-zero at first link. */
  readonly allowZeroStockLink: boolean;
  /** Poll period of a realtime pair, minutes. */
  readonly syncInterval: number;
  /** Requests to each of the two stores in any 60 seconds, at most; the strictest pair of a store counts, and the store's own limits besides. */
  readonly rateLimit: number;
  /**
   * How often in a row a sync run or a plan that failed in passing is tried again after its first try, before it is called failed. Changes that come
   * by themselves are tried until they work.
   */
  readonly retryAttempts: number;
  /** Whether the log tells of each job of this pair that ended and of each write that was sent. */
  readonly enableLogging: boolean;
}

export const DEFAULT_PAIR_SETTINGS: PairSettings = {
  syncDirection: 'bidirectional',
  syncSchedule: 'realtime',
  syncProducts: true,
  syncPrices: true,
  syncInventory: true,
  stockTwoWay: true,
  enforce: false,
  conflictResolution: 'newest',
  preferredSide: 'woocommerce',
  createOn: { woocommerce: true, shopify: true },
  deletePolicy: 'archive',
  weightsHeldFrom: null,
  stockBuffer: 0,
  stockCap: null,
  shopifyLocationId: null,
  linkRule: 'woocommerce',
  stockLinkRule: 'smaller',
  allowZeroStockLink: false,
  syncInterval: 15,
  rateLimit: 1000,
  retryAttempts: 3,
  enableLogging: false,
};

/** What the last full scan found before it put anything right. */
export interface Accuracy {
  /** Fields of both sides that were read afresh, and how many of them were as they should be. */
  readonly compared: number;
  readonly equal: number;
  readonly at: number;
}

/** setup: never linked · linking: a plan is being applied, signals wait · paused: by a person · halted: by the guard. */
export const PAIR_STATUSES = ['setup', 'linking', 'active', 'paused', 'halted'] as const;
export type PairStatus = (typeof PAIR_STATUSES)[number];

export const HALT_REASONS = [
  'empty_listing',
  'shrunken_listing',
  'mass_delete',
  'mass_draft',
  'mass_zero',
  'mass_price_cut',
] as const;
export type HaltReason = (typeof HALT_REASONS)[number];

export interface Halt {
  readonly reason: HaltReason;
  readonly side: Side;
  /** How many records it is about, and the limit that they passed. */
  readonly count: number;
  readonly limit: number;
  readonly at: number;
}

const LEAVES_STOCK: ReadonlySet<HaltReason> = new Set(['mass_delete', 'mass_draft', 'mass_price_cut']);

/**
 * [G1] Whether a halt for this leaves stock alone. What was put away or cut in price says nothing against what the shops count, and to stand still
 * would do harm of its own: each sale could be made once more in the other shop. Zeros and listings cast doubt on the numbers themselves.
 */
export function doesStockGoOn(reason: HaltReason): boolean {
  return LEAVES_STOCK.has(reason);
}

/** [G1] Whether what is counted is kept the same, whatever else of the pair waits. */
export function isStockAtWork(pair: {
  readonly status: PairStatus;
  readonly halt: Halt | null;
  readonly linkedAt: number | null;
}): boolean {
  if (pair.status !== 'halted') return pair.status === 'active';
  return pair.linkedAt !== null && pair.halt !== null && doesStockGoOn(pair.halt.reason);
}
