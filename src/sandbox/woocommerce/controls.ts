import type { Crash } from './crash.ts';
import { type FaultHook, type FaultRule, hookOfRule } from './faults.ts';
import type { Json, JsonObject, Params } from './json.ts';
import type { ApiKey, HostBehaviour } from './options.ts';
import { orderTotal } from './order-view.ts';
import { insertOrder, updateOrder } from './order-write.ts';
import { deleteProduct, restoreProduct, saveProduct, stockHolder, trashProduct } from './product-rules.ts';
import { writeProduct } from './product-write.ts';
import { newProduct, type ProductRecord } from './records.ts';
import { DEFAULT_SKU_PREFIX, seedProducts } from './seed.ts';
import { listShelf, type ShelfRow } from './shelf.ts';
import type { Site } from './site.ts';
import { addVariation } from './variation-routes.ts';
import { renameVariations, writeVariation } from './variation-write.ts';
import type { WebhookEngine } from './webhook-engine.ts';

/** A product or variation: its id, or its SKU. */
export type Ref = number | string;

export interface NewVariation {
  /** Option by attribute name: `{ Size: 'M' }`. */
  readonly options: Readonly<Record<string, string>>;
  readonly sku?: string;
  readonly regularPrice?: string;
  readonly salePrice?: string;
  /** Without it the stock is not managed. */
  readonly stock?: number;
  readonly weight?: string;
  readonly gtin?: string;
}

export interface NewProduct {
  readonly title: string;
  readonly sku?: string;
  readonly regularPrice?: string;
  readonly salePrice?: string;
  readonly stock?: number;
  readonly description?: string;
  readonly shortDescription?: string;
  readonly status?: string;
  readonly tags?: readonly string[];
  readonly categories?: readonly string[];
  readonly weight?: string;
  readonly gtin?: string;
  readonly images?: readonly string[];
  readonly meta?: Readonly<Record<string, Json>>;
  /** Given, the product is a variable one. */
  readonly variations?: readonly NewVariation[];
}

export type ProductChange = Partial<
  Pick<NewProduct, 'title' | 'description' | 'shortDescription' | 'status' | 'tags' | 'categories' | 'weight' | 'gtin'>
>;

export type Controls = ReturnType<typeof buildControls>;

/** What people do to the store by hand, in wp-admin and at the till. Hooks fire as they would for real. */
export function buildControls(site: Site, engine: WebhookEngine, faultSlot: { hook: FaultHook | null }) {
  /** Everything done by hand is a request to the site, and may start the queue. */
  const act = <T>(run: () => T): T => {
    engine.requestArrived();
    const result = run();
    engine.requestEnded();
    return result;
  };
  const change = (ref: Ref, edit: (record: ProductRecord) => void): void =>
    act(() => {
      const record = find(site, ref);
      edit(record);
      saveProduct(site, record);
    });

  return {
    addProduct: (input: NewProduct): { productId: number; variationIds: number[] } =>
      act(() => addProduct(site, input)),
    updateProduct: (ref: Ref, input: ProductChange): void =>
      change(ref, (record) => {
        writeProduct(site, record, productParams(site, input), false);
        if (input.description !== undefined) record.description = input.description;
        renameVariations(site, record);
      }),
    setPrice: (ref: Ref, regular: string, sale = ''): void =>
      change(ref, (record) => {
        record.regularPrice = regular;
        record.salePrice = sale;
      }),
    /** A shopper buys: a processing order, which takes its stock at once. */
    placeOrder: (lines: readonly { ref: Ref; quantity: number }[], status = 'processing'): { orderId: number } =>
      act(() => {
        const items = lines.map(({ ref, quantity }): JsonObject => {
          const record = find(site, ref);
          const isVariation = record.type === 'variation';
          return {
            product_id: isVariation ? record.parentId : record.id,
            variation_id: isVariation ? record.id : 0,
            quantity,
          };
        });
        return { orderId: insertOrder(site, { line_items: items, status, payment_method: 'bacs' }, 'checkout').id };
      }),
    setOrderStatus: (orderId: number, status: string): void =>
      act(() => {
        const order = site.orders.get(orderId);
        if (!order) throw new Error(`no order ${orderId}`);
        updateOrder(site, order, { status });
      }),
    /** Adds to (or, negative, takes from) what is there. */
    restock: (ref: Ref, delta: number): void => changeStock(site, act, ref, (stock) => stock + delta),
    recount: (ref: Ref, count: number): void => changeStock(site, act, ref, () => count),
    setSku: (ref: Ref, sku: string): void =>
      change(ref, (record) => {
        site.products.assertFreeSku(sku, record);
        site.products.setSku(record, sku);
      }),
    trashProduct: (ref: Ref): void => act(() => trashProduct(site, find(site, ref))),
    restoreProduct: (ref: Ref): void => act(() => restoreProduct(site, find(site, ref))),
    /** Without `force` it goes to the trash; with it, nobody is told. */
    deleteProduct: (ref: Ref, force = false): void =>
      act(() => (force ? deleteProduct : trashProduct)(site, find(site, ref))),
    addVariation: (productRef: Ref, input: NewVariation): { variationId: number } =>
      act(() => ({ variationId: insertVariation(site, find(site, productRef), input).id })),
    /** wp-admin deletes variations for good, which sends nothing. */
    removeVariation: (ref: Ref): void => act(() => deleteProduct(site, find(site, ref))),
    listShelf: (): ShelfRow[] => listShelf(site),
    seed: (productCount: number, variantCount = 1, prefix = DEFAULT_SKU_PREFIX): void =>
      seedProducts(site, productCount, variantCount, prefix),
    /** Asked before every API request; null ends it. */
    setFault: (fault: FaultHook | FaultRule | null): void => {
      faultSlot.hook =
        fault === null || typeof fault === 'function' ? fault : hookOfRule(fault, () => site.environment.random());
    },
    /** From now on PHP dies over that product or variation, which need not be there yet; null ends it. */
    setCrash: (ref: Ref, crash: Crash | null): void => {
      if (crash === null) site.crashes.delete(ref);
      else site.crashes.set(ref, crash);
    },
    setHost: (behaviour: Partial<HostBehaviour>): void => {
      Object.assign(site.settings.host, behaviour);
    },
    setKeys: (keys: readonly ApiKey[]): void => {
      site.settings.keys.splice(0, site.settings.keys.length, ...keys);
    },
    /** Sends what waits without waiting for its minute; resolves when it was sent. */
    runQueue: (): Promise<void> => engine.runQueue(),
    /** Resolves when nothing is waiting or under way. */
    settle: (): Promise<void> => engine.settle(),
    webhooks: () =>
      [...engine.hooks.values()].map(({ id, topic, status, deliveryUrl, failureCount, isPingPending }) => ({
        id,
        topic,
        status,
        deliveryUrl,
        failureCount,
        isPingPending,
      })),
    webhookCounts: () => ({ ...engine.counts, waiting: engine.pendingCount }),
    /** Everything that a comparison of two moments needs, without ids of its own making. */
    snapshot: () => ({
      shelf: listShelf(site),
      orders: [...site.orders.values()].map((order) => ({
        id: order.id,
        status: order.status,
        total: orderTotal(order),
        lines: order.lines.map(({ sku: _sku, ...line }) => ({ name: line.name, quantity: line.quantity })),
      })),
    }),
  };
}

function find(site: Site, ref: Ref): ProductRecord {
  const record = typeof ref === 'number' ? site.products.find(ref) : site.products.findBySku(ref);
  if (!record) throw new Error(`no product ${JSON.stringify(ref)}`);
  return record;
}

function productParams(site: Site, input: Partial<NewProduct>): Params {
  const params: Params = {};
  const put = (key: string, value: Json | undefined): void => {
    if (value !== undefined) params[key] = value;
  };
  put('name', input.title);
  put('description', input.description);
  put('short_description', input.shortDescription);
  put('status', input.status);
  put('sku', input.sku);
  put('regular_price', input.regularPrice);
  put('sale_price', input.salePrice);
  put('weight', input.weight);
  put('global_unique_id', input.gtin);
  put(
    'tags',
    input.tags?.map((name) => ({ name })),
  );
  put(
    'categories',
    input.categories?.map((name) => ({ id: site.terms.ensure('product_cat', name)?.id ?? 0 })),
  );
  put(
    'images',
    input.images?.map((src) => ({ src })),
  );
  if (input.meta)
    put(
      'meta_data',
      Object.entries(input.meta).map(([key, value]) => ({ key, value })),
    );
  if (input.stock !== undefined) Object.assign(params, { manage_stock: true, stock_quantity: input.stock });
  return params;
}

function addProduct(site: Site, input: NewProduct): { productId: number; variationIds: number[] } {
  const draft = newProduct(0, 'simple', site.nowS());
  const params = productParams(site, input);
  const variations = input.variations ?? [];
  if (variations.length > 0) Object.assign(params, { type: 'variable', attributes: attributesOf(variations) });
  writeProduct(site, draft, params, true);
  const record = { ...draft, id: site.products.nextPostId() };
  // An administrator may post unfiltered HTML; only the API is filtered.
  record.description = input.description ?? '';
  site.products.add(record);
  saveProduct(site, record, true);
  const variationIds = variations.map((variation) => insertVariation(site, record, variation).id);
  return { productId: record.id, variationIds };
}

function attributesOf(variations: readonly NewVariation[]): JsonObject[] {
  const options = new Map<string, Set<string>>();
  for (const variation of variations) {
    for (const [name, option] of Object.entries(variation.options)) {
      options.set(name, (options.get(name) ?? new Set()).add(option));
    }
  }
  return [...options].map(([name, values]) => ({ name, visible: true, variation: true, options: [...values] }));
}

function insertVariation(site: Site, parent: ProductRecord, input: NewVariation): ProductRecord {
  parent.attributes = parent.attributes.map((attribute) => {
    const option = input.options[attribute.name];
    if (option === undefined || attribute.id > 0 || attribute.options.includes(option)) return attribute;
    return { ...attribute, options: [...attribute.options, option] };
  });
  const params = productParams(site, { ...input });
  params['attributes'] = Object.entries(input.options).map(([name, option]) => {
    const attribute = parent.attributes.find((candidate) => candidate.name === name);
    return attribute && attribute.id > 0 ? { id: attribute.id, option } : { name, option };
  });
  return addVariation(site, parent, (draft) => writeVariation(site, draft, parent, params));
}

/** Stock is changed where it is managed; a product nobody counted yet starts being counted. */
function changeStock(site: Site, act: <T>(run: () => T) => T, ref: Ref, next: (stock: number) => number): void {
  act(() => {
    const record = find(site, ref);
    const holder = stockHolder(site, record) ?? record;
    holder.manageStock = true;
    holder.stock = next(holder.stock ?? 0);
    saveProduct(site, holder);
  });
}
