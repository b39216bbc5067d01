import { skuKey } from '../../lib/record-keys.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductFields, VariantFields } from '../../model/product.ts';
import type { Mark, ProductSnapshot } from '../../model/snapshot.ts';
import type { StockReading } from '../../model/stock.ts';
import type { NewVariant, ProductWrite, ReadOutcome, StockWrite, StockWriteOutcome } from '../../ports/connector.ts';
import type { Handling, MemoryPlatform } from './platform.ts';
import { type ProductRecord, type StockItem, snapshotOf, stockSnapshotOf, type VariantRecord } from './records.ts';
import { failedItem, notFound, rejected } from './refusals.ts';
import type { Cause } from './shelf.ts';

/** What the platform's API does with each request: runs at the moment when the server handles it. */

type Update = ProductWrite & { readonly type: 'update' };

/** Reads one product and remembers that our side may know it from now on. */
export function readProduct(platform: MemoryPlatform, id: string, handling: Handling): ProductSnapshot | null {
  const product = platform.shelf.products.get(id);
  if (!product) return null;
  const { seq } = platform.shelf.ledger;
  platform.knowledge.note(product.id, seq, handling.arrival);
  for (const variant of product.variants) platform.knowledge.note(variant.stockId, seq, handling.arrival);
  const snapshot = snapshotOf(product);
  return platform.personality.reusesIds ? { ...snapshot, madeAt: product.createdAt } : snapshot;
}

export function readProducts(
  platform: MemoryPlatform,
  ids: readonly string[],
  handling: Handling,
): ReadOutcome<ProductSnapshot>[] {
  if (platform.readOutage === 'down') throw new ConnectorError('unavailable', 'The shop is being mended.');
  return ids.map((id) => {
    if (platform.readOutage === 'forgetful') {
      platform.count('forgetful');
      return { ok: false, error: notFound('product') };
    }
    const value = readProduct(platform, id, handling);
    return value ? { ok: true, value } : { ok: false, error: notFound('product') };
  });
}

export function readStock(
  platform: MemoryPlatform,
  ids: readonly string[],
  handling: Handling,
): ReadOutcome<StockReading>[] {
  return ids.map((id) => {
    const item = platform.shelf.items.get(id);
    if (!item) return { ok: false, error: notFound('stock item') };
    platform.knowledge.note(id, platform.shelf.ledger.seq, handling.arrival);
    const reading = stockReading(platform, item.variant);
    const isOnly = item.product.variants.length === 1 && platform.personality.reusesIds;
    return { ok: true, value: isOnly ? { ...reading, madeAt: item.product.createdAt } : reading };
  });
}

function stockReading({ personality, shelf }: MemoryPlatform, variant: VariantRecord): StockReading {
  const snapshot = stockSnapshotOf(variant);
  if (!personality.tellsStockTime || !variant.isStocked) return snapshot;
  // Any change of the item counts, so that nothing is said to have rested that didn't.
  const moved = shelf.ledger.of(variant.stockId).at(-1);
  return moved ? { ...snapshot, unmovedSince: moved.at } : snapshot;
}

export function writeStock(
  platform: MemoryPlatform,
  writes: readonly StockWrite[],
  handling: Handling,
): StockWriteOutcome[] {
  const { stockWrite } = platform.personality;
  if (stockWrite === 'compare_and_set') return writeWhole(platform, writes, handling);
  return writes.map((write, index) => {
    const refusal = refusalOf(platform, write, handling.failing.includes(index));
    if (refusal !== null) return refusal;
    setStock(platform, write, handling);
    if (stockWrite === 'keyed') platform.rememberApplied(write.key);
    return { outcome: 'applied' };
  });
}

/** Shopify: a call is done whole or not at all. Its key (`@idempotent`) names the whole call, and was seen to be looked at after the quantities. */
function writeWhole(platform: MemoryPlatform, writes: readonly StockWrite[], handling: Handling): StockWriteOutcome[] {
  const refusals = writes.map((write, index) => refusalOf(platform, write, handling.failing.includes(index)));
  if (refusals.some((refusal) => refusal !== null))
    return refusals.map((refusal) => refusal ?? { outcome: 'withheld', cause: null });
  const call = writes
    .map((write) => JSON.stringify(write))
    .sort()
    .join();
  if (!platform.hasApplied(call)) for (const write of writes) setStock(platform, write, handling);
  platform.rememberApplied(call);
  return writes.map(() => ({ outcome: 'applied' }));
}

function refusalOf(platform: MemoryPlatform, write: StockWrite, isFailing: boolean): StockWriteOutcome | null {
  if (isFailing) return { outcome: 'failed', error: failedItem() };
  const item = platform.shelf.items.get(write.stockId);
  if (!item) return { outcome: 'failed', error: notFound('stock item') };
  if (platform.personality.stockWrite === 'stamped') return null;
  if (platform.hasApplied(write.key)) return { outcome: 'already_applied' };
  return (item.variant.isStocked ? item.variant.quantity : 0) === write.expected ? null : { outcome: 'stale' };
}

function setStock(platform: MemoryPlatform, write: StockWrite, handling: Handling): void {
  const item = platform.shelf.items.get(write.stockId);
  if (!item) return;
  const cause = causeOf(platform, handling, { key: write.key, expected: write.expected });
  platform.shelf.setQuantity(item, write.to, 'set_stock', cause);
  // An applied write is knowledge too: from its answer on we know what it left behind.
  platform.knowledge.note(write.stockId, platform.shelf.ledger.seq, handling.arrival);
  platform.webhooks.emit('inventory.updated', item.product, write.stockId, 'us');
}

export interface Created {
  readonly id: string;
  readonly variantIds: readonly string[];
}

/** Creates the product, with `variants`; where the platform knows our identifier, a repeat gives the record that has it. */
export function createProduct(
  platform: MemoryPlatform,
  input: { readonly mark: Mark; readonly fields: ProductFields; readonly variants: readonly NewVariant[] },
  handling: Handling,
): Created {
  const { shelf, personality } = platform;
  const existing =
    personality.createBy === 'identifier' ? shelf.products.get(shelf.bearers(input.mark)[0] ?? '') : undefined;
  if (existing) {
    shelf.logLanding(existing, causeOf(platform, handling, { mark: input.mark }));
    return { id: existing.id, variantIds: variantIdsBySku(existing, input.variants) };
  }
  if (handling.failing.includes(0)) throw failedItem();
  const refusal = refusalOfFields(input);
  if (refusal !== null) throw refusal;
  checkVariants(platform, null, input.variants);
  const cause = causeOf(platform, handling, { mark: input.mark });
  const product = shelf.addProduct(
    { fields: { ...input.fields, handle: freeHandle(platform, input.fields.handle) }, variants: input.variants },
    cause,
  );
  shelf.logLanding(product, cause);
  platform.webhooks.emit('product.created', product, null, 'us');
  return { id: product.id, variantIds: product.variants.map((variant) => variant.id) };
}

/** What is refused whatever else stands on the shelf. */
export function refusalOfFields({ fields }: Pick<ProductWrite, 'fields'>): ConnectorError | null {
  return fields.title?.trim() === '' ? rejected('TITLE_BLANK', 'title', 'The title may not be blank.') : null;
}

/** Refuses what `updateProduct` would refuse, else gives the record. */
export function checkUpdate(platform: MemoryPlatform, update: Update): ProductRecord {
  const product = platform.shelf.products.get(update.externalId);
  if (!product) throw notFound('product');
  const refusal = refusalOfFields(update);
  if (refusal !== null) throw refusal;
  return product;
}

/** Sets the fields (and the mark) that the update names. */
export function updateProduct(platform: MemoryPlatform, update: Update, handling: Handling): void {
  const product = checkUpdate(platform, update);
  if (handling.failing.includes(0)) throw failedItem();
  const cause = causeOf(platform, handling, { mark: update.mark ?? null });
  platform.shelf.logLanding(product, cause);
  for (const field of Object.keys(update.fields) as (keyof ProductFields)[]) {
    const to = update.fields[field];
    if (to !== undefined) platform.shelf.setProductField(product, field, to, cause);
  }
  // As in WooCommerce, where the bin is a status: whoever is given another one is out of it.
  if (product.isTrashed && update.fields.status !== undefined) platform.shelf.setTrashed(product, false, cause);
  if (update.mark) platform.shelf.addMark(product, update.mark, cause);
  platform.webhooks.emit('product.updated', product, null, 'us');
}

export interface VariantsWrite {
  readonly externalId: string;
  readonly variants: Update['variants'];
  readonly newVariants: readonly NewVariant[];
  readonly archiveVariants: readonly string[];
}

/** Sets, adds and puts away variants of one product; all or nothing. Gives the ids of the new ones. */
export function writeVariants(platform: MemoryPlatform, write: VariantsWrite, handling: Handling): readonly string[] {
  const product = platform.shelf.products.get(write.externalId);
  if (!product) throw notFound('product');
  if (handling.failing.includes(0)) throw failedItem();
  const items = write.variants.map(({ externalId, fields }) => ({
    item: itemOf(platform, product, externalId),
    fields,
  }));
  const away = write.archiveVariants.map((id) => itemOf(platform, product, id));
  // What one of them gives up in this very call is in nobody's way.
  const changed: Changed = new Map(items.map(({ item, fields }) => [item.variant, fields]));
  for (const { item, fields } of items) {
    if (fields.sku !== undefined) checkSku(platform, fields.sku, item, changed);
  }
  const replaced = write.newVariants.flatMap(({ fields }) => putAwayAs(product, fields) ?? []);
  checkVariants(platform, product, write.newVariants, changed);
  const cause = causeOf(platform, handling, {});
  platform.shelf.logLanding(product, cause);
  for (const variant of replaced) platform.shelf.drop({ product, variant });
  for (const { item, fields } of items) {
    for (const field of Object.keys(fields) as (keyof VariantFields)[]) {
      const to = fields[field];
      if (to !== undefined) platform.shelf.setVariantField(item, field, to, cause);
    }
  }
  for (const item of away) platform.shelf.archiveVariant(item, cause);
  const added = write.newVariants.map((input) => platform.shelf.addVariant(product, input, cause).id);
  platform.webhooks.emit('product.updated', product, null, 'us');
  return added;
}

function itemOf(platform: MemoryPlatform, product: ProductRecord, variantId: string): StockItem {
  const stockId = product.variants.find((candidate) => candidate.id === variantId)?.stockId ?? '';
  const item = platform.shelf.items.get(stockId);
  if (!item) throw notFound('variant');
  return item;
}

/** [C29] The variant that was put away under the key of a new one. */
function putAwayAs(product: ProductRecord, fields: VariantFields): VariantRecord | undefined {
  const keyOf = ({ sku, optionValues }: VariantFields) => JSON.stringify(sku === '' ? optionValues : sku);
  return product.variants.find((variant) => variant.isArchived && keyOf(variant.fields) === keyOf(fields));
}

type Changed = ReadonlyMap<VariantRecord, Partial<VariantFields>>;

function checkVariants(
  platform: MemoryPlatform,
  product: ProductRecord | null,
  added: readonly NewVariant[],
  changed: Changed = new Map(),
): void {
  const tuples = new Set(
    (product?.variants ?? [])
      .filter((variant) => !variant.isArchived)
      .map((variant) => JSON.stringify(changed.get(variant)?.optionValues ?? variant.fields.optionValues)),
  );
  for (const { fields } of added) {
    checkSku(platform, fields.sku, null, changed);
    const tuple = JSON.stringify(fields.optionValues);
    if (tuples.has(tuple))
      throw rejected('VARIANT_EXISTS', 'optionValues', 'A variant with these options already exists.');
    tuples.add(tuple);
  }
}

/** What was put away keeps its SKU from nobody. */
function checkSku(platform: MemoryPlatform, sku: string, except: StockItem | null, changed: Changed): void {
  if (!platform.personality.uniqueSkus || skuKey(sku) === '') return;
  const keeps = (variant: VariantRecord) => skuKey(changed.get(variant)?.sku ?? sku) === skuKey(sku);
  const other = platform.shelf
    .holdersOf(sku)
    .find(({ variant }) => variant !== except?.variant && !variant.isArchived && keeps(variant));
  if (other) throw rejected('SKU_TAKEN', 'sku', 'The SKU is already in use.', other.product.id);
}

function freeHandle(platform: MemoryPlatform, wanted: string): string {
  const isTaken = (handle: string): boolean => {
    for (const product of platform.shelf.products.values()) if (product.fields.handle === handle) return true;
    return false;
  };
  let handle = wanted;
  for (let suffix = 2; isTaken(handle); suffix += 1) handle = `${wanted}-${suffix}`;
  return handle;
}

/** A repeated create answers for the variants that it made the first time; they are told by their options, then by their SKU. */
function variantIdsBySku(product: ProductRecord, asked: readonly NewVariant[]): string[] {
  return asked.map(({ fields }) => {
    const tuple = JSON.stringify(fields.optionValues);
    const same = product.variants.find((variant) => JSON.stringify(variant.fields.optionValues) === tuple);
    return (same ?? product.variants.find((variant) => variant.fields.sku === fields.sku))?.id ?? '';
  });
}

function causeOf(
  platform: MemoryPlatform,
  handling: Handling,
  facts: Partial<Pick<Cause, 'key' | 'expected' | 'mark'>>,
): Cause {
  const { operation, requestId, sentAt, isLate } = handling;
  return {
    operation,
    requestId,
    sentAt,
    isLate,
    key: facts.key ?? null,
    expected: facts.expected ?? null,
    mark: facts.mark ?? null,
    known: (id) => platform.knowledge.known(id, sentAt),
  };
}
