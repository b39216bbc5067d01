import type { ConnectorError } from '../model/connector-error.ts';
import type { VariantId } from '../model/ids.ts';
import type { Platform } from '../model/platform.ts';
import type { CanonicalProduct, ProductFields, VariantFields } from '../model/product.ts';
import type { SearchKey } from '../model/search-key.ts';
import type { Signal, VerifiedDelivery } from '../model/signal.ts';
import type { Mark, ProductSnapshot } from '../model/snapshot.ts';
import type { StockReading } from '../model/stock.ts';
import type { Finding, StoreInfo, StoreUnits } from '../model/store-info.ts';

/**
 * One store on one platform, as the engine sees it. The engine never asks "which platform?": it asks what this connector
 * can do. Sentences marked [Cn] are held by `src/testing/contract/`, which every connector runs.
 *
 * [C1] Every failure is a `ConnectorError` of one of the eight kinds; nothing else is thrown.
 * [C2] A read never changes the store.
 * [C3] Reading the same unchanged record twice gives equal snapshots.
 * [C4] Reading back what was written gives `represent(what was written)`, field by field; writing back what was read changes nothing on the platform that a read could see.
 * [C5] `readProducts` and `readStock` answer for every id asked, in the order asked. "No such record" is `not_found`
 *      and comes only from the platform's exact answer; a failure of the whole call is thrown.
 * [C6] A product in the platform's bin is read with `trashed: true` where the platform has a bin.
 * [C7] One refused item never fails the others of its batch: each write has its own outcome.
 * [C8] A write that may have happened is `unknown_outcome`, never `timeout` and never a success.
 * [C9] The connector itself keeps to the platform's rate, waits for it, and honours `Retry-After`; only when waiting would
 *      take longer than 30 s it fails with `rate_limited`. It repeats reads on passing faults a few times; it never
 *      repeats a write whose outcome is unknown.
 * [C10] Text of people (titles with emoji, quotes, HTML) arrives and leaves without loss, up to `represent`.
 * [C11] Ids are text: none passes through a floating point number.
 * [C27] Once its `signal` is aborted, a write sends nothing of what it has not begun and says so (`unavailable`, `isCancelled`); what it has begun
 *      goes on to its answer, follow-ups and reading back included, until `cut` is aborted (left out: the same moment).
 * [C12] No error message, log line or URL carries a credential (except where the platform allows nothing else: then over TLS only).
 */
export interface Connector {
  readonly platform: Platform;
  readonly capabilities: Capabilities;

  /**
   * What reading back `product` would give after it was written here: the lossy parts made visible (a status the platform
   * lacks, letter case of tags, a price it can't hold), every item being counted (`hidesBackorders`). Pure; represent(represent(x)) equals represent(x) [C13].
   */
  represent(product: CanonicalProduct): CanonicalProduct;

  /**
   * What can be known to be refused of a write before anything is sent, in the words in which `writeProducts` would refuse it; null: nothing.
   * Pure [C28]. `bin`: as it was listed, where it was.
   */
  refusalOf(write: ProductWrite, bin?: Bin): ConnectorError | null;

  /** What lies in the bin and keeps its SKUs from new records, which `refusalOf` foretells by it; empty where no bin does that [C31]. */
  listBin(signal?: AbortSignal): Promise<Bin>;

  /**
   * The doctor: is this store reachable, permitted, and fit, and can its webhooks come to `callbackUrl` (null: no store can reach this server; left
   * out: not looked at)? Never throws: what fails becomes an `error` finding. `info` is null when the store couldn't be read. [C14]
   */
  inspect(
    signal?: AbortSignal,
    callbackUrl?: string | null,
  ): Promise<{ readonly info: StoreInfo | null; readonly findings: readonly Finding[] }>;

  /**
   * What the store's numbers mean, by an answer that was asked for at `since` (ms, by our clock) or later; who asks meanwhile shares it. What is
   * read and written from then on goes by it [C30].
   */
  readUnits(since: number, signal?: AbortSignal): Promise<StoreUnits>;

  /** Products by platform id, complete with all variants and stock. At most `readBatchMax` ids. Where ids may be given out again they tell when each was made [C32]. */
  readProducts(externalIds: readonly string[], signal?: AbortSignal): Promise<readonly ReadOutcome<ProductSnapshot>[]>;

  /**
   * Stock by stock id. At most `stockBatchMax` ids. An item that is counted, and not stocked at the mapped location,
   * is no reading of 0: it is not counted there, and `limited: 'elsewhere'`.
   * Where the platform tells when an item moved, `unmovedSince` is never before that, however its clock goes and however long the answer took [C26].
   */
  readStock(stockIds: readonly string[], signal?: AbortSignal): Promise<readonly ReadOutcome<StockReading>[]>;

  /**
   * Sets stock to absolute quantities. At most `stockBatchMax` writes of different items, each with its own outcome [C7].
   * With `stockWrite: 'compare_and_set'` or `'keyed'`, an item whose quantity is not `expected` is left alone and is `stale` [C15].
   * With `'keyed'`, a repeat of a key that was applied before is `already_applied` and never applies again, not even when the item is back at `expected` [C16].
   * With `'compare_and_set'`, the writes of a call are one request, done whole or not at all: beside one that is refused, nothing is done of the
   * others, and they are `withheld` [C25]. A repeat of the same writes (all of them, in any order) never applies again [C16]; it may answer `stale`.
   * With `'stamped'`, `expected` is ignored and the item carries `key` as its stamp afterwards [C17].
   */
  writeStock(
    writes: readonly StockWrite[],
    signal?: AbortSignal,
    cut?: AbortSignal,
  ): Promise<readonly StockWriteOutcome[]>;

  /**
   * Creates and updates. At most `writeBatchMax`, each with its own outcome; a success carries the record as it is now. A new variant takes the
   * place of the one that was put away in its product under the same SKU (without one: the same option values), which that one keeps from nobody
   * meanwhile [C29], and may have the SKU, barcode or option values that another one gives up in the same write [C4].
   */
  writeProducts(
    writes: readonly ProductWrite[],
    signal?: AbortSignal,
    cut?: AbortSignal,
  ): Promise<readonly WriteOutcome[]>;

  /**
   * The record that bears `mark`, the bin included, or null when there is none [C18]. Exact as soon as the create has landed:
   * never answered from an index that lags. `createdAfter` (ms): the record, if it exists, was made after it. What bears the mark and `isOther`, a copy
   * that was made in the shop and is known as a product of its own, is passed over.
   */
  findByMark(
    mark: Mark,
    createdAfter: number,
    signal?: AbortSignal,
    isOther?: (externalId: string) => boolean,
  ): Promise<ProductSnapshot | null>;

  /**
   * Products that have one of these SKUs or GTINs on any variant, each product once; compared whole and as `searchKeys` does, so that a GTIN
   * is found however many zeros stand before it. May lag behind recent writes. At most 100 keys. Where the platform has no search for barcodes, none is found by one.
   * Where one of them can't be searched for, nothing is said of any: it is `rejected`. `unsearched` names such a key where it is known; without it the call goes on [C33].
   */
  findByKeys(keys: readonly SearchKey[], signal?: AbortSignal): Promise<readonly ProductSnapshot[]>;

  /**
   * The whole catalogue (bin excluded, every status), page by page. Each page may be the last thing that happens before a crash: `resume`
   * given back continues after that page [C19]. The last page, and only it, has `isComplete: true`; a listing that
   * was cut short throws instead of ending [C20].
   */
  scan(request: ScanRequest): AsyncIterable<ScanPage>;

  /**
   * Records changed since `cursor` (opaque, null = from now on), with enough overlap that none is missed although the
   * platform's times are coarse and late; repeats are expected [C21].
   */
  listChanged(cursor: string | null, signal?: AbortSignal): Promise<ChangedPage>;

  /**
   * Checks a webhook over its raw bytes, in constant time, against the current and, during a rotation, the previous secret.
   * Null when it isn't authentic [C22]. Pure and synchronous. An authentic body that can't be understood has no signals.
   */
  verifyDelivery(delivery: RawDelivery): VerifiedDelivery | null;

  /**
   * Makes sure that every needed webhook points at `callbackUrl`, re-enabling and re-creating what is missing; leaves those of others alone [C23].
   * Where no delivery could be checked, because the secret is not known, none is kept.
   */
  ensureWebhooks(
    callbackUrl: string,
    signal?: AbortSignal,
  ): Promise<{ readonly active: number; readonly repaired: number }>;

  /** Removes our webhooks that point at `callbackUrl`. */
  removeWebhooks(callbackUrl: string, signal?: AbortSignal): Promise<void>;

  /** How this store has been answering, for the health page. */
  health(): ConnectorHealth;
  /** [P2] A person wants it tried now: what it does not ask for a while, since it was turned away, is asked for again. Absent: there is no such thing. */
  readonly askAgain?: () => void;
  close(): Promise<void>;
}

/** Whose SKU each is. */
export type Bin = ReadonlyMap<SearchKey, BinRecord>;

export interface BinRecord {
  readonly externalId: string;
  readonly title: string;
}

export interface Capabilities {
  /**
   * How a stock write's fate is known. `keyed`: the platform remembers keys and says what happened. `compare_and_set`: it refuses
   * when the quantity is not the expected one. `stamped`: it sets blindly, but carries our key.
   */
  readonly stockWrite: 'keyed' | 'compare_and_set' | 'stamped';
  /** For so long after a stock call was sent its keys are remembered, ms: after that, a repeat would be a call of its own [C16]. */
  readonly keyMemoryMs: number;
  /** Longer than any request of ours can still land after we stopped waiting for it, ms. */
  readonly fenceMs: number;
  readonly readBatchMax: number;
  readonly stockBatchMax: number;
  /** So many that the last of them leaves shortly after the first: what was read before the call must not grow old inside of it. */
  readonly writeBatchMax: number;
  /** Whether a create goes by its mark: where a record bears that already, none is made and that one is written over. */
  readonly makesByMark: boolean;
  /** Whether a variant can be put away without deleting it. */
  readonly canArchiveVariant: boolean;
  /**
   * Whether the rule for backorders of an item that the platform does not count can't be kept there: it reads as "no", whatever was
   * written, and begins as "no" when the item is counted again. Where it is false, the rule is kept whether the item is counted or not [C24].
   */
  readonly hidesBackorders: boolean;
  /**
   * Whether the options of a product with a single variant can be added to it and taken away (`free`), only added (`added`), or neither (`kept`):
   * the other is refused.
   */
  readonly loneOptions: 'free' | 'added' | 'kept';
  /** Whether weights are numbers in the store's one unit: another unit then changes what all of them mean. Else each bears its own. */
  readonly weighsInOneUnit: boolean;
  /** Whether a delivery about a change of stock names the item (`stock`). Where it is false, a sale is told of as an edit of its product is [C22]. */
  readonly tellsStock: boolean;
}

export type ReadOutcome<T> =
  /** `at`: when its answer came, where a call takes several requests (ms, by our clock); left out: when the call ended. */
  | { readonly ok: true; readonly value: T; readonly at?: number }
  | { readonly ok: false; readonly error: ConnectorError };

export interface StockWrite {
  readonly stockId: string;
  /** Quantity the item is believed to hold. */
  readonly expected: number;
  readonly to: number;
  readonly key: string;
}

export type StockWriteOutcome =
  | { readonly outcome: 'applied' }
  | { readonly outcome: 'already_applied' }
  /** An earlier try of this call is known to have failed: nothing was done under these keys, and nothing will be. */
  | { readonly outcome: 'already_failed' }
  | { readonly outcome: 'stale' }
  /** Nothing was done now, for the sake of others in the call, or because something had to be prepared (`cause`). In a call without those it may go through. */
  | { readonly outcome: 'withheld'; readonly cause: ConnectorError | null }
  | { readonly outcome: 'failed'; readonly error: ConnectorError };

export interface NewVariant {
  readonly variantId: VariantId;
  readonly fields: VariantFields;
  /** Stock that the variant starts with; set in the same call where the platform can, so that it is never sold from a wrong number. */
  readonly stock: { readonly tracked: boolean; readonly quantity: number };
}

export interface ProductCreate {
  readonly type: 'create';
  readonly mark: Mark;
  readonly fields: ProductFields;
  readonly variants: readonly NewVariant[];
}

export type ProductWrite =
  | ProductCreate
  | {
      readonly type: 'update';
      readonly externalId: string;
      /** Only what changes. `handle` is never among it. */
      readonly fields: Partial<ProductFields>;
      readonly variants: readonly { readonly externalId: string; readonly fields: Partial<VariantFields> }[];
      readonly newVariants: readonly NewVariant[];
      /** Variants to put away (`canArchiveVariant`). */
      readonly archiveVariants: readonly string[];
      /** Sets our mark on a record that somebody else made: at first link. */
      readonly mark?: Mark;
      /** The snapshot that the write was decided on. */
      readonly seen: ProductSnapshot;
    };

export type WriteOutcome =
  | {
      readonly ok: true;
      readonly snapshot: ProductSnapshot;
      /** External ids of the `newVariants` (or a create's `variants`) in the order they were given. */
      readonly newVariantIds: readonly string[];
    }
  | { readonly ok: false; readonly error: ConnectorError };

export interface ScanRequest {
  readonly resume: string | null;
  readonly signal?: AbortSignal;
}

export interface ScanPage {
  readonly snapshots: readonly ProductSnapshot[];
  readonly resume: string;
  readonly isComplete: boolean;
}

export interface ChangedPage {
  readonly signals: readonly Signal[];
  readonly cursor: string;
  /** More is waiting: ask again at once. */
  readonly hasMore: boolean;
  /** Why changes of stock could not be listed, as `ProductSnapshot.stockUnread`; they are once they can be. */
  readonly stockUnread?: string;
}

export interface RawDelivery {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ConnectorHealth {
  readonly lastContactAt: number | null;
  readonly lastErrorAt: number | null;
  readonly lastErrorKind: string | null;
  readonly callCount: number;
  readonly failureCount: number;
  readonly throttledCount: number;
  /** Median and 99th percentile of recent calls, ms; null before the first. */
  readonly latencyP50Ms: number | null;
  readonly latencyP99Ms: number | null;
}
