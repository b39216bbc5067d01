import { readAttributes, readDefaultChoices } from './attribute-write.ts';
import { absInt, formatDecimal, toBool, toInt, toText } from './decimal.ts';
import { writeImages } from './image-store.ts';
import { asList, isObject, isSet, type Json, type Params } from './json.ts';
import { writeMeta } from './meta.ts';
import { versionAtLeast } from './options.ts';
import { convertInvalidEntities, sanitizeText, sanitizeTitle } from './php-text.ts';
import type { ProductRecord, ProductType, RareFields, Taxonomy } from './records.ts';
import { RestError } from './rest-error.ts';
import type { Site } from './site.ts';
import { DEFAULT_CATEGORY_ID } from './term-store.ts';

const TYPES: readonly string[] = ['simple', 'variable', 'grouped', 'external'];
export const STATUSES: readonly string[] = ['draft', 'pending', 'private', 'publish', 'future', 'auto-draft', 'trash'];

/** Applies a product request. What WooCommerce ignores is ignored, what it damages is damaged. */
export function writeProduct(site: Site, record: ProductRecord, params: Params, isNew: boolean): void {
  if (isSet(params['type'])) record.type = TYPES.includes(toText(params['type'])) ? asType(params['type']) : 'simple';
  writeTexts(site, record, params, isNew);
  writeShared(site, record, params);
  if (isSet(params['attributes'])) record.attributes = readAttributes(site, asList(params['attributes']));
  writePrices(site, record, params);
  writeStock(site, record, params);
  writeTerms(site, record, params);
  writeRare(site, record, params);
  if (record.type === 'variable' && Array.isArray(params['default_attributes'])) {
    record.rare = { ...record.rare, defaultChoices: readDefaultChoices(site, record, params['default_attributes']) };
  }
  if (isSet(params['images'])) writeImages(site, record, asList(params['images']));
  writeMeta(site, record, params['meta_data']);
  writeCreationDate(site, record, params);
}

function asType(value: Json | undefined): ProductType {
  return toText(value) as ProductType;
}

function writeTexts(site: Site, record: ProductRecord, params: Params, isNew: boolean): void {
  if (isSet(params['name'])) {
    // An all-blank title is trimmed to nothing by WordPress and the update keeps the old one.
    const name = site.filterHtml(toText(params['name'])).trim();
    if (name !== '' || isNew) record.name = name;
  }
  // PHP takes "0" for nothing.
  if (isNew && (record.name === '' || record.name === '0')) record.name = 'Product';
  if (isSet(params['description']))
    record.description = convertInvalidEntities(site.filterHtml(toText(params['description'])));
  if (isSet(params['short_description']))
    record.shortDescription = site.filterHtml(toText(params['short_description']));
  if (isSet(params['status'])) {
    const status = toText(params['status']);
    record.status = STATUSES.includes(status) ? status : 'draft';
  }
  if (isSet(params['slug']) && toText(params['slug']) !== '') site.products.setSlug(record, toText(params['slug']));
  else if (record.slug === '' && !['draft', 'pending', 'auto-draft'].includes(record.status)) {
    site.products.setSlug(record, record.name);
  }
}

/** What products and variations write alike. */
export function writeShared(site: Site, record: ProductRecord, params: Params): void {
  if (isSet(params['sku'])) {
    const sku = sanitizeText(toText(params['sku']));
    site.products.assertFreeSku(sku, record);
    site.products.setSku(record, sku);
  }
  if (isSet(params['global_unique_id']) && versionAtLeast(site.settings.version, 9, 1)) {
    const gtin = sanitizeText(toText(params['global_unique_id'])).replace(/[^0-9-]/g, '');
    site.products.assertFreeGtin(gtin, record);
    site.products.setGtin(record, gtin);
  }
  if (isSet(params['tax_class'])) record.taxClass = taxClass(toText(params['tax_class']));
  if (isSet(params['virtual']) && toBool(params['virtual'])) clearShipping(record);
  else writeShipping(site, record, params);
}

function taxClass(value: string): string {
  const slug = sanitizeTitle(value);
  return ['parent', 'reduced-rate', 'zero-rate'].includes(slug) ? slug : '';
}

/** A virtual product has neither weight nor size: WooCommerce empties them when it becomes one. */
function clearShipping(record: ProductRecord): void {
  record.weight = '';
  record.rare = { ...record.rare, length: '', width: '', height: '', shippingClass: '' };
}

function writeShipping(site: Site, record: ProductRecord, params: Params): void {
  const decimal = (value: Json): string => formatDecimal(value, site.settings.decimalSeparator);
  if (isSet(params['weight'])) record.weight = decimal(params['weight']);
  const size = params['dimensions'];
  if (isObject(size)) {
    const { length, width, height } = record.rare;
    record.rare = {
      ...record.rare,
      length: isSet(size['length']) ? decimal(size['length']) : length,
      width: isSet(size['width']) ? decimal(size['width']) : width,
      height: isSet(size['height']) ? decimal(size['height']) : height,
    };
  }
  if (isSet(params['shipping_class'])) {
    record.rare = { ...record.rare, shippingClass: sanitizeTitle(toText(params['shipping_class'])) };
  }
}

export function writePrices(site: Site, record: ProductRecord, params: Params): void {
  if (record.type === 'variable' || record.type === 'grouped') {
    record.regularPrice = '';
    record.salePrice = '';
    record.saleFromS = null;
    record.saleToS = null;
    return;
  }
  const separator = site.settings.decimalSeparator;
  if (isSet(params['regular_price'])) record.regularPrice = formatDecimal(params['regular_price'], separator);
  if (isSet(params['sale_price'])) record.salePrice = formatDecimal(params['sale_price'], separator);
  // A sale that is none is dropped, also by a lower regular price that is sent alone; its dates stay.
  const isPriced = isSet(params['regular_price']) || isSet(params['sale_price']);
  if (isPriced && Number(record.salePrice) >= Number(record.regularPrice)) record.salePrice = '';
  // In this order: a GMT date wins over the local one.
  const date = (key: string, isGmt: boolean): number | null | undefined =>
    isSet(params[key]) ? site.time.fieldDate(toText(params[key]), isGmt) : undefined;
  for (const isGmt of [false, true]) {
    const suffix = isGmt ? '_gmt' : '';
    const from = date(`date_on_sale_from${suffix}`, isGmt);
    const to = date(`date_on_sale_to${suffix}`, isGmt);
    if (from !== undefined) record.saleFromS = from;
    if (to !== undefined) record.saleToS = to;
  }
}

function writeStock(site: Site, record: ProductRecord, params: Params): void {
  const status = isSet(params['stock_status']) ? toText(params['stock_status']) : record.stockStatus;
  if (!site.settings.manageStock) {
    if (record.type !== 'variable') record.stockStatus = status;
    return;
  }
  if (isSet(params['manage_stock'])) record.manageStock = toBool(params['manage_stock']);
  if (isSet(params['backorders'])) record.backorders = toText(params['backorders']);
  if (record.type === 'grouped' || record.type === 'external') {
    record.manageStock = false;
    record.stockStatus = record.type === 'external' ? 'instock' : status;
    return;
  }
  if (record.type !== 'variable' || !record.manageStock) record.stockStatus = status;
  if (record.manageStock) writeQuantity(record, params);
}

/** Only reached when the product manages stock: without it the number sent is dropped without a word. */
export function writeQuantity(record: ProductRecord, params: Params): void {
  if (isSet(params['stock_quantity'])) record.stock = toInt(params['stock_quantity']);
  else if (isSet(params['inventory_delta'])) record.stock = (record.stock ?? 0) + toInt(params['inventory_delta']);
  if ('low_stock_amount' in params) {
    const amount = params['low_stock_amount'];
    record.rare = { ...record.rare, lowStockAmount: isSet(amount) && amount !== '' ? toInt(amount) : null };
  }
}

function writeTerms(site: Site, record: ProductRecord, params: Params): void {
  if (Array.isArray(params['categories'])) {
    record.categoryIds = existing(site, 'product_cat', params['categories']);
  }
  // Unknown ids are skipped; nothing left means Uncategorized.
  if (record.categoryIds.length === 0) record.categoryIds = [DEFAULT_CATEGORY_ID];
  if (Array.isArray(params['brands']) && versionAtLeast(site.settings.version, 9, 6)) {
    record.brandIds = existing(site, 'product_brand', params['brands']);
  }
  if (Array.isArray(params['tags'])) record.tagIds = readTags(site, params['tags']);
}

function existing(site: Site, taxonomy: Taxonomy, items: readonly Json[]): number[] {
  const ids = items.map((item) => (isObject(item) ? absInt(item['id']) : 0));
  return [...new Set(ids)].filter((id) => site.terms.find(taxonomy, id));
}

/** The schema calls a tag's name read-only, yet a name wins over the id, and an unknown one makes the tag. */
function readTags(site: Site, items: readonly Json[]): number[] {
  const ids = new Set<number>();
  for (const item of items) {
    if (!isObject(item)) continue;
    const name = item['name'];
    const tag = isSet(name)
      ? site.terms.ensure('product_tag', toText(name))
      : site.terms.find('product_tag', absInt(item['id']));
    if (tag) ids.add(tag.id);
  }
  return [...ids];
}

function writeRare(site: Site, record: ProductRecord, params: Params): void {
  const change: Partial<{ -readonly [K in keyof RareFields]: RareFields[K] }> = {};
  const text = (key: string): string | undefined => (isSet(params[key]) ? toText(params[key]) : undefined);
  const bool = (key: string): boolean | undefined => (isSet(params[key]) ? toBool(params[key]) : undefined);
  const int = (key: string): number | undefined => (isSet(params[key]) ? toInt(params[key]) : undefined);
  const ids = (key: string): number[] | undefined =>
    isSet(params[key])
      ? asList(params[key])
          .map(absInt)
          .filter((id) => id > 0)
      : undefined;
  const put = <K extends keyof RareFields>(key: K, value: RareFields[K] | undefined): void => {
    if (value !== undefined && value !== record.rare[key]) change[key] = value;
  };
  put('featured', bool('featured'));
  put('catalogVisibility', text('catalog_visibility'));
  put('virtual', bool('virtual'));
  put('soldIndividually', bool('sold_individually'));
  put('reviewsAllowed', bool('reviews_allowed'));
  if (versionAtLeast(site.settings.version, 8, 1)) put('postPassword', text('post_password'));
  put('taxStatus', text('tax_status'));
  put('purchaseNote', text('purchase_note'));
  put('menuOrder', int('menu_order'));
  put('upsellIds', ids('upsell_ids'));
  put('crossSellIds', ids('cross_sell_ids'));
  put('groupedIds', record.type === 'grouped' ? ids('grouped_products') : undefined);
  if (record.type === 'external') {
    put('externalUrl', text('external_url'));
    put('buttonText', text('button_text'));
  }
  writeDownloads(record, params, put, bool('downloadable'), int);
  if (isSet(params['parent_id'])) record.parentId = absInt(params['parent_id']);
  if (Object.keys(change).length > 0) record.rare = { ...record.rare, ...change };
}

export function writeDownloads(
  record: ProductRecord,
  params: Params,
  put: <K extends keyof RareFields>(key: K, value: RareFields[K] | undefined) => void,
  isDownloadable: boolean | undefined,
  int: (key: string) => number | undefined,
): void {
  put('downloadable', isDownloadable);
  if (!(isDownloadable ?? record.rare.downloadable)) return;
  if (Array.isArray(params['downloads'])) put('downloads', params['downloads'].filter(isObject));
  put('downloadLimit', int('download_limit'));
  put('downloadExpiry', int('download_expiry'));
}

function writeCreationDate(site: Site, record: ProductRecord, params: Params): void {
  for (const isGmt of [false, true]) {
    const text = toText(params[`date_created${isGmt ? '_gmt' : ''}`]);
    const date = text === '' ? null : site.time.fieldDate(text, isGmt);
    if (date !== null) record.createdS = date;
  }
  // What is published with a date that has not come waits for it; what is to wait for one that has come is published.
  const isAhead = record.createdS - site.nowS() >= 60;
  if (record.status === 'publish' && isAhead) record.status = 'future';
  else if (record.status === 'future' && !isAhead) record.status = 'publish';
}

export function refuseVariation(record: ProductRecord): void {
  if (record.type !== 'variation') return;
  throw new RestError(
    'woocommerce_rest_invalid_product_id',
    'To manipulate product variations you should use the /products/&lt;product_id&gt;/variations/&lt;id&gt; endpoint.',
    404,
  );
}
