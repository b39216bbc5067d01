import { skuKey } from '../../lib/record-keys.ts';
import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { SearchKey } from '../../model/search-key.ts';
import type { Mark } from '../../model/snapshot.ts';
import { KeyIndex } from './key-index.ts';
import { Ledger, type LedgerEntry, type LedgerKind, type NewEntry, type WriteFacts } from './ledger.ts';
import { holdProduct, holdVariant } from './lossy.ts';
import type { Personality } from './personality.ts';
import {
  markKey,
  type NewProductRecord,
  type NewVariantRecord,
  type ProductRecord,
  type StockItem,
  type VariantRecord,
} from './records.ts';
import type { WorldClock, WorldRandom } from './world.ts';

/** Who changes the shelf: null is the outside, else a landed request of ours. `known` answers for `knownSeq` and `knownAt`. */
export interface Cause extends Omit<WriteFacts, 'knownSeq' | 'knownAt' | 'overwroteSeq'> {
  readonly known: (id: string) => { readonly seq: number; readonly at: number } | null;
}

type Subject = Pick<StockItem, 'product'> & Partial<StockItem>;

export interface ShelfOptions {
  readonly clock: WorldClock;
  readonly random: WorldRandom;
  readonly personality: Personality;
  /** The store's clock minus the true one, ms. */
  readonly skewMs: () => number;
  readonly firstId: bigint;
}

/** The shop's own truth: records, and the ledger of all that ever happened to them. Every change goes through here. */
export class Shelf {
  readonly ledger = new Ledger();
  readonly products = new Map<string, ProductRecord>();
  readonly items = new Map<string, StockItem>();
  readonly #keys = new KeyIndex();
  readonly #byMark = new Map<string, Set<string>>();
  /** Registers and quantities whose present value comes from outside, with the entry that set it. */
  readonly #outsideValue = new Map<string, number>();
  readonly #options: ShelfOptions;
  nextId: bigint;
  #made = 0;
  #lastLanding = '';

  constructor(options: ShelfOptions) {
    this.#options = options;
    this.nextId = options.firstId;
  }

  /** The store's own clock. */
  now(): number {
    return this.#options.clock.now() + this.#options.skewMs();
  }

  /** Every variant that has this SKU now, in the bin or not. */
  holdersOf(sku: string): readonly StockItem[] {
    return this.bearing(`sku:${skuKey(sku)}`);
  }

  /** Every variant that can be found by this key now, in the bin or not. */
  bearing(key: SearchKey): readonly StockItem[] {
    return this.#keys.bearing(key);
  }

  /** Ids of all products that bear `mark`, the bin included. */
  bearers(mark: Mark): readonly string[] {
    return [...(this.#byMark.get(markKey(mark)) ?? [])];
  }

  addProduct(input: NewProductRecord, cause: Cause | null): ProductRecord {
    const now = this.now();
    this.#made += 1;
    const product: ProductRecord = {
      id: this.#id(),
      order: this.#made,
      fields: holdProduct(input.fields, this.#options.personality.lossy),
      variants: [],
      marks: [],
      isTrashed: false,
      createdAt: now,
      modifiedAt: now,
      visibleAt: 0,
      searchableAt: 0,
    };
    this.products.set(product.id, product);
    this.#log('add_product', { product }, null, null, product.fields, cause);
    for (const variant of input.variants) this.addVariant(product, variant, cause);
    this.#touch(product);
    if (cause?.mark) this.addMark(product, cause.mark, cause);
    return product;
  }

  addVariant(product: ProductRecord, input: NewVariantRecord, cause: Cause | null): VariantRecord {
    const id = this.#id();
    const variant: VariantRecord = {
      id,
      stockId: `i${id}`,
      fields: holdVariant(input.fields, this.#options.personality.lossy, input.stock.tracked),
      isTracked: input.stock.tracked,
      quantity: input.stock.quantity,
      stamp: null,
      isArchived: false,
      isStocked: true,
    };
    product.variants.push(variant);
    const item: StockItem = { product, variant };
    this.items.set(variant.stockId, item);
    this.#keys.add(item);
    this.#log('add_variant', { product, variant }, null, null, variant.quantity, cause);
    this.#touch(product);
    this.#searchableLater(product);
    return variant;
  }

  setProductField<F extends keyof ProductFields>(
    product: ProductRecord,
    field: F,
    to: ProductFields[F],
    cause: Cause | null,
  ): LedgerEntry {
    const from = product.fields[field];
    product.fields = holdProduct({ ...product.fields, [field]: to }, this.#options.personality.lossy);
    const entry = this.#log('set_field', { product }, field, from, product.fields[field], cause);
    this.#touch(product);
    return entry;
  }

  setVariantField<F extends keyof VariantFields>(
    item: StockItem,
    field: F,
    to: VariantFields[F],
    cause: Cause | null,
  ): LedgerEntry {
    const { product, variant } = item;
    const from = variant.fields[field];
    const isKey = field === 'sku' || field === 'barcode';
    if (isKey) this.#keys.remove(item);
    variant.fields = holdVariant(
      { ...variant.fields, [field]: to },
      this.#options.personality.lossy,
      variant.isTracked,
    );
    const entry = this.#log('set_field', { product, variant }, field, from, variant.fields[field], cause);
    this.#touch(product);
    if (isKey) {
      this.#keys.add(item);
      this.#searchableLater(product);
    }
    return entry;
  }

  setQuantity(
    item: StockItem,
    to: number,
    kind: 'sell' | 'restock' | 'recount' | 'set_stock',
    cause: Cause | null,
  ): LedgerEntry {
    const { variant } = item;
    const from = variant.isStocked ? variant.quantity : 0;
    variant.quantity = to;
    variant.isStocked = true;
    if (cause && this.#options.personality.stockWrite === 'stamped') variant.stamp = cause.key;
    const entry = this.#log(kind, item, 'quantity', from, to, cause);
    if (this.#options.personality.stockMovesModifiedAt) this.#touch(item.product);
    return entry;
  }

  setTracked(item: StockItem, to: boolean, cause: Cause | null): LedgerEntry {
    const { variant } = item;
    const from = variant.isTracked;
    variant.isTracked = to;
    const fields = holdVariant(variant.fields, this.#options.personality.lossy, to);
    // Nobody typed what the platform puts there by itself.
    if (fields.backorders !== variant.fields.backorders) this.#outsideValue.delete(`${variant.stockId}#backorders`);
    variant.fields = fields;
    const entry = this.#log('set_tracked', item, null, from, to, cause);
    this.#touch(item.product);
    return entry;
  }

  unstock(item: StockItem): LedgerEntry {
    const from = item.variant.quantity;
    item.variant.isStocked = false;
    return this.#log('unstock', item, 'quantity', from, 0, null);
  }

  archiveVariant(item: StockItem, cause: Cause | null): LedgerEntry {
    item.variant.isArchived = true;
    const entry = this.#log('archive_variant', item, null, false, true, cause);
    this.#touch(item.product);
    return entry;
  }

  /** Without a word in the ledger: what was put away makes room for a new one. */
  drop({ product, variant }: StockItem): void {
    product.variants = product.variants.filter((other) => other !== variant);
    this.#forget(variant);
  }

  deleteVariant(item: StockItem): LedgerEntry {
    this.drop(item);
    const entry = this.#log('delete_variant', item, 'quantity', item.variant.quantity, null, null);
    this.#touch(item.product);
    return entry;
  }

  addMark(product: ProductRecord, mark: Mark, cause: Cause | null): void {
    const key = markKey(mark);
    if (product.marks.some((other) => markKey(other) === key)) return;
    product.marks.push({ pairId: mark.pairId, hubId: mark.hubId });
    const bearers = this.#byMark.get(key) ?? new Set();
    this.#byMark.set(key, bearers.add(product.id));
    this.#log('set_mark', { product }, null, null, key, cause);
    this.#touch(product);
  }

  setTrashed(product: ProductRecord, to: boolean, cause: Cause | null = null): LedgerEntry {
    product.isTrashed = to;
    const entry = this.#log(to ? 'trash' : 'restore', { product }, null, !to, to, cause);
    this.#touch(product);
    return entry;
  }

  deleteProduct(product: ProductRecord): LedgerEntry {
    this.products.delete(product.id);
    for (const variant of product.variants) this.#forget(variant);
    for (const mark of product.marks) this.#byMark.get(markKey(mark))?.delete(product.id);
    return this.#log('delete', { product }, null, null, null, null);
  }

  /** A write of ours has landed on the product: once for each request, however many parts it has. */
  logLanding(product: ProductRecord, cause: Cause): void {
    const landing = `${cause.requestId} ${product.id}`;
    if (landing === this.#lastLanding) return;
    this.#lastLanding = landing;
    this.#log('write_landed', { product }, null, null, null, cause);
  }

  #log(
    kind: LedgerKind,
    { product, variant }: Subject,
    field: string | null,
    from: unknown,
    to: unknown,
    cause: Cause | null,
  ): LedgerEntry {
    const stockId = variant?.stockId ?? null;
    const register = field === null ? null : `${stockId ?? product.id}#${field}`;
    const known = stockId !== null && field === 'quantity' ? stockId : product.id;
    const base = { kind, productId: product.id, variantId: variant?.id ?? null, stockId, field, from, to };
    let entry: NewEntry;
    if (cause === null) {
      entry = { ...base, by: 'outside', write: null };
    } else {
      const { known: knownOf, ...facts } = cause;
      const answer = knownOf(known);
      const overwroteSeq = register === null ? null : (this.#outsideValue.get(register) ?? null);
      entry = {
        ...base,
        by: 'us',
        write: { ...facts, knownSeq: answer?.seq ?? null, knownAt: answer?.at ?? null, overwroteSeq },
      };
    }
    const numbered = this.ledger.append(this.#options.clock.now(), entry);
    if (register !== null) {
      // Saved as it was: the value is still whoever's it was before.
      const isKept = cause === null && JSON.stringify(from) === JSON.stringify(to);
      if (cause !== null) this.#outsideValue.delete(register);
      else if (!isKept) this.#outsideValue.set(register, numbered.seq);
    }
    return numbered;
  }

  /** Moves the modification time, which is coarse, and keeps the change out of listings by time for a while. */
  #touch(product: ProductRecord): void {
    const { modifiedStepMs, pollLagMs } = this.#options.personality;
    product.modifiedAt = Math.floor(this.now() / modifiedStepMs) * modifiedStepMs;
    product.visibleAt = this.#options.clock.now() + (pollLagMs > 0 ? this.#options.random.int(pollLagMs) : 0);
  }

  #forget(variant: VariantRecord): void {
    const item = this.items.get(variant.stockId);
    if (item) this.#keys.remove(item);
    this.items.delete(variant.stockId);
  }

  #searchableLater(product: ProductRecord): void {
    product.searchableAt = this.#options.clock.now() + this.#options.personality.searchLagMs;
  }

  #id(): string {
    this.nextId += 1n;
    return String(this.nextId - 1n);
  }
}
