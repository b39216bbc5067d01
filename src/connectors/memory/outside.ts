import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { LedgerEntry } from './ledger.ts';
import type { NewProductRecord, NewVariantRecord, ProductRecord, StockItem } from './records.ts';
import type { Shelf } from './shelf.ts';

export type Topic =
  | 'product.created'
  | 'product.updated'
  | 'product.deleted'
  | 'product.restored'
  | 'inventory.updated';

/** Tells the platform that something happened, for its webhooks. */
export type Emit = (topic: Topic, product: ProductRecord, stockId: string | null, by: 'outside' | 'us') => void;

/**
 * The merchant's and the shoppers' hands. Every action is an outside change in the ledger, with webhooks as the platform sends them.
 * An action that the platform would not let anyone do (a sale of what is sold out, an edit of what is gone) gives null and changes nothing.
 */
export class Outside {
  readonly #shelf: Shelf;
  readonly #emit: Emit;
  readonly #uniqueSkus: boolean;
  readonly #hasBin: boolean;

  constructor(shelf: Shelf, emit: Emit, rules: { readonly uniqueSkus: boolean; readonly hasBin: boolean }) {
    this.#shelf = shelf;
    this.#emit = emit;
    this.#uniqueSkus = rules.uniqueSkus;
    this.#hasBin = rules.hasBin;
  }

  addProduct(input: NewProductRecord): ProductRecord {
    const product = this.#shelf.addProduct(input, null);
    this.#emit('product.created', product, null, 'outside');
    return product;
  }

  /** As WooCommerce's "Duplicate": a draft with everything of the original, what others noted on it included, and with SKUs of its own. */
  duplicateProduct(productId: string): ProductRecord | null {
    const original = this.#live(productId);
    if (!original) return null;
    const { title, handle } = original.fields;
    const copy = this.#shelf.addProduct(
      {
        fields: { ...original.fields, title: `${title} (Copy)`, handle: `${handle}-copy`, status: 'draft' },
        variants: original.variants.map(({ fields, isTracked, quantity }) => ({
          fields: { ...fields, sku: fields.sku === '' ? '' : `${fields.sku}-1`, barcode: '' },
          stock: { tracked: isTracked, quantity },
        })),
      },
      null,
    );
    for (const mark of original.marks) this.#shelf.addMark(copy, mark, null);
    this.#emit('product.created', copy, null, 'outside');
    return copy;
  }

  /** A backup of the shop is put back: what was made from this id on is lost, nobody is told, and the next records are given these ids again. */
  putBack(firstId: string): void {
    const from = BigInt(firstId);
    for (const product of [...this.#shelf.products.values()])
      if (BigInt(product.id) >= from) this.#shelf.deleteProduct(product);
    this.#shelf.nextId = from;
  }

  addVariant(productId: string, input: NewVariantRecord): LedgerEntry | null {
    const product = this.#live(productId);
    if (!product || this.#isTaken(input.fields.sku, null)) return null;
    this.#shelf.addVariant(product, input, null);
    return this.#changed(product, this.#shelf.ledger.entries.at(-1) ?? null);
  }

  deleteVariant(stockId: string): LedgerEntry | null {
    const item = this.#item(stockId);
    if (!item || item.product.variants.length < 2) return null;
    return this.#changed(item.product, this.#shelf.deleteVariant(item));
  }

  editProduct<F extends keyof ProductFields>(productId: string, field: F, to: ProductFields[F]): LedgerEntry | null {
    const product = this.#live(productId);
    return product ? this.#changed(product, this.#shelf.setProductField(product, field, to, null)) : null;
  }

  editVariant<F extends keyof VariantFields>(stockId: string, field: F, to: VariantFields[F]): LedgerEntry | null {
    const item = this.#item(stockId);
    if (!item || (field === 'sku' && this.#isTaken(to as string, item))) return null;
    return this.#changed(item.product, this.#shelf.setVariantField(item, field, to, null));
  }

  renameSku(stockId: string, sku: string): LedgerEntry | null {
    return this.editVariant(stockId, 'sku', sku);
  }

  /** Gives one item the SKU of another; null where the platform keeps SKUs unique. */
  duplicateSku(fromStockId: string, ontoStockId: string): LedgerEntry | null {
    const from = this.#item(fromStockId);
    return from ? this.editVariant(ontoStockId, 'sku', from.variant.fields.sku) : null;
  }

  /** A shopper buys `count`. Null when the shop would not sell it: gone, in the bin, sold out without backorders, or uncounted (nothing moves). */
  sell(stockId: string, count: number): LedgerEntry | null {
    const item = this.#item(stockId);
    if (!item?.variant.isTracked) return null;
    const left = item.variant.quantity - count;
    if (left < 0 && item.variant.fields.backorders === 'no') return null;
    return this.#stock(item, this.#shelf.setQuantity(item, left, 'sell', null));
  }

  restock(stockId: string, count: number): LedgerEntry | null {
    const item = this.#item(stockId);
    if (!item?.variant.isTracked) return null;
    return this.#stock(item, this.#shelf.setQuantity(item, item.variant.quantity + count, 'restock', null));
  }

  /** The merchant types a number. */
  recount(stockId: string, quantity: number): LedgerEntry | null {
    const item = this.#item(stockId);
    return item ? this.#stock(item, this.#shelf.setQuantity(item, quantity, 'recount', null)) : null;
  }

  setTracked(stockId: string, isTracked: boolean): LedgerEntry | null {
    const item = this.#item(stockId);
    return item ? this.#changed(item.product, this.#shelf.setTracked(item, isTracked, null)) : null;
  }

  /** Takes the item's level at the mapped location away. */
  unstock(stockId: string): LedgerEntry | null {
    const item = this.#item(stockId);
    return item ? this.#stock(item, this.#shelf.unstock(item)) : null;
  }

  /** `bin` deletes for good where there is no bin. */
  deleteProduct(productId: string, how: 'bin' | 'hard'): LedgerEntry | null {
    const product = this.#shelf.products.get(productId);
    if (!product || (how === 'bin' && product.isTrashed)) return null;
    const isTrash = how === 'bin' && this.#hasBin;
    const entry = isTrash ? this.#shelf.setTrashed(product, true) : this.#shelf.deleteProduct(product);
    this.#emit('product.deleted', product, null, 'outside');
    return entry;
  }

  /** Out of the bin. */
  restore(productId: string): LedgerEntry | null {
    const product = this.#shelf.products.get(productId);
    if (!product?.isTrashed) return null;
    const entry = this.#shelf.setTrashed(product, false);
    this.#emit('product.restored', product, null, 'outside');
    return entry;
  }

  #live(productId: string): ProductRecord | null {
    const product = this.#shelf.products.get(productId);
    return product && !product.isTrashed ? product : null;
  }

  #item(stockId: string): StockItem | null {
    const item = this.#shelf.items.get(stockId);
    return item && !item.product.isTrashed ? item : null;
  }

  #isTaken(sku: string, except: StockItem | null): boolean {
    if (!this.#uniqueSkus || sku === '') return false;
    return this.#shelf.holdersOf(sku).some(({ variant }) => variant !== except?.variant);
  }

  #changed(product: ProductRecord, entry: LedgerEntry | null): LedgerEntry | null {
    this.#emit('product.updated', product, null, 'outside');
    return entry;
  }

  #stock(item: StockItem, entry: LedgerEntry): LedgerEntry {
    this.#emit('inventory.updated', item.product, item.variant.stockId, 'outside');
    return entry;
  }
}
