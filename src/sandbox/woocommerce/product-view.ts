import { listOptions } from './attribute-write.ts';
import { crashIfTold } from './crash.ts';
import { galleryImageView } from './image-store.ts';
import type { Json, JsonObject } from './json.ts';
import { metaView } from './meta.ts';
import { versionAtLeast } from './options.ts';
import { autop, formatContent, sanitizeTitle } from './php-text.ts';
import { priceHtml } from './price-html.ts';
import { activePrice, isOnSale, managedBy, publishedVariations, stockHolder, stockStatusOf } from './product-rules.ts';
import type { ProductAttribute, ProductRecord, Taxonomy } from './records.ts';
import type { Site } from './site.ts';
import { naive } from './site-time.ts';
import { choiceLabel } from './variation-write.ts';

export type ViewContext = 'view' | 'edit';
/** Says whether a top-level field is asked for, so that the costly ones are not made in vain. */
export type Wants = (field: string) => boolean;
export const wantsAll: Wants = () => true;

export function localDate(site: Site, utcS: number | null): Json {
  return utcS === null ? null : site.time.local(utcS);
}

export function gmtDate(utcS: number | null): Json {
  return utcS === null ? null : naive(utcS);
}

/** A product, or a variation read through /products, in the order of keys of the real server. */
export function productView(site: Site, record: ProductRecord, context: ViewContext, wants = wantsAll): JsonObject {
  if (wants('price') || wants('regular_price')) crashIfTold(site, record, 'read');
  const nowS = site.nowS();
  const isView = context === 'view';
  const isVariation = record.type === 'variation';
  const rare = record.rare;
  const parent = isVariation ? site.products.find(record.parentId) : undefined;
  const holder = stockHolder(site, record);
  const stock = isView ? (holder?.stock ?? record.stock) : record.stock;
  const backorders = (isView ? holder?.backorders : undefined) ?? record.backorders;
  const stockStatus = stockStatusOf(site, record);
  const price = priceOf(site, record, nowS);
  const taxStatus = parent?.rare.taxStatus ?? rare.taxStatus;
  const view: JsonObject = {
    id: record.id,
    name: record.name,
    slug: record.slug,
    permalink: permalink(site, record, parent),
    date_created: localDate(site, record.createdS),
    date_created_gmt: naive(record.createdS),
    date_modified: localDate(site, record.modifiedS),
    date_modified_gmt: naive(record.modifiedS),
    type: record.type,
    status: record.status,
    featured: rare.featured,
    catalog_visibility: rare.catalogVisibility,
    description: isView && wants('description') ? autop(record.description) : record.description,
    short_description:
      isView && wants('short_description') ? formatContent(record.shortDescription) : record.shortDescription,
    sku: isView ? record.sku || (parent?.sku ?? '') : record.sku,
    price,
    regular_price: record.regularPrice,
    // PHP takes "0" for nothing.
    sale_price: record.salePrice === '0' ? '' : record.salePrice,
    date_on_sale_from: localDate(site, record.saleFromS),
    date_on_sale_from_gmt: gmtDate(record.saleFromS),
    date_on_sale_to: localDate(site, record.saleToS),
    date_on_sale_to_gmt: gmtDate(record.saleToS),
    on_sale: saleNow(site, record, nowS),
    purchasable: price !== '' && record.status !== 'trash',
    // A variation's count was never cast to a number.
    total_sales: isVariation ? String(record.totalSales) : record.totalSales,
    virtual: rare.virtual,
    downloadable: rare.downloadable,
    downloads: rare.downloadable ? [...rare.downloads] : [],
    download_limit: rare.downloadLimit,
    download_expiry: rare.downloadExpiry,
    external_url: rare.externalUrl,
    button_text: rare.buttonText,
    tax_status: taxStatus,
    tax_class: taxClassOf(record, parent, context),
    manage_stock: managedBy(site, record),
    stock_quantity: stock,
    backorders,
    backorders_allowed: backorders !== 'no',
    backordered: stockStatus === 'onbackorder' || (holder !== undefined && backorders !== 'no' && (stock ?? 0) < 0),
    low_stock_amount: rare.lowStockAmount,
    sold_individually: rare.soldIndividually,
    weight: isView ? record.weight || (parent?.weight ?? '') : record.weight,
    dimensions: dimensions(record, isView ? parent : undefined),
    shipping_required: !rare.virtual,
    shipping_taxable: !rare.virtual && ['taxable', 'shipping'].includes(taxStatus),
    shipping_class: rare.shippingClass || (parent?.rare.shippingClass ?? ''),
    shipping_class_id: 0,
    reviews_allowed: isVariation ? false : rare.reviewsAllowed,
    average_rating: isView ? '0.00' : '0',
    rating_count: 0,
    upsell_ids: [...rare.upsellIds],
    cross_sell_ids: [...rare.crossSellIds],
    parent_id: record.parentId,
    purchase_note: isView ? autop(rare.purchaseNote) : rare.purchaseNote,
    categories: termList(site, 'product_cat', record.categoryIds),
  };
  if (versionAtLeast(site.settings.version, 9, 6)) view['brands'] = termList(site, 'product_brand', record.brandIds);
  Object.assign(view, {
    tags: termList(site, 'product_tag', record.tagIds),
    images: images(site, record, parent),
    attributes: isVariation ? choicesView(site, record, parent) : attributesView(site, record.attributes),
    default_attributes: defaultChoices(site, record),
    variations: record.type === 'variable' ? record.variationIds.filter((id) => isLive(site, id)) : [],
    grouped_products: [...rare.groupedIds],
    menu_order: rare.menuOrder,
    price_html: wants('price_html') ? priceHtml(site, record, nowS) : '',
    related_ids: wants('related_ids') && !isVariation ? relatedIds(site, record) : [],
    meta_data: metaView(record.meta),
    stock_status: stockStatus,
    has_options: record.type === 'variable',
  });
  if (versionAtLeast(site.settings.version, 8, 1)) view['post_password'] = rare.postPassword;
  if (versionAtLeast(site.settings.version, 9, 1)) view['global_unique_id'] = record.gtin;
  if (!isView && !isVariation) {
    view['permalink_template'] = site.url('/product/%pagename%/');
    view['generated_slug'] = record.slug;
  }
  view['_links'] = links(site, `/wc/v3/products/${record.id}`, '/wc/v3/products', parentPath(record));
  return view;
}

function parentPath(record: ProductRecord): string | undefined {
  return record.parentId > 0 ? `/wc/v3/products/${record.parentId}` : undefined;
}

const HINTS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function links(site: Site, self: string, collection: string, up?: string, allow: string[] = HINTS): JsonObject {
  const found: JsonObject = {
    self: [{ href: site.restUrl(self), targetHints: { allow: [...allow] } }],
    collection: [{ href: site.restUrl(collection) }],
  };
  if (up !== undefined) found['up'] = [{ href: site.restUrl(up) }];
  return found;
}

export function priceOf(site: Site, record: ProductRecord, nowS: number): string {
  if (record.type !== 'variable') return activePrice(record, nowS);
  let lowest = '';
  for (const child of publishedVariations(site, record)) {
    const price = activePrice(child, nowS);
    if (price !== '' && (lowest === '' || Number(price) < Number(lowest))) lowest = price;
  }
  return lowest;
}

export function saleNow(site: Site, record: ProductRecord, nowS: number): boolean {
  if (record.type !== 'variable') return isOnSale(record, nowS);
  return publishedVariations(site, record).some((child) => isOnSale(child, nowS));
}

/** "parent" is what is stored; readers get the parent's class unless they are editing. */
export function taxClassOf(record: ProductRecord, parent: ProductRecord | undefined, context: ViewContext): string {
  return context === 'view' && record.taxClass === 'parent' ? (parent?.taxClass ?? '') : record.taxClass;
}

export function dimensions(record: ProductRecord, parent: ProductRecord | undefined): JsonObject {
  const size = (key: 'length' | 'width' | 'height'): string => record.rare[key] || (parent?.rare[key] ?? '');
  return { length: size('length'), width: size('width'), height: size('height') };
}

/** Drafts have no pretty address yet. */
export function permalink(site: Site, record: ProductRecord, parent: ProductRecord | undefined): string {
  const page = parent ?? record;
  if (page.slug === '' || ['draft', 'pending', 'auto-draft'].includes(page.status)) {
    return site.url(`/?post_type=product&p=${page.id}`);
  }
  const address = site.url(`/product/${page.slug}/`);
  const query = record.choices
    .filter((choice) => choice.value !== '')
    .map((choice) => `attribute_${choice.key}=${encodeURIComponent(choice.value).replaceAll('%20', '+')}`);
  return query.length === 0 ? address : `${address}?${query.join('&')}`;
}

function termList(site: Site, taxonomy: Taxonomy, ids: readonly number[]): JsonObject[] {
  const terms = ids.flatMap((id) => site.terms.find(taxonomy, id) ?? []);
  if (terms.length > 1)
    terms.sort((a, b) => a.menuOrder - b.menuOrder || (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  return terms.map(({ id, name, slug }) => ({ id, name, slug }));
}

function attributesView(site: Site, attributes: readonly ProductAttribute[]): JsonObject[] {
  return attributes.map((attribute) => ({
    id: attribute.id,
    name: attribute.name,
    slug: attribute.key,
    position: attribute.position,
    visible: attribute.visible,
    variation: attribute.variation,
    options: listOptions(site, attribute),
  }));
}

export function choicesView(site: Site, record: ProductRecord, parent: ProductRecord | undefined): JsonObject[] {
  return record.choices
    .filter((choice) => choice.value !== '')
    .map(({ key, value }) => {
      const global = key.startsWith('pa_') ? site.terms.attributeBySlug(key) : undefined;
      const own = parent?.attributes.find((attribute) => sanitizeTitle(attribute.key) === key);
      return {
        id: global?.id ?? 0,
        name: global?.name ?? own?.name ?? key,
        slug: key,
        option: choiceLabel(site, key, value),
      };
    });
}

function defaultChoices(site: Site, record: ProductRecord): JsonObject[] {
  return record.rare.defaultChoices.map(({ key, value }) => {
    const global = key.startsWith('pa_') ? site.terms.attributeBySlug(key) : undefined;
    const own = record.attributes.find((attribute) => sanitizeTitle(attribute.key) === key);
    return { id: global?.id ?? 0, name: global?.name ?? own?.name ?? key, option: value };
  });
}

function images(site: Site, record: ProductRecord, parent: ProductRecord | undefined): JsonObject[] {
  const ids = record.imageIds.length > 0 ? record.imageIds : (parent?.imageIds.slice(0, 1) ?? []);
  return ids.flatMap((id) => {
    const image = site.products.images.get(id);
    return image ? [galleryImageView(site, image)] : [];
  });
}

function isLive(site: Site, id: number): boolean {
  const status = site.products.find(id)?.status;
  return status !== undefined && status !== 'trash';
}

const RELATED_COUNT = 5;
const RELATED_TRIES = 12;

/** A random handful of published products that share a category or a tag. */
function relatedIds(site: Site, record: ProductRecord): number[] {
  const found = new Set<number>();
  const all = site.products.parentIds;
  for (let n = 0; n < Math.min(RELATED_TRIES, all.length) && found.size < RELATED_COUNT; n++) {
    const other = site.products.find(all[Math.floor(site.environment.random() * all.length)] ?? 0);
    if (!other || other.id === record.id || other.status !== 'publish') continue;
    const shares =
      other.categoryIds.some((id) => record.categoryIds.includes(id)) ||
      other.tagIds.some((id) => record.tagIds.includes(id));
    if (shares) found.add(other.id);
  }
  return [...found];
}
