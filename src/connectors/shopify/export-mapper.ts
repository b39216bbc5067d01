import { ConnectorError } from '../../model/connector-error.ts';
import { formatMinor } from '../../model/money.ts';
import {
  type BackorderRule,
  PRODUCT_LIMITS,
  type Price,
  type ProductFields,
  type VariantFields,
} from '../../model/product.ts';
import { QUANTITY_MAX } from '../../model/stock.ts';
import type { NewVariant } from '../../ports/connector.ts';
import {
  DEFAULT_OPTION,
  isWithoutOptions,
  normaliseHandle,
  normaliseOptionText,
  normaliseOptionValue,
  normalisePrice,
  normaliseTags,
  normaliseTitle,
} from './normalise.ts';
import type { StoreContext } from './store-context.ts';
import { type WireWeight, weightFromMg } from './weight.ts';

/** Canonical values as Shopify's inputs. What Shopify can't hold is refused here by name, before anything is sent. */

export interface WireOptionValue {
  readonly optionName: string;
  readonly name: string;
}

/** What `productSet`, `productVariantsBulkCreate` and `productVariantsBulkUpdate` have in common. */
export interface WireVariant {
  id?: string;
  optionValues?: WireOptionValue[];
  price?: string;
  compareAtPrice?: string | null;
  barcode?: string;
  inventoryPolicy?: 'CONTINUE' | 'DENY';
  taxable?: boolean;
  inventoryItem?: {
    sku?: string;
    tracked?: boolean;
    requiresShipping?: boolean;
    measurement?: { weight: WireWeight };
  };
}

export interface WireProduct {
  title?: string;
  descriptionHtml?: string;
  status?: string;
  tags?: string[];
  handle?: string;
}

export function exportFields(fields: Partial<ProductFields>): WireProduct {
  const wire: WireProduct = {};
  if (fields.title !== undefined) {
    wire.title = normaliseTitle(fields.title);
    if (wire.title === '') throw refused('title', 'a product needs a title');
    limitText('title', wire.title);
  }
  if (fields.descriptionHtml !== undefined) wire.descriptionHtml = fields.descriptionHtml;
  if (fields.status !== undefined) wire.status = fields.status.toUpperCase();
  if (fields.tags !== undefined) {
    wire.tags = normaliseTags(fields.tags);
    if (wire.tags.length > PRODUCT_LIMITS.tagsMax)
      throw refused('tags', `Shopify holds ${PRODUCT_LIMITS.tagsMax} tags for a product`);
    for (const tag of wire.tags) limitText('tags', tag);
  }
  return wire;
}

/** A handle travels on create only; an empty one is left to Shopify, which makes it from the title. */
export function exportHandle(handle: string): { handle?: string } {
  const wire = normaliseHandle(handle);
  limitText('handle', wire);
  return wire === '' ? {} : { handle: wire };
}

export function exportOptionNames(optionNames: readonly string[]): string[] {
  if (optionNames.length > PRODUCT_LIMITS.optionNamesMax) {
    throw refused('optionNames', `Shopify holds ${PRODUCT_LIMITS.optionNamesMax} options for a product`);
  }
  if (optionNames.length === 0) return [DEFAULT_OPTION.name];
  return optionNames.map((name) => {
    const wire = normaliseOptionText(name);
    if (wire === '') throw refused('optionNames', 'an option needs a name');
    if (wire.includes(' / ')) throw refused('optionNames', 'the name of an option can’t contain “ / ” on Shopify');
    limitText('optionNames', wire);
    return wire;
  });
}

/** `names` as Shopify has them ("Title" for a product without options). */
export function exportOptionValues(values: readonly string[], names: readonly string[]): WireOptionValue[] {
  const given =
    values.length === 0 && names.length === 1 && names[0] === DEFAULT_OPTION.name ? [DEFAULT_OPTION.value] : values;
  if (given.length !== names.length) {
    throw refused('optionValues', `a variant has ${given.length} option values, its product ${names.length} options`);
  }
  return names.map((optionName, index) => {
    const name = normaliseOptionValue(given[index] ?? '');
    if (name === '') throw refused('optionValues', 'a variant needs a value for every option');
    limitText('optionValues', name);
    return { optionName, name };
  });
}

/** Null prices are refused, never written as 0. */
export function exportPrice(price: Price, currency: string): { price: string; compareAtPrice: string | null } {
  const { regularMinor, saleMinor } = normalisePrice(price, currency);
  if (regularMinor === null) throw refused('price', 'a variant without a price can’t exist on Shopify');
  if (regularMinor < 0 || (saleMinor ?? 0) < 0) throw refused('price', 'a price can’t be negative');
  return {
    price: formatMinor(saleMinor ?? regularMinor, currency),
    compareAtPrice: saleMinor === null ? null : formatMinor(regularMinor, currency),
  };
}

export function exportVariant(fields: Partial<VariantFields>, context: StoreContext): WireVariant {
  const wire: WireVariant = {};
  const item: NonNullable<WireVariant['inventoryItem']> = {};
  if (fields.price !== undefined) Object.assign(wire, exportPrice(fields.price, context.currency));
  if (fields.barcode !== undefined) {
    limitText('barcode', fields.barcode);
    wire.barcode = fields.barcode;
  }
  if (fields.backorders !== undefined) wire.inventoryPolicy = exportBackorders(fields.backorders);
  if (fields.sku !== undefined) {
    limitText('sku', fields.sku);
    item.sku = fields.sku;
  }
  if (fields.weightMg !== undefined) item.measurement = { weight: weightFromMg(fields.weightMg, context.weightUnit) };
  if (Object.keys(item).length > 0) wire.inventoryItem = item;
  return wire;
}

/**
 * A variant that doesn't exist yet, without its quantity: the two mutations that create one name quantities differently. Whether it is taxed and shipped
 * is said here alone: afterwards that is the shop's own matter.
 */
export function exportNewVariant(variant: NewVariant, names: readonly string[], context: StoreContext): WireVariant {
  const wire = exportVariant(variant.fields, context);
  const { taxable, requiresShipping, sku, optionValues } = variant.fields;
  const { tracked, quantity } = variant.stock;
  if (tracked) assertQuantity(quantity);
  if (optionValues.length === 0 && names.some((name) => name !== DEFAULT_OPTION.name)) {
    // By its SKU it is known as the same; one with options alone would be another one.
    const remedy = sku === '' ? 'Give it a SKU, add a variant with that' : `Add a variant with the SKU “${sku}”`;
    throw refused(
      'optionValues',
      `the product has options there (${names.join(', ')}), and what is to be made has none. ${remedy} there, and remove the others`,
    );
  }
  return {
    ...wire,
    taxable,
    optionValues: exportOptionValues(optionValues, names),
    inventoryItem: { ...wire.inventoryItem, tracked, requiresShipping },
  };
}

export function assertQuantity(quantity: number): void {
  if (Number.isInteger(quantity) && Math.abs(quantity) <= QUANTITY_MAX) return;
  throw refused('stock', `Shopify can’t hold the quantity ${quantity}`);
}

function exportBackorders(rule: BackorderRule): 'CONTINUE' | 'DENY' {
  return rule === 'no' ? 'DENY' : 'CONTINUE';
}

/** Option names of a new product in Shopify's form, with the values that its variants use, in order of first use. */
export function exportProductOptions(
  optionNames: readonly string[],
  variants: readonly NewVariant[],
): { names: string[]; productOptions: { name: string; position: number; values: { name: string }[] }[] } {
  const isPlain = isWithoutOptions(
    optionNames,
    variants.map((variant) => variant.fields.optionValues),
  );
  const names = exportOptionNames(isPlain ? [] : optionNames);
  const values = variants.map((variant) => exportOptionValues(isPlain ? [] : variant.fields.optionValues, names));
  const productOptions = names.map((name, index) => ({
    name,
    position: index + 1,
    values: [...new Set(values.map((row) => row[index]?.name ?? ''))].map((value) => ({ name: value })),
  }));
  return { names, productOptions };
}

function limitText(field: string, text: string): void {
  if (text.length <= PRODUCT_LIMITS.textMax) return;
  throw refused(field, `Shopify holds ${PRODUCT_LIMITS.textMax} characters here, not ${text.length}`);
}

export function refused(field: string, message: string): ConnectorError {
  return new ConnectorError('rejected', message, { field });
}
