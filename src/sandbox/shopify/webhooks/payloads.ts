import { gidOf } from '../store/ids.ts';
import type {
  BulkOperationRecord,
  ItemRecord,
  LevelRecord,
  LocationRecord,
  MediaRecord,
  ProductRecord,
  VariantRecord,
} from '../store/records.ts';
import { availableOf, variantTitle } from '../store/store.ts';
import { shopTime } from './shop-time.ts';

/** Webhook bodies, shaped like the sample payloads under fixtures/webhook-payloads. */

const FULL_VARIANTS_MAX = 100;

type At = (atMs: number) => string;

export function timeWriter(timeZone: string): At {
  return (atMs) => shopTime(atMs, timeZone);
}

export function productPayload(product: ProductRecord, at: At): Record<string, unknown> {
  const newestFirst = [...product.variants].sort(
    (left, right) => right.updatedAt - left.updatedAt || right.id - left.id,
  );
  return {
    admin_graphql_api_id: gidOf('Product', product.id),
    body_html: product.descriptionHtml,
    created_at: at(product.createdAt),
    handle: product.handle,
    id: product.id,
    product_type: product.productType,
    published_at: product.publishedAt === null ? null : at(product.publishedAt),
    template_suffix: product.templateSuffix,
    title: product.title,
    updated_at: at(product.updatedAt),
    vendor: product.vendor,
    status: product.status.toLowerCase(),
    published_scope: 'global',
    tags: product.tags.join(', '),
    variants: product.variants.slice(0, FULL_VARIANTS_MAX).map((variant) => variantPayload(variant, at)),
    options: product.options.map((option, index) => ({
      name: option.name,
      id: option.id,
      product_id: product.id,
      position: index + 1,
      values: option.values.map((value) => value.name),
    })),
    images: product.media.map((media, index) => imagePayload(product, media, index, at)),
    image: product.media[0] ? imagePayload(product, product.media[0], 0, at) : null,
    media: product.media.map((media, index) => ({
      id: media.id,
      product_id: product.id,
      position: index + 1,
      created_at: at(media.createdAt),
      updated_at: at(media.createdAt),
      alt: media.alt,
      status: 'READY',
      media_content_type: 'IMAGE',
      preview_image: { width: null, height: null, src: media.originalSource, status: 'READY' },
      variant_ids: [],
      admin_graphql_api_id: gidOf('MediaImage', media.id),
    })),
    variant_gids: newestFirst.map((variant) => ({
      admin_graphql_api_id: gidOf('ProductVariant', variant.id),
      updated_at: new Date(variant.updatedAt).toISOString(),
    })),
    has_variants_that_requires_components: false,
    category: product.categoryId === null ? null : { admin_graphql_api_id: product.categoryId },
  };
}

function variantPayload(variant: VariantRecord, at: At): Record<string, unknown> {
  const quantity = availableOf(variant.item);
  return {
    admin_graphql_api_id: gidOf('ProductVariant', variant.id),
    barcode: variant.barcode,
    compare_at_price: variant.compareAtPrice,
    created_at: at(variant.createdAt),
    id: variant.id,
    inventory_policy: variant.inventoryPolicy.toLowerCase(),
    position: variant.position,
    price: variant.price,
    product_id: variant.product.id,
    sku: variant.item.sku,
    taxable: variant.taxable,
    title: variantTitle(variant),
    updated_at: at(variant.updatedAt),
    option1: variant.values[0]?.name ?? null,
    option2: variant.values[1]?.name ?? null,
    option3: variant.values[2]?.name ?? null,
    image_id: variant.mediaId,
    inventory_item_id: variant.item.id,
    inventory_quantity: quantity,
    old_inventory_quantity: quantity,
  };
}

function imagePayload(product: ProductRecord, media: MediaRecord, index: number, at: At): Record<string, unknown> {
  return {
    id: media.id,
    alt: media.alt,
    position: index + 1,
    product_id: product.id,
    created_at: at(media.createdAt),
    updated_at: at(media.createdAt),
    admin_graphql_api_id: gidOf('MediaImage', media.id),
    width: null,
    height: null,
    src: media.originalSource,
    variant_ids: product.variants.filter((variant) => variant.mediaId === media.id).map((variant) => variant.id),
  };
}

/** No variant, no old number, no cause (facts, section 5). `available` is null for an untracked item. */
export function levelPayload(level: LevelRecord, at: At): Record<string, unknown> {
  return {
    inventory_item_id: level.item.id,
    location_id: level.location.id,
    available: level.item.tracked ? level.quantities.available : null,
    updated_at: at(level.updatedAt),
    admin_graphql_api_id: levelGid(level),
  };
}

export function disconnectedLevelPayload(level: LevelRecord): Record<string, unknown> {
  return { inventory_item_id: level.item.id, location_id: level.location.id };
}

export function levelGid(level: LevelRecord): string {
  return `${gidOf('InventoryLevel', level.id)}?inventory_item_id=${level.item.id}`;
}

const WEIGHT_WORDS = { GRAMS: 'g', KILOGRAMS: 'kg', OUNCES: 'oz', POUNDS: 'lb' } as const;

export function itemPayload(item: ItemRecord, at: At): Record<string, unknown> {
  return {
    id: item.id,
    sku: item.sku,
    created_at: at(item.createdAt),
    updated_at: at(item.updatedAt),
    requires_shipping: item.requiresShipping,
    cost: item.cost,
    country_code_of_origin: item.countryCodeOfOrigin,
    province_code_of_origin: item.provinceCodeOfOrigin,
    harmonized_system_code: item.harmonizedSystemCode,
    tracked: item.tracked,
    country_harmonized_system_codes: [],
    weight_value: item.weight.value,
    weight_unit: WEIGHT_WORDS[item.weight.unit],
    admin_graphql_api_id: gidOf('InventoryItem', item.id),
  };
}

export function deletedItemPayload(item: ItemRecord): Record<string, unknown> {
  return {
    id: item.id,
    country_code_of_origin: item.countryCodeOfOrigin,
    province_code_of_origin: item.provinceCodeOfOrigin,
    harmonized_system_code: item.harmonizedSystemCode,
    country_harmonized_system_codes: [],
    admin_graphql_api_id: gidOf('InventoryItem', item.id),
  };
}

export function locationPayload(location: LocationRecord, countryCode: string, at: At): Record<string, unknown> {
  return {
    id: location.id,
    name: location.name,
    address1: null,
    address2: null,
    city: null,
    zip: null,
    province: null,
    country: countryCode,
    phone: null,
    created_at: at(location.createdAt),
    updated_at: at(location.updatedAt),
    country_code: countryCode,
    country_name: new Intl.DisplayNames(['en'], { type: 'region' }).of(countryCode) ?? countryCode,
    province_code: null,
    legacy: false,
    active: location.isActive,
    admin_graphql_api_id: gidOf('Location', location.id),
  };
}

export function bulkPayload(operation: BulkOperationRecord, at: At): Record<string, unknown> {
  return {
    admin_graphql_api_id: gidOf('BulkOperation', operation.id),
    completed_at: operation.completedAt === null ? null : at(operation.completedAt),
    created_at: at(operation.createdAt),
    error_code: operation.errorCode?.toLowerCase() ?? null,
    status: operation.status.toLowerCase(),
    type: operation.kind.toLowerCase(),
  };
}
