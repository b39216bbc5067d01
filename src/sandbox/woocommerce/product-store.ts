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
  readonly #skus = new Map<string, Set<number>>();
  readonly #gtins = new Map<string, Set<number>>();
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

  /** One that is not in the bin, where there is one. The database compares SKUs without case. */
  findBySku(sku: string): ProductRecord | undefined {
    return this.#first(this.#skus.get(skuKey(sku)));
  }

  findByGtin(gtin: string): ProductRecord | undefined {
    return this.#first(this.#gtins.get(gtin));
  }

  listBySku(sku: string): readonly ProductRecord[] {
    return this.#records(this.#skus.get(skuKey(sku)));
  }

  listByGtin(gtin: string): readonly ProductRecord[] {
    return this.#records(this.#gtins.get(gtin));
  }

  add(record: ProductRecord): void {
    this.posts.set(record.id, record);
    (record.type === 'variation' ? this.variationIds : this.parentIds).push(record.id);
    if (record.sku !== '') hold(this.#skus, skuKey(record.sku), record.id);
    if (record.gtin !== '') hold(this.#gtins, record.gtin, record.id);
    if (record.slug !== '') this.#slugs.set(record.slug, record.id);
    this.version++;
  }

  remove(record: ProductRecord): void {
    this.posts.delete(record.id);
    if (record.type === 'variation') this.variationIds = this.variationIds.filter((id) => id !== record.id);
    else this.parentIds = this.parentIds.filter((id) => id !== record.id);
    this.#skus.get(skuKey(record.sku))?.delete(record.id);
    this.#gtins.get(record.gtin)?.delete(record.id);
    this.#release(this.#slugs, record.slug, record.id);
    this.version++;
  }

  setSku(record: ProductRecord, sku: string): void {
    this.#skus.get(skuKey(record.sku))?.delete(record.id);
    record.sku = sku;
    if (sku !== '' && this.posts.has(record.id)) hold(this.#skus, skuKey(sku), record.id);
  }

  setGtin(record: ProductRecord, gtin: string): void {
    this.#gtins.get(record.gtin)?.delete(record.id);
    record.gtin = gtin;
    if (gtin !== '' && this.posts.has(record.id)) hold(this.#gtins, gtin, record.id);
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

  /** What is in the bin keeps its SKU from new products alone: by the look-up table, which has one row for a SKU when it is claimed. */
  assertFreeSku(sku: string, own: ProductRecord): void {
    const holders = sku === '' ? [] : this.listBySku(sku).filter(({ id }) => id !== own.id);
    const holder = holders.find((record) => record.status !== 'trash');
    if (holder)
      throw new RestError('product_invalid_sku', 'Invalid or duplicated SKU.', 400, {
        resource_id: holder.id,
        unique_sku: this.#freeSku(sku),
      });
    if (holders.length === 0 || own.type === 'variation' || this.posts.has(own.id)) return;
    const message = `The product with SKU (${sku}) you are trying to insert is already present in the lookup table`;
    throw new RestError('woocommerce_rest_product_not_created', message, 400);
  }

  /** What is in the bin keeps no GTIN from anybody. */
  assertFreeGtin(gtin: string, own: ProductRecord): void {
    const holders = gtin === '' ? [] : this.listByGtin(gtin);
    const holder = holders.find((record) => record.id !== own.id && record.status !== 'trash');
    if (!holder) return;
    const message = 'Invalid or duplicated GTIN, UPC, EAN or ISBN.';
    throw new RestError('product_invalid_global_unique_id', message, 400, { resource_id: holder.id });
  }

  /** What comes out of the bin gives way: a product (no variation) whose SKU is taken gets another one, and none of a GTIN that is taken. */
  makeUnique(record: ProductRecord): void {
    const isTaken = (others: readonly ProductRecord[]) =>
      others.some(({ id, status }) => id !== record.id && status !== 'trash');
    if (record.sku !== '' && isTaken(this.listBySku(record.sku))) this.setSku(record, this.#freeSku(record.sku));
    if (record.gtin !== '' && isTaken(this.listByGtin(record.gtin))) this.setGtin(record, '');
  }

  #freeSku(sku: string): string {
    let n = 1;
    while (this.listBySku(`${sku}-${n}`).length > 0) n++;
    return `${sku}-${n}`;
  }

  #first(ids: ReadonlySet<number> | undefined): ProductRecord | undefined {
    const records = this.#records(ids);
    return records.find((record) => record.status !== 'trash') ?? records[0];
  }

  #records(ids: ReadonlySet<number> | undefined): readonly ProductRecord[] {
    return [...(ids ?? [])].flatMap((id) => this.posts.get(id) ?? []);
  }

  #release(index: Map<string, number>, key: string, id: number): void {
    if (index.get(key) === id) index.delete(key);
  }
}

function hold(index: Map<string, Set<number>>, key: string, id: number): void {
  index.set(key, (index.get(key) ?? new Set()).add(id));
}

function skuKey(sku: string): string {
  return sku.toLowerCase();
}
