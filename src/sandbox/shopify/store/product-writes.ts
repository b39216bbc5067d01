import type { ChangeSet } from './changes.ts';
import { gidOf } from './ids.ts';
import { deleteMetafieldsOf } from './metafields.ts';
import type {
  ItemRecord,
  LevelRecord,
  LocationRecord,
  OptionRecord,
  OptionValueRecord,
  ProductRecord,
  StoredQuantityName,
  VariantRecord,
} from './records.ts';
import { levelAt, onHand, primaryLocation, type Store, setSku } from './store.ts';

/** The only places where products, variants and levels come to be or go; indices are kept here. */

export function createProduct(
  store: Store,
  now: number,
  title: string,
  handle: string,
  changes: ChangeSet,
): ProductRecord {
  const product: ProductRecord = {
    type: 'Product',
    id: store.newId('Product'),
    title,
    handle,
    descriptionHtml: '',
    vendor: '',
    productType: '',
    tags: [],
    status: 'ACTIVE',
    templateSuffix: null,
    isGiftCard: false,
    requiresSellingPlan: false,
    combinedListingRole: null,
    seoTitle: null,
    seoDescription: null,
    categoryId: null,
    createdAt: now,
    updatedAt: now,
    publishedAt: null,
    options: [],
    variants: [],
    media: [],
    collections: [],
    publications: new Map(),
    isDeleted: false,
    staleTotal: null,
    lastTotal: 0,
  };
  store.products.set(product.id, product);
  store.productsByHandle.set(handle, product);
  changes.productsCreated.add(product);
  return product;
}

export function setHandle(store: Store, product: ProductRecord, handle: string): void {
  store.productsByHandle.delete(product.handle);
  product.handle = handle;
  store.productsByHandle.set(handle, product);
}

export function addOption(
  store: Store,
  product: ProductRecord,
  name: string,
  valueNames: readonly string[],
): OptionRecord {
  const option: OptionRecord = { type: 'ProductOption', id: store.newId('ProductOption'), product, name, values: [] };
  for (const valueName of valueNames) addOptionValue(store, option, valueName);
  product.options.push(option);
  return option;
}

export function addOptionValue(store: Store, option: OptionRecord, name: string): OptionValueRecord {
  const value: OptionValueRecord = { type: 'ProductOptionValue', id: store.newId('ProductOptionValue'), name };
  option.values.push(value);
  return value;
}

/** A product always has a variant; without options it is the lone "Default Title". */
export function addDefaultVariant(
  store: Store,
  product: ProductRecord,
  now: number,
  changes: ChangeSet,
): VariantRecord {
  const option = addOption(store, product, 'Title', ['Default Title']);
  return addVariant(store, product, option.values.slice(0, 1), now, changes);
}

/** New variants are untracked and stand at the primary location with 0 unless quantities name other ones (facts, section 6). */
export function addVariant(
  store: Store,
  product: ProductRecord,
  values: OptionValueRecord[],
  now: number,
  changes: ChangeSet,
  stockedAt: readonly LocationRecord[] = [primaryLocation(store)],
): VariantRecord {
  const item = {
    type: 'InventoryItem',
    id: store.newId('InventoryItem'),
    sku: null,
    tracked: false,
    requiresShipping: true,
    cost: null,
    weight: { unit: 'KILOGRAMS', value: 0 },
    countryCodeOfOrigin: null,
    provinceCodeOfOrigin: null,
    harmonizedSystemCode: null,
    levels: [],
    createdAt: now,
    updatedAt: now,
  } as unknown as ItemRecord;
  const variant: VariantRecord = {
    type: 'ProductVariant',
    id: store.newId('ProductVariant'),
    product,
    item,
    values,
    position: product.variants.length + 1,
    barcode: null,
    price: '0.00',
    compareAtPrice: null,
    taxable: true,
    inventoryPolicy: 'DENY',
    mediaId: null,
    createdAt: now,
    updatedAt: now,
  };
  item.variant = variant;
  product.variants.push(variant);
  store.variants.set(variant.id, variant);
  store.items.set(item.id, item);
  changes.itemsCreated.add(item);
  for (const location of stockedAt) connectLevel(store, item, location, now, changes);
  return variant;
}

export function removeVariant(store: Store, variant: VariantRecord, changes: ChangeSet): void {
  const { product, item } = variant;
  product.variants = product.variants.filter((other) => other !== variant);
  renumberVariants(product);
  forgetVariant(store, variant, item, changes);
}

function forgetVariant(store: Store, variant: VariantRecord, item: ItemRecord, changes: ChangeSet): void {
  store.variants.delete(variant.id);
  store.items.delete(item.id);
  setSku(store, item, null);
  deleteMetafieldsOf(store, gidOf('ProductVariant', variant.id));
  changes.itemsDeleted.add(item);
  changes.itemsUpdated.delete(item);
  for (const level of item.levels) changes.levelsUpdated.delete(level);
}

export function deleteProduct(store: Store, product: ProductRecord, changes: ChangeSet): void {
  store.products.delete(product.id);
  store.productsByHandle.delete(product.handle);
  for (const variant of product.variants) forgetVariant(store, variant, variant.item, changes);
  deleteMetafieldsOf(store, gidOf('Product', product.id));
  product.isDeleted = true;
  changes.productsDeleted.add(product);
  changes.productsUpdated.delete(product);
}

export function renumberVariants(product: ProductRecord): void {
  for (const [index, variant] of product.variants.entries()) variant.position = index + 1;
}

export function connectLevel(
  store: Store,
  item: ItemRecord,
  location: LocationRecord,
  now: number,
  changes: ChangeSet,
): LevelRecord {
  const known = levelAt(item, location.id);
  if (known) {
    if (!known.isActive) {
      // A deactivated level keeps its id and its quantities (facts, section 6).
      known.isActive = true;
      changes.levelsConnected.add(known);
    }
    return known;
  }
  const level: LevelRecord = {
    type: 'InventoryLevel',
    id: store.newId('InventoryLevel'),
    item,
    location,
    isActive: true,
    quantities: {
      available: 0,
      committed: 0,
      incoming: 0,
      reserved: 0,
      damaged: 0,
      safety_stock: 0,
      quality_control: 0,
    },
    createdAt: now,
    updatedAt: now,
  };
  item.levels.push(level);
  changes.levelsConnected.add(level);
  return level;
}

/** Moves one quantity by `delta`; `on_hand` moves `available`. Notes what it touched. */
export function shiftQuantity(
  level: LevelRecord,
  name: StoredQuantityName | 'on_hand',
  delta: number,
  changes: ChangeSet,
): void {
  if (delta === 0) return;
  level.quantities[name === 'on_hand' ? 'available' : name] += delta;
  changes.levelsUpdated.add(level);
}

export function setQuantity(
  level: LevelRecord,
  name: 'available' | 'on_hand',
  quantity: number,
  changes: ChangeSet,
): number {
  const delta = quantity - (name === 'on_hand' ? onHand(level) : level.quantities.available);
  shiftQuantity(level, name, delta, changes);
  return delta;
}

/** Everything of a product that a merchant can see change; equal before and after means nothing to announce. */
export function fingerprint(product: ProductRecord): string {
  return JSON.stringify([
    product.title,
    product.handle,
    product.descriptionHtml,
    product.vendor,
    product.productType,
    product.tags,
    product.status,
    product.templateSuffix,
    product.seoTitle,
    product.seoDescription,
    product.categoryId,
    product.requiresSellingPlan,
    product.combinedListingRole,
    product.options.map((option) => [option.id, option.name, option.values.map((value) => [value.id, value.name])]),
    product.media.map((media) => [media.id, media.alt]),
    product.collections.map((collection) => collection.id),
    product.variants.map(variantFingerprint),
  ]);
}

export function variantFingerprint(variant: VariantRecord): string {
  const { item } = variant;
  return JSON.stringify([
    variant.id,
    variant.values.map((value) => value.id),
    variant.position,
    variant.barcode,
    variant.price,
    variant.compareAtPrice,
    variant.taxable,
    variant.inventoryPolicy,
    variant.mediaId,
    itemFingerprint(item),
    item.levels.map((level) => [level.id, level.isActive, level.quantities]),
  ]);
}

export function itemFingerprint(item: ItemRecord): string {
  return JSON.stringify([
    item.sku,
    item.tracked,
    item.requiresShipping,
    item.cost,
    item.weight,
    item.countryCodeOfOrigin,
    item.provinceCodeOfOrigin,
    item.harmonizedSystemCode,
  ]);
}
