import { crashIfTold } from './crash.ts';
import { imageView } from './image-store.ts';
import type { Json, JsonObject } from './json.ts';
import { metaView } from './meta.ts';
import { versionAtLeast } from './options.ts';
import { formatContent } from './php-text.ts';
import { activePrice, isOnSale, managedBy, stockHolder, stockStatusOf } from './product-rules.ts';
import {
  choicesView,
  dimensions,
  gmtDate,
  links,
  localDate,
  permalink,
  taxClassOf,
  type ViewContext,
  type Wants,
  wantsAll,
} from './product-view.ts';
import type { ProductRecord } from './records.ts';
import type { Site } from './site.ts';
import { naive } from './site-time.ts';
import { choiceLabel } from './variation-write.ts';

/**
 * A variation as its own endpoints give it. Unlike products, nearly everything is read "for viewing" even in answers to
 * writes: without a SKU, weight or size of its own it reports its parent's.
 */
export function variationView(
  site: Site,
  record: ProductRecord,
  context: ViewContext,
  wants: Wants = wantsAll,
): JsonObject {
  // The whole record is made, whatever fields are asked for.
  crashIfTold(site, record, 'read');
  const nowS = site.nowS();
  const parent = site.products.find(record.parentId);
  const rare = record.rare;
  const holder = stockHolder(site, record);
  const stock = holder?.stock ?? record.stock;
  const backorders = holder?.backorders ?? record.backorders;
  const stockStatus = stockStatusOf(site, record);
  const price = activePrice(record, nowS);
  const view: JsonObject = {
    id: record.id,
    type: 'variation',
    date_created: localDate(site, record.createdS),
    date_created_gmt: naive(record.createdS),
    date_modified: localDate(site, record.modifiedS),
    date_modified_gmt: naive(record.modifiedS),
    description: wants('description') ? formatContent(record.description) : '',
    permalink: permalink(site, record, parent),
    sku: record.sku || (parent?.sku ?? ''),
  };
  if (versionAtLeast(site.settings.version, 9, 1)) view['global_unique_id'] = record.gtin;
  Object.assign(view, {
    price,
    regular_price: record.regularPrice,
    sale_price: record.salePrice,
    date_on_sale_from: localDate(site, record.saleFromS),
    date_on_sale_from_gmt: gmtDate(record.saleFromS),
    date_on_sale_to: localDate(site, record.saleToS),
    date_on_sale_to_gmt: gmtDate(record.saleToS),
    on_sale: isOnSale(record, nowS),
    status: record.status,
    purchasable: price !== '' && record.status !== 'trash',
    virtual: rare.virtual,
    downloadable: rare.downloadable,
    downloads: rare.downloadable ? [...rare.downloads] : [],
    download_limit: rare.downloadLimit,
    download_expiry: rare.downloadExpiry,
    tax_status: parent?.rare.taxStatus ?? rare.taxStatus,
    tax_class: taxClassOf(record, parent, context),
    manage_stock: managedBy(site, record),
    stock_quantity: stock,
    stock_status: stockStatus,
    backorders,
    backorders_allowed: backorders !== 'no',
    backordered: stockStatus === 'onbackorder' || (holder !== undefined && backorders !== 'no' && (stock ?? 0) < 0),
    low_stock_amount: rare.lowStockAmount,
    weight: record.weight || (parent?.weight ?? ''),
    dimensions: dimensions(record, parent),
    shipping_class: rare.shippingClass || (parent?.rare.shippingClass ?? ''),
    shipping_class_id: 0,
    image: image(site, record, context === 'view' ? parent : undefined),
    attributes: choicesView(site, record, parent),
    menu_order: rare.menuOrder,
    meta_data: metaView(record.meta),
    name: variationName(site, record),
    parent_id: record.parentId,
    _links: links(
      site,
      `/wc/v3/products/${record.parentId}/variations/${record.id}`,
      `/wc/v3/products/${record.parentId}/variations`,
      `/wc/v3/products/${record.parentId}`,
    ),
  });
  return view;
}

function variationName(site: Site, record: ProductRecord): string {
  return record.choices
    .filter((choice) => choice.value !== '')
    .map((choice) => choiceLabel(site, choice.key, choice.value))
    .join(', ');
}

function image(site: Site, record: ProductRecord, parent: ProductRecord | undefined): Json {
  const found = site.products.images.get(record.imageIds[0] ?? parent?.imageIds[0] ?? 0);
  return found ? imageView(site, found) : null;
}
