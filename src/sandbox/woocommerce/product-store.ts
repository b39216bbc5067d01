import { sanitizeTitle } from './php-text.ts';
import type { ImageRecord, ProductRecord } from './records.ts';
import { RestError } from './rest-error.ts';

/** Products and variations with their indices. One id sequence for all posts: products, variations, images, orders. */
export class ProductStore {
  readonly posts = new Map<number, ProductRecord>();
  /** Ids in the order of creation, so that listing does not visit variations when it wants parents. */
  parentIds: number[] = [];
  variationIds: number[] = [];
  readonly images = new Map<number, ImageRecord>();
  readonly imageFiles = new Set<string>();
  /** Moves with every write; a cached listing is good as long as it stands still. */
  version = 0;
  readonly #skus = new Map<string, number>();
  readonly #gtins = new Map<string, number>();
  readonly #slugs = new Map<string, number>();
  #nextPostId = 11;
  #nextMetaId = 30;

  nextPostId(): number {
    return this.#nextPostId++;
  }

  nextMetaId(): number {
    return this.#nextMetaId++;
  }

  find(id: number): ProductRecord | undefined {
    return this.posts.get(id);
  }

  /** Trashed products count: they still block their SKU. The database compares SKUs without case. */
  findBySku(sku: string): ProductRecord | undefined {
    const id = this.#skus.get(skuKey(sku));
    return id === undefined ? undefined : this.posts.get(id);
  }

  findByGtin(gtin: string): ProductRecord | undefined {
    const id = this.#gtins.get(gtin);
    return id === undefined ? undefined : this.posts.get(id);
  }

  add(record: ProductRecord): void {
    this.posts.set(record.id, record);
    (record.type === 'variation' ? this.variationIds : this.parentIds).push(record.id);
    if (record.sku !== '') this.#skus.set(skuKey(record.sku), record.id);
    if (record.gtin !== '') this.#gtins.set(record.gtin, record.id);
    if (record.slug !== '') this.#slugs.set(record.slug, record.id);
    this.version++;
  }

  remove(record: ProductRecord): void {
    this.posts.delete(record.id);
    if (record.type === 'variation') this.variationIds = this.variationIds.filter((id) => id !== record.id);
    else this.parentIds = this.parentIds.filter((id) => id !== record.id);
    this.#release(this.#skus, skuKey(record.sku), record.id);
    this.#release(this.#gtins, record.gtin, record.id);
    this.#release(this.#slugs, record.slug, record.id);
    this.version++;
  }

  setSku(record: ProductRecord, sku: string): void {
    this.#release(this.#skus, skuKey(record.sku), record.id);
    record.sku = sku;
    if (sku !== '' && this.posts.has(record.id)) this.#skus.set(skuKey(sku), record.id);
  }

  setGtin(record: ProductRecord, gtin: string): void {
    this.#release(this.#gtins, record.gtin, record.id);
    record.gtin = gtin;
    if (gtin !== '' && this.posts.has(record.id)) this.#gtins.set(gtin, record.id);
  }

  /** Gives the record a free slug made of `wanted`. */
  setSlug(record: ProductRecord, wanted: string): void {
    this.#release(this.#slugs, record.slug, record.id);
    const base = sanitizeTitle(wanted);
    let slug = base;
    for (let n = 2; slug !== '' && this.#slugs.has(slug); n++) slug = `${base}-${n}`;
    record.slug = slug;
    if (slug !== '' && this.posts.has(record.id)) this.#slugs.set(slug, record.id);
  }

  assertFreeSku(sku: string, ownId: number): void {
    const holder = sku === '' ? undefined : this.findBySku(sku);
    if (!holder || holder.id === ownId) return;
    throw new RestError('product_invalid_sku', 'Invalid or duplicated SKU.', 400, {
      resource_id: holder.id,
      unique_sku: this.#freeSku(sku),
    });
  }

  assertFreeGtin(gtin: string, ownId: number): void {
    const holder = gtin === '' ? undefined : this.findByGtin(gtin);
    if (!holder || holder.id === ownId) return;
    const message = 'Invalid or duplicated GTIN, UPC, EAN or ISBN.';
    throw new RestError('product_invalid_global_unique_id', message, 400, { resource_id: holder.id });
  }

  #freeSku(sku: string): string {
    let n = 1;
    while (this.#skus.has(skuKey(`${sku}-${n}`))) n++;
    return `${sku}-${n}`;
  }

  #release(index: Map<string, number>, key: string, id: number): void {
    if (index.get(key) === id) index.delete(key);
  }
}

function skuKey(sku: string): string {
  return sku.toLowerCase();
}
