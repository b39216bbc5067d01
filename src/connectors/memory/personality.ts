import type { Platform } from '../../model/platform.ts';
import type { BackorderRule, ProductStatus } from '../../model/product.ts';
import type { Capabilities } from '../../ports/connector.ts';

/** What the platform can't hold as it is given. */
export interface Lossy {
  readonly statuses: Readonly<Partial<Record<ProductStatus, ProductStatus>>>;
  readonly backorders: Readonly<Partial<Record<BackorderRule, BackorderRule>>>;
  /** `sorted`: lower case, sorted, each once. `one_case`: the first of those that differ in letter case, sorted. */
  readonly tags: 'as_given' | 'sorted' | 'one_case';
  /** Weights are rounded to multiples of this many milligrams. */
  readonly weightStepMg: number;
  /** An item that isn't counted has no rule for backorders: "no", whatever it is given, and still so when counting begins. */
  readonly hidesBackorders: boolean;
}

/** The character of one memory platform. The presets mimic the real ones closely enough for the engine to trip where it would there. */
export interface Personality {
  readonly platform: Platform;
  readonly stockWrite: Capabilities['stockWrite'];
  /** For how long the platform says that it remembers the key of a stock call, and for how long it does. */
  readonly keyMemoryMs: number;
  readonly keysKeptMs: number;
  /** Whether an item says when its stock last moved. */
  readonly tellsStockTime: boolean;
  /** Whether a sale is told of as one of an item; elsewhere it is told as an edit of the product is. */
  readonly tellsStock: boolean;
  /** `identifier`: the platform itself refuses a second record with one mark. `listing`: it makes as many as it is asked for. */
  readonly createBy: 'identifier' | 'listing';
  /** Deleting puts into a bin. */
  readonly hasBin: boolean;
  /** A deletion for good sends no webhook. */
  readonly isHardDeleteSilent: boolean;
  /** Product and variants are written by two requests, so that a write can stop half way. */
  readonly splitWrites: boolean;
  readonly uniqueSkus: boolean;
  /** Ids of what was lost with a backup are given out again, so that each record says when it was made. */
  readonly reusesIds: boolean;
  readonly canArchiveVariant: boolean;
  /** Whether a change of stock moves the product's modification time, and so shows in `listChanged`. */
  readonly stockMovesModifiedAt: boolean;
  /** Modification times are rounded down to this. */
  readonly modifiedStepMs: number;
  /** A change may stay out of listings by time for up to this long. */
  readonly pollLagMs: number;
  /** A SKU is not found by search until this long after it was set. */
  readonly searchLagMs: number;
  readonly lossy: Lossy;
  /** After this we stop waiting for an answer. */
  readonly timeoutMs: number;
  readonly fenceMs: number;
  readonly pageSize: number;
  readonly readBatchMax: number;
  readonly stockBatchMax: number;
  readonly writeBatchMax: number;
  /** The platform's own limit, a bucket; null: none. The connector keeps to it. */
  readonly rate: { readonly burst: number; readonly perSecond: number } | null;
  /** How often an undelivered webhook is sent again, always with the body that it had first. */
  readonly webhookRetries: number;
  /** This many failures in a row switch a webhook off. */
  readonly webhookFailuresMax: number;
}

const LOSSLESS: Lossy = { statuses: {}, backorders: {}, tags: 'as_given', weightStepMg: 1, hidesBackorders: false };

const COMMON = {
  modifiedStepMs: 1_000,
  pollLagMs: 2_000,
  keyMemoryMs: 23 * 3_600_000,
  keysKeptMs: 24 * 3_600_000,
  tellsStockTime: false,
  tellsStock: true,
  lossy: LOSSLESS,
  timeoutMs: 30_000,
  fenceMs: 60_000,
  pageSize: 50,
  writeBatchMax: 20,
} as const;

/** Shopify: compare-and-set on stock, upsert by our identifier, no bin, tags without regard to case, weights and backorders coarser than ours. */
const SHOPIFY: Personality = {
  ...COMMON,
  platform: 'shopify',
  stockWrite: 'compare_and_set',
  tellsStockTime: true,
  createBy: 'identifier',
  hasBin: false,
  isHardDeleteSilent: false,
  splitWrites: false,
  uniqueSkus: false,
  reusesIds: false,
  canArchiveVariant: false,
  stockMovesModifiedAt: true,
  searchLagMs: 8_000,
  lossy: {
    statuses: {},
    backorders: { notify: 'yes' },
    tags: 'one_case',
    weightStepMg: 1_000,
    hidesBackorders: false,
  },
  readBatchMax: 25,
  stockBatchMax: 250,
  rate: { burst: 40, perSecond: 40 },
  webhookRetries: 8,
  webhookFailuresMax: 8,
};

/** WooCommerce by its REST API alone: blind stock writes with a stamp, creates found by listing, a bin, silent deletes, a sale told of as an edit is, and no word of it when polled. */
const WOO: Personality = {
  ...COMMON,
  platform: 'woocommerce',
  stockWrite: 'stamped',
  tellsStock: false,
  createBy: 'listing',
  hasBin: true,
  isHardDeleteSilent: true,
  splitWrites: true,
  uniqueSkus: true,
  reusesIds: true,
  canArchiveVariant: true,
  stockMovesModifiedAt: false,
  searchLagMs: 0,
  lossy: { statuses: { archived: 'draft' }, backorders: {}, tags: 'sorted', weightStepMg: 10, hidesBackorders: true },
  readBatchMax: 100,
  stockBatchMax: 100,
  rate: { burst: 20, perSecond: 20 },
  webhookRetries: 0,
  webhookFailuresMax: 6,
};

/** WooCommerce with our plugin: keys that are remembered, atomic creates by mark, everything polled. */
const WOO_PLUGIN: Personality = {
  ...WOO,
  stockWrite: 'keyed',
  tellsStock: true,
  createBy: 'identifier',
  splitWrites: false,
  stockMovesModifiedAt: true,
  webhookRetries: 5,
};

export const PERSONALITIES = { shopify: SHOPIFY, woo: WOO, wooPlugin: WOO_PLUGIN } as const;
export type PersonalityName = keyof typeof PERSONALITIES;

/** What such a platform's connector says of it. */
export function capabilitiesOf(personality: Personality): Capabilities {
  const { stockWrite, keyMemoryMs, fenceMs, readBatchMax, stockBatchMax, writeBatchMax } = personality;
  const { canArchiveVariant, tellsStock, lossy } = personality;
  const batches = { readBatchMax, stockBatchMax, writeBatchMax };
  const { hidesBackorders } = lossy;
  const makesByMark = personality.createBy === 'identifier';
  return {
    ...{ stockWrite, keyMemoryMs, fenceMs, makesByMark, ...batches },
    ...{ canArchiveVariant, tellsStock, hidesBackorders, loneOptions: 'free', weighsInOneUnit: false },
  };
}
