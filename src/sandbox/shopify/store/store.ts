import type { SandboxConfig } from '../types.ts';
import { createIdMaker, type IdMaker } from './ids.ts';
import type {
  BulkOperationRecord,
  CollectionRecord,
  ItemRecord,
  LevelRecord,
  LocationRecord,
  MediaRecord,
  MetafieldDefinitionRecord,
  MetafieldRecord,
  OrderRecord,
  ProductOperationRecord,
  ProductRecord,
  PublicationRecord,
  VariantRecord,
  WebhookSubscriptionRecord,
} from './records.ts';

/** The shop's whole state, with the indices that 10,000 products need. Changes go through the functions beside this file. */
export interface Store {
  readonly newId: IdMaker;
  readonly createdAt: number;
  readonly appId: number;
  readonly products: Map<number, ProductRecord>;
  readonly productsByHandle: Map<string, ProductRecord>;
  readonly variants: Map<number, VariantRecord>;
  readonly items: Map<number, ItemRecord>;
  readonly itemsBySku: Map<string, ItemRecord[]>;
  readonly locations: Map<number, LocationRecord>;
  readonly collections: Map<number, CollectionRecord>;
  readonly publications: Map<number, PublicationRecord>;
  /** Owner gid -> its metafields. */
  readonly metafields: Map<string, MetafieldRecord[]>;
  readonly definitions: Map<number, MetafieldDefinitionRecord>;
  /** `ownerType|namespace|key|value` -> owner gid, for definitions with unique values. */
  readonly uniqueMetafields: Map<string, string>;
  readonly media: Map<number, MediaRecord>;
  readonly subscriptions: Map<number, WebhookSubscriptionRecord>;
  readonly orders: Map<number, OrderRecord>;
  readonly productOperations: Map<number, ProductOperationRecord>;
  readonly bulkOperations: Map<number, BulkOperationRecord>;
  /** Products with an asynchronous delete under way. */
  readonly deleting: Set<number>;
  readonly jobs: Map<string, { done: boolean }>;
  /** Grows with every committed change; sorted lists are cached by it. */
  version: number;
}

export function createStore(config: SandboxConfig, now: number): Store {
  const newId = createIdMaker();
  const store: Store = {
    newId,
    createdAt: now,
    appId: newId('App'),
    products: new Map(),
    productsByHandle: new Map(),
    variants: new Map(),
    items: new Map(),
    itemsBySku: new Map(),
    locations: new Map(),
    collections: new Map(),
    publications: new Map(),
    metafields: new Map(),
    definitions: new Map(),
    uniqueMetafields: new Map(),
    media: new Map(),
    subscriptions: new Map(),
    orders: new Map(),
    productOperations: new Map(),
    bulkOperations: new Map(),
    deleting: new Set(),
    jobs: new Map(),
    version: 0,
  };
  for (const seed of config.locations) {
    const id = newId('Location');
    store.locations.set(id, {
      type: 'Location',
      id,
      name: seed.name,
      isActive: seed.isActive ?? true,
      isFulfillmentService: seed.isFulfillmentService ?? false,
      createdAt: now,
      updatedAt: now,
    });
  }
  for (const [title, appHandle] of [
    ['Online Store', 'online_store'],
    ['Point of Sale', 'pos'],
  ] as const)
    addChannel(store, title, appHandle);
  return store;
}

export function addChannel(store: Store, title: string, appHandle: string): void {
  const id = store.newId('Publication');
  store.publications.set(id, { type: 'Publication', id, title, appHandle, autoPublish: false });
}

/** New variants get their level here. */
export function primaryLocation(store: Store): LocationRecord {
  for (const location of store.locations.values()) {
    if (location.isActive && !location.isFulfillmentService) return location;
  }
  throw new Error('the sandbox shop needs an active location');
}

export function setSku(store: Store, item: ItemRecord, sku: string | null): void {
  if (item.sku !== null) {
    const rest = (store.itemsBySku.get(item.sku) ?? []).filter((other) => other !== item);
    if (rest.length > 0) store.itemsBySku.set(item.sku, rest);
    else store.itemsBySku.delete(item.sku);
  }
  item.sku = sku;
  if (sku === null) return;
  const holders = store.itemsBySku.get(sku);
  if (holders) holders.push(item);
  else store.itemsBySku.set(sku, [item]);
}

export function levelAt(item: ItemRecord, locationId: number): LevelRecord | null {
  return item.levels.find((level) => level.location.id === locationId) ?? null;
}

export function onHand(level: LevelRecord): number {
  const { available, committed, reserved, damaged, safety_stock, quality_control } = level.quantities;
  return available + committed + reserved + damaged + safety_stock + quality_control;
}

export function quantityOf(level: LevelRecord, name: string): number | null {
  if (name === 'on_hand') return onHand(level);
  return name in level.quantities ? level.quantities[name as keyof typeof level.quantities] : null;
}

/** What `inventoryQuantity` shows: the sum of `available` over active levels. */
export function availableOf(item: ItemRecord): number {
  let sum = 0;
  for (const level of item.levels) if (level.isActive) sum += level.quantities.available;
  return sum;
}

export function liveTotal(product: ProductRecord): number {
  let sum = 0;
  for (const variant of product.variants) if (variant.item.tracked) sum += availableOf(variant.item);
  return sum;
}

/** The sum as the API shows it: behind by `totalInventoryLagMs` after each change of stock. */
export function shownTotal(product: ProductRecord, now: number): number {
  return product.staleTotal && now < product.staleTotal.until ? product.staleTotal.total : liveTotal(product);
}

export function variantTitle(variant: VariantRecord): string {
  return variant.values.map((value) => value.name).join(' / ');
}

export function hasOnlyDefaultVariant(product: ProductRecord): boolean {
  return (
    product.variants.length === 1 &&
    product.options.length === 1 &&
    product.options[0]?.name === 'Title' &&
    product.options[0].values[0]?.name === 'Default Title'
  );
}
