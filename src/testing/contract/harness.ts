import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { Connector, ProductWrite, RawDelivery } from '../../ports/connector.ts';

/**
 * What a connector's author provides so that `describeConnectorContract` can hold the connector to its rules. One harness is made
 * for each test: a store with nothing else in it where that is possible (a sandbox), or a shared one (a real store: then every record
 * carries a unique text and the tests look only at their own).
 *
 * Every call of the connector must settle by itself: a harness on virtual time turns its clock while calls are pending.
 * Request timeouts should be set low (say 200 ms) when time is real, with `timeout` faults holding the answer back for longer.
 */
export interface ContractHarness {
  readonly connector: Connector;
  /** The store's currency (ISO 4217). A test that asked for another is skipped. */
  readonly currency: string;
  /** What this harness can't do, each with the reason that the skipped test prints. */
  readonly cannot: Readonly<Partial<Record<Ability, string>>>;
  /** Well-formed ids that no record bears. */
  readonly unknown: { readonly productId: string; readonly stockId: string };
  /** Most products that one page of `scan` and of `listChanged` holds. */
  readonly pageSize: number;
  readonly shop: ShopControls;
  readonly faults: FaultControls;
  readonly webhooks: WebhookControls;
  /** Every credential in use: tokens, keys, webhook secrets, passwords. */
  readonly secrets: readonly string[];
  /** A create that this platform refuses for what it says (a title too long, a SKU that is taken): made afresh on each call. */
  refusedCreate(): Promise<ProductWrite>;
  /** Every log line, and every URL that was asked for, so far. */
  captured(): readonly string[];
  /** The time that the connector goes by, ms. */
  now(): number;
  /** Lets time pass: virtual where it can be, else by waiting. */
  advance(ms: number): Promise<void>;
  /** Waits until the platform's search index has caught up with all writes so far. */
  settleSearch(): Promise<void>;
  /** A second connector onto the same store that shares no memory with the first: the process was restarted. */
  reopen(): Promise<Connector>;
  close(): Promise<void>;
}

/** What a test asks of the store. What can't be had is left out, with a word in `cannot`. */
export interface HarnessRequest {
  readonly currency?: string;
  /** Product, variant and stock ids beyond 2^53 (e.g. 9007199254740993). Ability `huge_ids`. */
  readonly hugeIds?: boolean;
  /** Pages of this many products. Ability `small_pages`. */
  readonly pageSize?: number;
  /** The store's clock minus ours, ms. Ability `clock_skew`. */
  readonly clockSkewMs?: number;
}

export type MakeHarness = (request: HarnessRequest) => Promise<ContractHarness>;

export const ABILITIES = [
  /** `faults` works at all. */
  'faults',
  /** `faults.requestCount` works. */
  'request_counts',
  /** `shop.revokeCredentials` and `shop.restoreCredentials` work. */
  'revoke',
  /** `captured` is complete. */
  'capture',
  /** The platform has a bin: `shop.trash`, `shop.restore`. */
  'bin',
  /** A barcode that a person types is kept, and products are found by it. */
  'barcodes',
  /** Two products may have one SKU. */
  'duplicate_skus',
  /** `faults.shutSku` works. */
  'shut_skus',
  /** `listChanged` names a record whose stock alone moved. */
  'poll_sees_sales',
  /** `shop.unstock` works: an item without a level at the mapped location. */
  'unstocked',
  'huge_ids',
  'small_pages',
  'clock_skew',
  /** The store holds nothing but what the test made. */
  'empty_store',
  /** `webhooks.list`, `.addForeign`, `.breakOne` work. */
  'webhook_admin',
  /** `webhooks.take` gives what the platform really sent. */
  'deliveries',
  /** `webhooks.sign` works for the current secret and a stranger's. */
  'sign',
  /** `webhooks.sign` works for the previous secret of a rotation, and the connector was given it. */
  'previous_secret',
  /** `refusedCreate` works. */
  'refusal',
  /** `reopen` works. */
  'reopen',
  /** `shop.editProduct`/`editVariant`/`sell`/... may run between two pages of a scan. */
  'edits_while_scanning',
  /** `advance` lets a day pass at once. */
  'days',
] as const;
export type Ability = (typeof ABILITIES)[number];

export interface ShopVariant {
  readonly fields: VariantFields;
  readonly stock: { readonly tracked: boolean; readonly quantity: number };
}

export interface ShopProduct {
  readonly fields: ProductFields;
  readonly variants: readonly ShopVariant[];
}

export interface ShopRecord {
  readonly externalId: string;
  /** In the order given. */
  readonly variants: readonly { readonly externalId: string; readonly stockId: string }[];
}

/**
 * The merchant's and the shopper's hands: straight at the store, past the connector (a sandbox's controls, or plain calls of the real API),
 * so that a mistake in the connector's mappers can't hide itself. Values are canonical; what the platform can't hold it holds as well as it can.
 */
export interface ShopControls {
  addProduct(product: ShopProduct): Promise<ShopRecord>;
  editProduct(
    externalId: string,
    fields: Partial<Pick<ProductFields, 'title' | 'descriptionHtml' | 'status' | 'tags'>>,
  ): Promise<void>;
  editVariant(
    productId: string,
    variantId: string,
    fields: Partial<Pick<VariantFields, 'sku' | 'barcode' | 'price'>>,
  ): Promise<void>;
  /** A shopper buys. */
  sell(stockId: string, count: number): Promise<void>;
  /** The merchant types a number. */
  setStock(stockId: string, quantity: number): Promise<void>;
  /** The number that the platform itself holds. */
  quantity(stockId: string): Promise<number>;
  /** Takes the item's level at the mapped location away. */
  unstock(stockId: string): Promise<void>;
  /** Into the bin. */
  trash(externalId: string): Promise<void>;
  /** Out of the bin. */
  restore(externalId: string): Promise<void>;
  /** For good. */
  destroy(externalId: string): Promise<void>;
  /** The platform's own raw record as plain data: compared for equality, never understood. Null when there is none. */
  peek(externalId: string): Promise<unknown>;
  /** From now on every call is answered as the platform answers revoked credentials. */
  revokeCredentials(): Promise<void>;
  restoreCredentials(): Promise<void>;
}

/**
 * `when`: whether the effect of the request happens. `malformed`: 200 with a body that is no answer of this API (an HTML page of a proxy).
 * `html_404`: 404 with an HTML page, as when the site has moved or its API was switched off: not an exact "no such record".
 */
export type InjectedFault =
  | { readonly type: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly type: 'server_error'; readonly when: 'before' | 'after' }
  | { readonly type: 'timeout'; readonly when: 'before' | 'after' }
  | { readonly type: 'connection_lost'; readonly when: 'before' | 'after' }
  | { readonly type: 'malformed' }
  | { readonly type: 'html_404' };

export interface FaultPlacement {
  /** Which requests count: those that can change the store (`write`: mutations, POST, PUT, DELETE), the others, or all. */
  readonly on: 'read' | 'write' | 'any';
  /** How often the fault fires; 1 when left out; Infinity until `clear()`. */
  readonly times?: number;
  /** How many matching requests pass unharmed first; 0 when left out. */
  readonly skip?: number;
}

export interface FaultControls {
  /** Faults that this harness can inject. */
  readonly supported: readonly InjectedFault['type'][];
  inject(fault: InjectedFault, placement: FaultPlacement): void;
  /** From now on a search that names this SKU is turned away by what stands before the store. */
  shutSku(sku: string): void;
  /** Of what was injected. */
  clear(): void;
  /** Faults that have fired so far. */
  firedCount(): number;
  /** Requests that reached the store so far (those of `shop` not counted). A batch is one. */
  requestCount(kind: 'read' | 'write'): number;
  /** How often the store itself refused us for being too fast (injected faults not counted); null when it has no limit of its own, or that is not seen. */
  ownThrottleCount(): number | null;
}

export interface WebhookControls {
  readonly callbackUrl: string;
  /** Every webhook of the store, whoever made it. */
  list(): Promise<readonly { readonly id: string; readonly url: string; readonly isActive: boolean }[]>;
  /** Another app's webhook. */
  addForeign(url: string): Promise<void>;
  /** Does to one of ours what platforms do after failures: switches it off, or deletes it. */
  breakOne(): Promise<void>;
  /** Deliveries that the platform sent to `callbackUrl` since the last call, in order of sending; waits for those that are due. */
  take(): Promise<readonly RawDelivery[]>;
  /** A delivery as the platform would sign it, of any bytes. `stranger`: another secret. */
  sign(body: Uint8Array, secret: 'current' | 'previous' | 'stranger'): RawDelivery;
}

/** Fills a control that the harness doesn't have; `cannot` must name the ability, so that it is never called. */
export function unavailable(ability: Ability): () => never {
  return () => {
    throw new Error(`the harness has no ${ability}; add it to cannot`);
  };
}
