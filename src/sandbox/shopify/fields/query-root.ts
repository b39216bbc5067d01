import { connectionPage } from '../graphql/connection.ts';
import type { RequestContext } from '../state.ts';
import { idOfKind, parseGid } from '../store/ids.ts';
import { type CustomId, findByCustomId, resolveNamespace } from '../store/metafields.ts';
import type {
  BulkOperationRecord,
  CollectionRecord,
  ItemRecord,
  LocationRecord,
  MetafieldDefinitionRecord,
  OrderRecord,
  ProductRecord,
  PublicationRecord,
  VariantRecord,
  WebhookSubscriptionRecord,
} from '../store/records.ts';
import type { ProductDoc } from '../store/search-index.ts';
import {
  BULK_SEARCH,
  ITEM_SEARCH,
  LOCATION_SEARCH,
  ORDER_SEARCH,
  PRODUCT_SEARCH,
  VARIANT_SEARCH,
  type VariantRow,
  WEBHOOK_SEARCH,
} from '../store/search-tables.ts';
import { liveTotal, primaryLocation, variantTitle } from '../store/store.ts';
import type { TypeFields } from './field-map.ts';
import { countRows, type ListArgs, type SearchedList, searchedPage } from './lists.ts';
import { findLevel, findNode } from './nodes.ts';
import { publicVersions } from './versions.ts';

function productList(ctx: RequestContext): SearchedList<ProductRecord, ProductDoc> {
  return {
    name: 'products',
    rows: () => [...ctx.state.store.products.values()],
    table: PRODUCT_SEARCH,
    docOf: (product) => ctx.state.searchIndex.productDoc(product),
    idOf: (product) => product.id,
    sortValues: {
      TITLE: (product) => product.title.toLowerCase(),
      VENDOR: (product) => product.vendor.toLowerCase(),
      PRODUCT_TYPE: (product) => product.productType.toLowerCase(),
      CREATED_AT: (product) => product.createdAt,
      UPDATED_AT: (product) => product.updatedAt,
      PUBLISHED_AT: (product) => product.publishedAt ?? 0,
      INVENTORY_TOTAL: (product) => liveTotal(product),
    },
  };
}

function variantList(ctx: RequestContext): SearchedList<VariantRecord, VariantRow> {
  return {
    name: 'variants',
    rows: () => [...ctx.state.store.variants.values()],
    table: VARIANT_SEARCH,
    docOf: (variant) => {
      const doc = ctx.state.searchIndex.variantDoc(variant);
      return doc ? { variant, doc } : null;
    },
    idOf: (variant) => variant.id,
    sortValues: {
      SKU: (variant) => variant.item.sku ?? '',
      TITLE: variantTitle,
      POSITION: (variant) => variant.position,
      FULL_TITLE: (variant) => `${variant.product.title} ${variantTitle(variant)}`,
    },
  };
}

function plainList<T extends { readonly id: number }>(
  name: string,
  records: ReadonlyMap<number, T>,
  table: SearchedList<T, T>['table'],
  sortValues: SearchedList<T, T>['sortValues'] = {},
): SearchedList<T, T> {
  return { name, rows: () => [...records.values()], table, docOf: (row) => row, idOf: (row) => row.id, sortValues };
}

function locationList(
  ctx: RequestContext,
  args: { includeInactive?: boolean | null; includeLegacy?: boolean | null },
): SearchedList<LocationRecord, LocationRecord> {
  const rows = [...ctx.state.store.locations.values()].filter(
    (location) => (args.includeInactive || location.isActive) && (args.includeLegacy || !location.isFulfillmentService),
  );
  const list = plainList<LocationRecord>(
    `locations:${args.includeInactive}:${args.includeLegacy}`,
    ctx.state.store.locations,
    LOCATION_SEARCH,
    { NAME: (location) => location.name.toLowerCase() },
  );
  return { ...list, rows: () => rows };
}

interface IdentifierArgs {
  readonly identifier: { readonly id?: string; readonly handle?: string; readonly customId?: CustomId };
}

export const QUERY_FIELDS: TypeFields = {
  shop: () => ({ type: 'Shop' }),
  currentAppInstallation: () => ({ type: 'AppInstallation' }),
  publicApiVersions: (_root, _args, ctx) => publicVersions(ctx.state.environment.now()),
  node: (_root, args: { id: string }, ctx) => findNode(ctx, args.id),
  nodes: (_root, args: { ids: readonly string[] }, ctx) => args.ids.map((id) => findNode(ctx, id)),

  products: (_root, args: ListArgs, ctx, info) => searchedPage(ctx, info, args, productList(ctx)),
  productsCount: (_root, args, ctx, info) => countRows(ctx, info, args, productList(ctx)),
  product: (_root, args: { id: string }, ctx) => ctx.state.store.products.get(idOfKind('Product', args.id)) ?? null,
  productByIdentifier: (_root, { identifier }: IdentifierArgs, ctx) => {
    const { store } = ctx.state;
    if (identifier.handle !== undefined) return store.productsByHandle.get(identifier.handle) ?? null;
    const id = identifier.customId
      ? findByCustomId(store, 'Product', identifier.customId)
      : idOfKind('Product', identifier.id);
    return id === null ? null : (store.products.get(id) ?? null);
  },
  productVariants: (_root, args: ListArgs, ctx, info) => searchedPage(ctx, info, args, variantList(ctx)),
  productVariantsCount: (_root, args, ctx, info) => countRows(ctx, info, args, variantList(ctx)),
  productVariant: (_root, args: { id: string }, ctx) =>
    ctx.state.store.variants.get(idOfKind('ProductVariant', args.id)) ?? null,
  productVariantByIdentifier: (_root, { identifier }: IdentifierArgs, ctx) => {
    const { store } = ctx.state;
    const id = identifier.customId
      ? findByCustomId(store, 'ProductVariant', identifier.customId)
      : idOfKind('ProductVariant', identifier.id);
    return id === null ? null : (store.variants.get(id) ?? null);
  },
  productOperation: (_root, args: { id: string }, ctx) =>
    ctx.state.store.productOperations.get(idOfKind('ProductSetOperation', args.id)) ?? null,
  collections: (_root, args: ListArgs, ctx, info) =>
    searchedPage(
      ctx,
      info,
      args,
      plainList<CollectionRecord>(
        'collections',
        ctx.state.store.collections,
        { defaults: [], fields: {} },
        { TITLE: (collection) => collection.title, UPDATED_AT: (collection) => collection.updatedAt },
      ),
    ),

  inventoryItem: (_root, args: { id: string }, ctx) =>
    ctx.state.store.items.get(idOfKind('InventoryItem', args.id)) ?? null,
  inventoryItems: (_root, args: ListArgs, ctx, info) =>
    searchedPage(ctx, info, args, plainList<ItemRecord>('items', ctx.state.store.items, ITEM_SEARCH)),
  inventoryLevel: (_root, args: { id: string }, ctx) => findLevel(ctx, args.id),
  location: (_root, args: { id?: string | null }, ctx) =>
    args.id ? (ctx.state.store.locations.get(idOfKind('Location', args.id)) ?? null) : primaryLocation(ctx.state.store),
  locations: (_root, args, ctx, info) => searchedPage(ctx, info, args, locationList(ctx, args)),
  locationsCount: (_root, args, ctx, info) => countRows(ctx, info, args, locationList(ctx, {})),

  metafieldDefinitions: (
    _root,
    args: ListArgs & { ownerType: string; namespace?: string | null; key?: string | null },
    ctx,
  ) => {
    const { store } = ctx.state;
    const namespace = args.namespace ? resolveNamespace(store, args.namespace) : null;
    const rows = [...store.definitions.values()].filter(
      (definition) =>
        definition.ownerType === args.ownerType &&
        (namespace === null || definition.namespace === namespace) &&
        (!args.key || definition.key === args.key),
    );
    return connectionPage(ctx, args, { rows, idOf: (definition: MetafieldDefinitionRecord) => definition.id }, true);
  },
  publications: (_root, args: ListArgs & { catalogType?: string | null }, ctx) => {
    const rows = args.catalogType && args.catalogType !== 'APP' ? [] : [...ctx.state.store.publications.values()];
    return connectionPage(ctx, args, { rows, idOf: (publication: PublicationRecord) => publication.id }, true);
  },

  webhookSubscription: (_root, args: { id: string }, ctx) =>
    ctx.state.store.subscriptions.get(idOfKind('WebhookSubscription', args.id)) ?? null,
  webhookSubscriptions: (_root, args: ListArgs & WebhookArgs, ctx, info) =>
    searchedPage(ctx, info, args, webhookList(ctx, args)),
  webhookSubscriptionsCount: (_root, args, ctx, info) => countRows(ctx, info, args, webhookList(ctx, {})),

  bulkOperation: (_root, args: { id: string }, ctx) =>
    ctx.state.store.bulkOperations.get(idOfKind('BulkOperation', args.id)) ?? null,
  bulkOperations: (_root, args: ListArgs, ctx, info) => {
    const sortValues = {
      CREATED_AT: (operation: BulkOperationRecord) => operation.createdAt,
      COMPLETED_AT: (operation: BulkOperationRecord) => operation.completedAt ?? 0,
    };
    return searchedPage(ctx, info, args, {
      ...plainList('bulk', ctx.state.store.bulkOperations, BULK_SEARCH, sortValues),
      isVolatile: true,
    });
  },
  currentBulkOperation: (_root, args: { type?: string | null }, ctx) =>
    [...ctx.state.store.bulkOperations.values()]
      .filter((operation) => operation.kind === (args.type ?? 'QUERY'))
      .at(-1) ?? null,
  job: (_root, args: { id: string }, ctx) => {
    const job = ctx.state.store.jobs.get(args.id);
    return job && parseGid(args.id) ? { id: args.id, done: job.done } : null;
  },

  order: (_root, args: { id: string }, ctx) => ctx.state.store.orders.get(idOfKind('Order', args.id)) ?? null,
  orders: (_root, args: ListArgs, ctx, info) =>
    searchedPage(
      ctx,
      info,
      args,
      plainList<OrderRecord>('orders', ctx.state.store.orders, ORDER_SEARCH, {
        UPDATED_AT: (order) => order.updatedAt,
        CREATED_AT: (order) => order.createdAt,
        PROCESSED_AT: (order) => order.createdAt,
      }),
    ),
};

interface WebhookArgs {
  readonly uri?: string | null;
  readonly callbackUrl?: string | null;
  readonly topics?: readonly string[] | null;
  readonly format?: string | null;
}

function webhookList(
  ctx: RequestContext,
  args: WebhookArgs,
): SearchedList<WebhookSubscriptionRecord, WebhookSubscriptionRecord> {
  const list = plainList<WebhookSubscriptionRecord>('webhooks', ctx.state.store.subscriptions, WEBHOOK_SEARCH, {
    CREATED_AT: (subscription) => subscription.createdAt,
  });
  const uri = args.uri ?? args.callbackUrl ?? null;
  const rows = list
    .rows()
    .filter(
      (subscription) =>
        (uri === null || subscription.uri === uri) &&
        (!args.topics || args.topics.includes(subscription.topic)) &&
        (!args.format || args.format === subscription.format),
    );
  return { ...list, rows: () => rows, isVolatile: true };
}
