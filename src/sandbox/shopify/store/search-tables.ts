import type {
  BulkOperationRecord,
  ItemRecord,
  LevelRecord,
  LocationRecord,
  OrderRecord,
  VariantRecord,
  WebhookSubscriptionRecord,
} from './records.ts';
import type { ProductDoc, VariantDoc } from './search-index.ts';
import type { SearchField, SearchTable } from './search-match.ts';

/** Which search fields each list knows. Names and meanings: the `query` argument of each root field in Shopify's documentation. */

function field<T>(
  kind: SearchField<T>['kind'],
  read: (record: T) => string | number | boolean | null | readonly (string | number | null)[],
): SearchField<T> {
  return {
    kind,
    read: (record) => {
      const value = read(record);
      if (typeof value === 'boolean') return [String(value)];
      return typeof value === 'object' && value !== null ? value : [value];
    },
  };
}

export const PRODUCT_SEARCH: SearchTable<ProductDoc> = {
  defaults: ['title', 'sku', 'vendor', 'product_type', 'tag'],
  fields: {
    id: field('number', (doc) => doc.id),
    title: field('token', (doc) => doc.title),
    handle: field('exact', (doc) => doc.handle),
    status: field('exact', (doc) => doc.status),
    tag: field('exact', (doc) => doc.tags),
    vendor: field('token', (doc) => doc.vendor),
    product_type: field('token', (doc) => doc.productType),
    gift_card: field('exact', (doc) => doc.isGiftCard),
    has_only_default_variant: field('exact', (doc) => doc.hasOnlyDefaultVariant),
    created_at: field('date', (doc) => doc.createdAt),
    updated_at: field('date', (doc) => doc.updatedAt),
    published_at: field('date', (doc) => doc.publishedAt),
    published_status: field('exact', (doc) => (doc.publishedAt === null ? 'unpublished' : 'published')),
    collection_id: field('number', (doc) => doc.collectionIds),
    sku: field('token', (doc) => doc.variants().map((variant) => variant.sku)),
    barcode: field('exact', (doc) => doc.variants().map((variant) => variant.barcode)),
    variant_id: field('number', (doc) => doc.variants().map((variant) => variant.id)),
    variant_title: field('token', (doc) => doc.variants().map((variant) => variant.title)),
    price: field('number', (doc) => doc.variants().map((variant) => Number(variant.price))),
    inventory_total: field('number', (doc) => doc.variants().reduce((sum, variant) => sum + variant.quantity, 0)),
  },
  unsupported: [
    'tag_not',
    'bundles',
    'category_id',
    'error_feedback',
    'is_price_reduced',
    'out_of_stock_somewhere',
    'publication_ids',
    'publishable_status',
    'product_publication_status',
    'delivery_profile_id',
  ],
};

export interface VariantRow {
  readonly variant: VariantRecord;
  readonly doc: VariantDoc;
}

export const VARIANT_SEARCH: SearchTable<VariantRow> = {
  defaults: ['title', 'sku', 'product_title'],
  fields: {
    id: field('number', (row) => row.doc.id),
    sku: field('token', (row) => row.doc.sku),
    barcode: field('exact', (row) => row.doc.barcode),
    title: field('token', (row) => row.doc.title),
    product_title: field('token', (row) => row.variant.product.title),
    product_id: field('number', (row) => row.variant.product.id),
    product_ids: field('number', (row) => row.variant.product.id),
    product_status: field('exact', (row) => row.variant.product.status),
    product_type: field('token', (row) => row.variant.product.productType),
    vendor: field('token', (row) => row.variant.product.vendor),
    tag: field('exact', (row) => row.variant.product.tags),
    taxable: field('exact', (row) => row.doc.taxable),
    option1: field('token', (row) => row.doc.options[0] ?? null),
    option2: field('token', (row) => row.doc.options[1] ?? null),
    option3: field('token', (row) => row.doc.options[2] ?? null),
    inventory_quantity: field('number', (row) => row.doc.quantity),
    updated_at: field('date', (row) => row.doc.updatedAt),
  },
  unsupported: [
    'collection',
    'delivery_profile_id',
    'location_id',
    'managed',
    'managed_by',
    'published_status',
    'publishable_status',
    'requires_components',
  ],
};

export const ITEM_SEARCH: SearchTable<ItemRecord> = {
  defaults: ['sku'],
  fields: {
    id: field('number', (item) => item.id),
    sku: field('token', (item) => item.sku),
    created_at: field('date', (item) => item.createdAt),
    updated_at: field('date', (item) => item.updatedAt),
  },
};

export const LEVEL_SEARCH: SearchTable<LevelRecord> = {
  defaults: [],
  fields: {
    id: field('number', (level) => level.id),
    inventory_item_id: field('number', (level) => level.item.id),
    created_at: field('date', (level) => level.createdAt),
    updated_at: field('date', (level) => level.updatedAt),
  },
  unsupported: ['inventory_group_id'],
};

export const LOCATION_SEARCH: SearchTable<LocationRecord> = {
  defaults: ['name'],
  fields: {
    id: field('number', (location) => location.id),
    location_id: field('number', (location) => location.id),
    name: field('token', (location) => location.name),
    active: field('exact', (location) => location.isActive),
    created_at: field('date', (location) => location.createdAt),
  },
};

export const ORDER_SEARCH: SearchTable<OrderRecord> = {
  defaults: ['name', 'email'],
  fields: {
    id: field('number', (order) => order.id),
    name: field('token', (order) => `#${order.number}`),
    email: field('exact', (order) => order.email),
    created_at: field('date', (order) => order.createdAt),
    updated_at: field('date', (order) => order.updatedAt),
    processed_at: field('date', (order) => order.createdAt),
    sku: field('token', (order) => order.lines.map((line) => line.sku)),
    financial_status: field('exact', () => 'paid'),
    fulfillment_status: field('exact', () => ['unfulfilled', 'unshipped']),
    status: field('exact', () => ['open', 'any']),
    // Orders here come from the storefront only, so none carries an identifier or a tag.
    source_identifier: field('exact', () => []),
    tag: field('exact', () => []),
    source_name: field('exact', () => 'web'),
    test: field('exact', () => 'false'),
  },
};

export const BULK_SEARCH: SearchTable<BulkOperationRecord> = {
  defaults: [],
  fields: {
    id: field('number', (operation) => operation.id),
    created_at: field('date', (operation) => operation.createdAt),
    completed_at: field('date', (operation) => operation.completedAt),
    operation_type: field('exact', (operation) => operation.kind),
    status: field('exact', (operation) => operation.status),
  },
};

export const WEBHOOK_SEARCH: SearchTable<WebhookSubscriptionRecord> = {
  defaults: [],
  fields: {
    id: field('number', (subscription) => subscription.id),
    created_at: field('date', (subscription) => subscription.createdAt),
    updated_at: field('date', (subscription) => subscription.updatedAt),
    topic: field('exact', (subscription) => [subscription.topic, subscription.topic.toLowerCase()]),
    endpoint: field('exact', (subscription) => subscription.uri),
  },
};
