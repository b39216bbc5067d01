import { PRODUCT_LIMITS, type ProductStatus, type VariantFields } from '../../model/product.ts';
import type { ProductSnapshot, UnsyncableReason, VariantSnapshot } from '../../model/snapshot.ts';
import { compareIds, idText } from '../shared/exact-json.ts';
import { hasFractionalStock, importBackorders, importStock } from './import-stock.ts';
import { readKeptBarcode, readKeptSku, readMarks, readPutAwaySku, readStatusBeforeBin } from './marks.ts';
import { withParagraphs } from './paragraphs.ts';
import { importPrice, plannedSale, type WirePrice, wirePrice } from './price.ts';
import { representTags } from './represent.ts';
import { isForWordPressAlone, withoutShortcodes } from './shortcodes.ts';
import { productStockId, variationStockId } from './stock-id.ts';
import type { StoreFacts } from './store-facts.ts';
import { decodeSlug, decodeText, sameName, titleText } from './text.ts';
import { importWeight } from './weight.ts';
import type { WireProduct, WireVariation } from './wire.ts';

/** What writing the record later needs to know of it; handed back with the write as `seen.passthrough`. */
export interface Passthrough {
  readonly type: string;
  readonly status: string;
  readonly visibility: string;
  /** By variant id: the price fields as WooCommerce has them, schedules included. */
  readonly prices: Readonly<Record<string, WirePrice>>;
  /** Variants whose barcode is kept in a meta entry of ours; absent when there is none. */
  readonly keptBarcodes?: readonly string[];
  /** The SKUs of variants that are in the middle of changing theirs; absent when there is none. */
  readonly keptSkus?: Readonly<Record<string, string>>;
  /** A product with variations has a weight, which those without one report as theirs; absent where it has none. */
  readonly hasSharedWeight?: true;
  /** The stored description holds what only WordPress can show; absent where it does not. */
  readonly ownsDescription?: true;
  /** Variations that went into the bin with their product, and the status that each had; absent when there is none. */
  readonly binned?: Readonly<Record<string, string>>;
  /** The date (naive UTC) of what is not published, which may be still to come; absent where there is none, and of what is. */
  readonly dateOfUnpublished?: string;
  /** Variations that are switched off; absent when there is none. */
  readonly switchedOff?: readonly SwitchedOff[];
}

/** A variation that is not there for us, and whose SKU is taken all the same: what it takes to switch it on again. */
export interface SwitchedOff {
  readonly id: string;
  /** Also where it has let go of it since we put it away. */
  readonly sku: string;
  readonly optionValues: readonly string[];
  readonly price: WirePrice;
  readonly isBarcodeKept: boolean;
}

type Unsyncable = { readonly reason: UnsyncableReason; readonly detail: string };

const BUNDLE_TYPES = /bundle|composite|yith_bundle|woosb/;
const GIFT_CARD_TYPES = /gift[-_]?card/;

/**
 * A product with its variations as one snapshot. A simple product is one variant with the product's own id. A
 * variation that the merchant switched off (status `private`) is not there, as archived variants are not. The variations
 * of a product in the bin are in the bin with it, and still its variants. What can't be kept the same is said in
 * `unsyncable`, never carried in part.
 */
export function importProduct(
  product: WireProduct,
  variations: readonly WireVariation[],
  facts: StoreFacts,
): ProductSnapshot {
  const externalId = idText(product.id) ?? '';
  const isVariable = product.type === 'variable';
  const optionNames = isVariable ? variationAttributes(product).map((attribute) => decodeText(attribute.name)) : [];
  const sharedOptions = isVariable ? sharedPlaces(product) : [];
  const statusOf = (one: WireVariation) =>
    one.status === 'trash' && product.status === 'trash' ? statusBeforeBin(one) : one.status;
  const live = isVariable
    ? variations.filter((one) => statusOf(one) !== 'private' && statusOf(one) !== 'trash').sort(byMenu)
    : [];
  const switchedOff =
    isVariable && product.status !== 'trash'
      ? variations
          .filter((one) => one.status === 'private')
          .map((one) => switchedOffOf(one, product, externalId, facts))
      : [];
  const binned = product.status === 'trash' ? variations.filter((one) => one.status === 'trash') : [];
  const sellables: readonly (WireProduct | WireVariation)[] = isVariable ? live : [product];
  const turnsAt = [...publicationTurn(product), ...saleTurns(sellables.map(wirePrice))];
  const prices = Object.fromEntries(sellables.map((one) => [idText(one.id) ?? '', wirePrice(one)]));
  const keptBarcodes = sellables
    .filter((one) => readKeptBarcode(one.meta_data) !== null)
    .map((one) => idText(one.id) ?? '');
  const variants = isSellableType(product.type)
    ? sellables.map((one) => importVariant(one, product, externalId, facts))
    : [];
  const keptSkus = variants.filter((_, index) => readKeptSku(sellables[index]?.meta_data ?? []) !== null);
  return {
    externalId,
    fields: {
      title: titleText(product.name),
      descriptionHtml: withParagraphs(withoutShortcodes(product.description ?? '')),
      status: importStatus(product),
      tags: representTags(product.tags.map((tag) => decodeText(tag.name))),
      optionNames,
      handle: decodeSlug(product.slug),
    },
    variants,
    marks: readMarks(product.meta_data),
    trashed: product.status === 'trash',
    unsyncable: whyUnsyncable(product, sellables, optionNames, variants, facts),
    ...whyWithheld(product, sellables),
    ...(sharedOptions.length === 0 ? {} : { sharedOptions }),
    ...{ modifiedAt: importTime(product.date_modified_gmt), madeAt: importTime(product.date_created_gmt) },
    ...(turnsAt.length === 0 ? {} : { turnsAt }),
    adminUrl: `${facts.siteUrl}/wp-admin/post.php?post=${externalId}&action=edit`,
    imageUrl: imageUrlOf(product),
    passthrough: {
      type: product.type,
      status: product.status,
      visibility: product.catalog_visibility,
      prices,
      ...(isVariable && importWeight(String(product.weight ?? ''), facts.weightUnit) !== null
        ? { hasSharedWeight: true }
        : {}),
      ...(isForWordPressAlone(product.description ?? '') ? { ownsDescription: true } : {}),
      ...(keptBarcodes.length === 0 ? {} : { keptBarcodes }),
      ...(keptSkus.length === 0
        ? {}
        : { keptSkus: Object.fromEntries(keptSkus.map((one) => [one.externalId, one.fields.sku])) }),
      ...(binned.length === 0
        ? {}
        : { binned: Object.fromEntries(binned.map((one) => [idText(one.id) ?? '', statusBeforeBin(one)])) }),
      ...(product.status === 'publish' || !product.date_created_gmt
        ? {}
        : { dateOfUnpublished: product.date_created_gmt }),
      ...(switchedOff.length === 0 ? {} : { switchedOff }),
    } satisfies Passthrough,
  };
}

function imageUrlOf({ images: [first] }: WireProduct): string {
  return typeof first?.src === 'string' ? first.src : '';
}

/** The attributes that make the variations, in the order in which they are shown. */
export function variationAttributes(product: Pick<WireProduct, 'attributes'>): WireProduct['attributes'] {
  return product.attributes.filter((attribute) => attribute.variation);
}

/** The store's own (global) attributes among them: a value that is written is looked for among their terms without regard to letter case and accents. */
function sharedPlaces(product: WireProduct): readonly number[] {
  return variationAttributes(product).flatMap(({ id }, place) => (String(id) === '0' ? [] : [place]));
}

/** Naive UTC ("2026-11-21T06:38:38") in ms; null when absent or no date. */
export function importTime(naive: string | null | undefined): number | null {
  if (!naive) return null;
  const at = Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(naive) ? naive : `${naive}Z`);
  return Number.isNaN(at) ? null : at;
}

function importVariant(
  one: WireProduct | WireVariation,
  product: WireProduct,
  productId: string,
  facts: StoreFacts,
): VariantSnapshot {
  const externalId = idText(one.id) ?? '';
  const isVariation = one !== product;
  const ownSku = String(one.sku ?? '');
  // WooCommerce shows the parent's SKU on a variation that has none; SKUs are unique, so it can't be the variation's.
  const sku = isVariation && ownSku === String(product.sku ?? '') ? '' : ownSku;
  const fields: VariantFields = {
    sku: decodeText(sku) || (readKeptSku(one.meta_data) ?? ''),
    // Kept by us in a version without the field; it stays there when WooCommerce is updated.
    barcode: String(one.global_unique_id ?? '') || (readKeptBarcode(one.meta_data) ?? ''),
    price: importPrice(wirePrice(one), facts.currency) ?? { regularMinor: null, saleMinor: null },
    weightMg: importWeight(String(one.weight ?? ''), facts.weightUnit),
    optionValues: isVariation ? choices(one as WireVariation, product).map((choice) => decodeText(choice ?? '')) : [],
    backorders: importBackorders(one),
    // "shipping": the goods themselves are free of tax.
    taxable: (one.tax_status ?? 'taxable') === 'taxable',
    requiresShipping: one.virtual !== true,
  };
  const stockId = isVariation ? variationStockId(productId, externalId) : productStockId(externalId);
  return { externalId, stockId, fields, stock: importStock(one), ...plannedSale(wirePrice(one), facts.currency) };
}

function switchedOffOf(one: WireVariation, product: WireProduct, productId: string, facts: StoreFacts): SwitchedOff {
  const { externalId, fields } = importVariant(one, product, productId, facts);
  return {
    id: externalId,
    sku: fields.sku || (readPutAwaySku(one.meta_data) ?? ''),
    optionValues: fields.optionValues,
    price: wirePrice(one),
    isBarcodeKept: readKeptBarcode(one.meta_data) !== null,
  };
}

/** Variations are on or off, by status. */
function statusBeforeBin(variation: WireVariation): string {
  return readStatusBeforeBin(variation.meta_data) === 'private' ? 'private' : 'publish';
}

/** One value for each variation attribute; undefined where the variation says "any". */
function choices(variation: WireVariation, product: WireProduct): (string | undefined)[] {
  return variationAttributes(product).map((attribute) => {
    const id = String(attribute.id);
    const found = variation.attributes.find((choice) =>
      id !== '0' ? String(choice.id) === id : String(choice.id) === '0' && sameName(choice.name, attribute.name),
    );
    return found?.option === '' ? undefined : found?.option;
  });
}

function importStatus(product: WireProduct): ProductStatus {
  if (product.status !== 'publish') return 'draft';
  return product.catalog_visibility === 'hidden' ? 'unlisted' : 'active';
}

/** When sales begin and end, in order. By its dates WooCommerce says whether a sale is on, whenever its own cron comes round to the price. */
function saleTurns(prices: readonly WirePrice[]): readonly number[] {
  const times = prices.flatMap(({ sale, saleFrom, saleTo }) =>
    sale === '' ? [] : [importTime(saleFrom), importTime(saleTo)].filter((time) => time !== null),
  );
  return [...new Set(times)].sort((a, b) => a - b);
}

/** WordPress publishes it then by itself, leaves the time of its last change as it was, and WooCommerce sends no webhook. */
function publicationTurn({ status, date_created_gmt: date }: WireProduct): readonly number[] {
  return status === 'future' ? [importTime(date)].filter((time) => time !== null) : [];
}

function isSellableType(type: string): boolean {
  return type === 'simple' || type === 'variable';
}

/** Shopify knows no password of a single product, and its downloads are an app's. */
function whyWithheld(
  product: WireProduct,
  sellables: readonly (WireProduct | WireVariation)[],
): Pick<ProductSnapshot, 'withheld'> {
  const { post_password: password } = product;
  if (typeof password === 'string' && password !== '') return { withheld: 'It is protected by a password.' };
  if (!sellables.some((one) => one.downloadable === true)) return {};
  return { withheld: 'It is a download, and would be sold without its file.' };
}

function whyUnsyncable(
  product: WireProduct,
  sellables: readonly (WireProduct | WireVariation)[],
  optionNames: readonly string[],
  variants: readonly VariantSnapshot[],
  facts: StoreFacts,
): Unsyncable | null {
  const { type } = product;
  if (!isSellableType(type)) {
    if (BUNDLE_TYPES.test(type)) return { reason: 'bundle', detail: `product type "${type}"` };
    if (GIFT_CARD_TYPES.test(type)) return { reason: 'gift_card', detail: `product type "${type}"` };
    return { reason: 'unsupported_type', detail: `product type "${type}"` };
  }
  if (optionNames.length > PRODUCT_LIMITS.optionNamesMax) {
    return {
      reason: 'too_many_options',
      detail: `${optionNames.length} variation attributes: ${optionNames.join(', ')}`,
    };
  }
  if (variants.length > PRODUCT_LIMITS.variantsMax) {
    return { reason: 'too_many_variants', detail: `${variants.length} variations` };
  }
  for (const one of sellables) {
    const id = idText(one.id) ?? '?';
    if (hasFractionalStock(one))
      return { reason: 'fractional_stock', detail: `${id} has a stock of ${one.stock_quantity}` };
    if (importPrice(wirePrice(one), facts.currency) === null) {
      const { regular, sale } = wirePrice(one);
      return { reason: 'malformed', detail: `${id} has a price that is no number: "${regular}", "${sale}"` };
    }
  }
  if (type !== 'variable') return null;
  const seen = new Map<string, string>();
  for (const variation of sellables as readonly WireVariation[]) {
    const id = idText(variation.id) ?? '?';
    const values = choices(variation, product);
    const open = values.indexOf(undefined);
    if (open >= 0) return { reason: 'any_variation', detail: `variation ${id} is for any ${optionNames[open]}` };
    if (optionNames.length === 0) return { reason: 'any_variation', detail: 'no attribute is used for variations' };
    const key = JSON.stringify(values.map((value) => decodeText(value ?? '').toLowerCase()));
    const twin = seen.get(key);
    if (twin) return { reason: 'duplicate_options', detail: `variations ${twin} and ${id} have the same options` };
    seen.set(key, id);
  }
  return null;
}

/** The order in which the shop shows them: the merchant's, then age. */
function byMenu(a: WireVariation, b: WireVariation): number {
  return (a.menu_order ?? 0) - (b.menu_order ?? 0) || compareIds(idText(a.id) ?? '', idText(b.id) ?? '');
}
