import type { VariantId } from '../../model/ids.ts';
import type { CanonicalProduct, ProductFields, ProductStatus, VariantFields } from '../../model/product.ts';
import { sanitiseHtml } from './html.ts';
import { withoutLooseBreaks, withParagraphs } from './paragraphs.ts';
import { representPrice } from './price.ts';
import { withoutBlockMarks, withPlainBrackets } from './shortcodes.ts';
import { cleanField, cleanOption, decodeText, withoutControls, withRealEntities } from './text.ts';

/**
 * What reading `product` back from WooCommerce gives after it was written there [C13]:
 * - status `archived` becomes `draft`: WooCommerce has no archive
 * - scripts, styles, comments that hold markup, event handlers and addresses of schemes that WordPress does not know (data:) leave the description; text beside its blocks becomes paragraphs; the bracket of
 *   what WordPress would take for a shortcode is an entity
 * - tags lose control characters and doubled white space, and a tag that differs only in letter case from another is that other; they are in
 *   a fixed order; one that is longer than WordPress has room for is not there
 * - SKU, option names and values lose tags, percent-octets and doubled white space, a SKU its entities; "|" and "\" in values become "/"
 * - a barcode that isn't made of digits and hyphens is dropped, as WooCommerce does
 * - the variants of a product are taxed all or none
 * - a sale that isn't below the regular price is dropped; a weight of 0 is none
 */
export function representProduct(product: CanonicalProduct): CanonicalProduct {
  const variants: Record<VariantId, VariantFields> = {};
  const taxable = isTaxed(Object.values(product.variants));
  for (const [id, fields] of Object.entries(product.variants))
    variants[id as VariantId] = { ...representVariant(fields), taxable };
  return { fields: representFields(product.fields), variants };
}

export function representFields(fields: ProductFields): ProductFields {
  return {
    title: withoutControls(fields.title).trim(),
    descriptionHtml: withParagraphs(storedHtml(fields.descriptionHtml)),
    status: representStatus(fields.status),
    tags: representTags(fields.tags),
    optionNames: fields.optionNames.map(cleanField),
    handle: representHandle(fields.handle),
  };
}

/** A description as WordPress is to keep it. */
export function storedHtml(html: string): string {
  return withPlainBrackets(withoutLooseBreaks(sanitiseHtml(withRealEntities(withoutBlockMarks(html)))));
}

function representVariant(fields: VariantFields): VariantFields {
  return {
    sku: decodeText(cleanField(fields.sku)),
    barcode: representBarcode(fields.barcode),
    price: representPrice(fields.price),
    weightMg: fields.weightMg === null || fields.weightMg <= 0 ? null : Math.round(fields.weightMg),
    optionValues: fields.optionValues.map(cleanOption),
    backorders: fields.backorders,
    taxable: fields.taxable,
    requiresShipping: fields.requiresShipping,
  };
}

/** WooCommerce keeps it at the product. Tax on what is free of it can be given back; what was not charged is owed. */
export function isTaxed(variants: readonly Pick<VariantFields, 'taxable'>[]): boolean {
  return variants.length === 0 || variants.some(({ taxable }) => taxable);
}

export function representStatus(status: ProductStatus): ProductStatus {
  return status === 'archived' ? 'draft' : status;
}

/** Ordered by their lower-case form, as WooCommerce lists them; one of each letter case. */
export function representTags(tags: readonly string[]): string[] {
  const kept = new Map<string, string>();
  for (const tag of tags) {
    const clean = cleanField(withoutControls(tag));
    const key = tagKey(clean);
    if (clean !== '' && !kept.has(key) && isTermName(clean)) kept.set(key, clean);
  }
  return [...kept.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, tag]) => tag);
}

/** Characters that WordPress has room for, its entities included; it refuses a longer name of a tag, or of a value of one of the shop's attributes. */
const TERM_NAME_MAX = 200;

export function isTermName(name: string): boolean {
  return [...name.replace(/&/g, '&amp;').replace(/[<>]/g, '&lt;')].length <= TERM_NAME_MAX;
}

/** WooCommerce's database compares names of terms without letter case. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase();
}

export function representBarcode(barcode: string): string {
  const trimmed = barcode.trim();
  return /^[0-9-]*$/.test(trimmed) ? trimmed : '';
}

/** What `sanitize_title` makes of a slug, apart from the number that WordPress appends when it is taken. */
export function representHandle(handle: string): string {
  const plain = handle
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[./]/g, '-')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  return plain;
}
