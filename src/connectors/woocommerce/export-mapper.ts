import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductFields, ProductStatus, VariantFields } from '../../model/product.ts';
import type { NewVariant } from '../../ports/connector.ts';
import { wireId } from '../shared/exact-json.ts';
import { placesBefore } from '../shared/places-before.ts';
import { naiveUtc } from './finding.ts';
import { importTime, type Passthrough, type SwitchedOff } from './import-mapper.ts';
import { barcodeMeta, putAwayMeta } from './marks.ts';
import { exportPrice, type WirePrice } from './price.ts';
import { representBarcode, representStatus, storedHtml } from './represent.ts';
import type { StoreFacts } from './store-facts.ts';
import { cleanField, cleanOption, decodeText, encodeTitle, escapeSlashes, withoutControls } from './text.ts';
import { exportWeight } from './weight.ts';
import type { WireAttribute } from './wire.ts';

export type WireBody = Readonly<Record<string, unknown>>;

/** An attribute as it is sent: `id` only for the store's own (global) attributes. */
export interface AttributeBody {
  readonly id?: number | string;
  readonly name: string;
  readonly position: number;
  readonly visible: boolean;
  readonly variation: boolean;
  readonly options: readonly string[];
}

/** Stands in where nothing is known of a price: everything that could contradict the new one is cleared. */
const UNKNOWN_PRICE: WirePrice = {
  regular: 'unknown',
  sale: 'unknown',
  saleFrom: 'unknown',
  saleTo: 'unknown',
  isOnSale: true,
};

/**
 * Product-level fields of a change, tags and attributes apart: those need the store's ids and lists. Only what is
 * named is sent.
 */
export function exportFields(fields: Partial<ProductFields>, seen: Passthrough | null, storeNowMs: number): WireBody {
  return {
    ...(fields.title === undefined ? {} : { name: exportTitle(fields.title) }),
    ...(fields.descriptionHtml === undefined ? {} : exportDescription(fields.descriptionHtml, seen)),
    ...(fields.status === undefined ? {} : exportStatus(fields.status, seen, storeNowMs)),
  };
}

/** Forms, galleries and layouts that a text from elsewhere does not have are not written over by it. */
function exportDescription(html: string, seen: Passthrough | null): WireBody {
  if (seen?.ownsDescription !== true) return { description: escapeSlashes(storedHtml(html)) };
  const words =
    'it holds shortcodes or blocks of WordPress there, which the text from the other shop would erase. Edit it in WooCommerce, or take them out of it there';
  throw new ConnectorError('rejected', words, { field: 'descriptionHtml' });
}

/** A blank title makes WordPress fail with 500 in a whole batch, so it never leaves; "0" is as good as none to it, and a new product would be called "Product". */
function exportTitle(title: string): string {
  const text = withoutControls(title).trim();
  if (text === '') throw new ConnectorError('rejected', 'a product needs a title', { field: 'title' });
  if (text === '0')
    throw new ConnectorError('rejected', 'to WordPress the title "0" is none: give it another one', { field: 'title' });
  return encodeTitle(text);
}

/**
 * Several of WooCommerce's states mean the same to us (pending, private and future are all drafts): one that already
 * means what is wanted is left as it is.
 */
function exportStatus(status: ProductStatus, seen: Passthrough | null, storeNowMs: number): WireBody {
  const wanted = representStatus(status);
  const isPublished = seen?.status === 'publish';
  if (wanted === 'draft') return seen !== null && !isPublished && seen.status !== 'trash' ? {} : { status: 'draft' };
  // With a date that is to come WordPress would only schedule it.
  const isAhead = (importTime(seen?.dateOfUnpublished) ?? 0) > storeNowMs;
  const date = isAhead ? { date_created_gmt: naiveUtc(storeNowMs) } : {};
  const publish = isPublished ? {} : { status: 'publish', ...date };
  const isHidden = seen?.visibility === 'hidden';
  if (wanted === 'unlisted') return isHidden ? publish : { ...publish, catalog_visibility: 'hidden' };
  // "search" and "catalog" are finer shades of visible, and the merchant's own.
  return seen !== null && !isHidden ? publish : { ...publish, catalog_visibility: 'visible' };
}

/** Fields of one variant that changed; never its stock, nor what travels on create only. */
export function exportVariant(
  fields: Partial<VariantFields>,
  seen: WirePrice | undefined,
  facts: StoreFacts,
  isBarcodeKept = false,
): WireBody {
  const { sku, barcode, price, weightMg, backorders } = fields;
  return {
    ...(sku === undefined ? {} : { sku: cleanField(sku) }),
    ...(barcode === undefined ? {} : exportBarcode(representBarcode(barcode), facts, isBarcodeKept)),
    ...(price === undefined ? {} : exportPrice(price, seen ?? UNKNOWN_PRICE, facts.currency, facts.priceDecimals)),
    ...(weightMg === undefined ? {} : { weight: exportWeight(weightMg, facts.weightUnit) }),
    ...(backorders === undefined ? {} : { backorders }),
  };
}

/** A variant with the stock that it starts with: in the same call, so that it is never sold from a wrong number. */
export function exportNewVariant(variant: NewVariant, facts: StoreFacts): WireBody {
  const { price, weightMg, backorders } = variant.fields;
  const sku = cleanField(variant.fields.sku);
  const barcode = representBarcode(variant.fields.barcode);
  return {
    ...(sku === '' ? {} : { sku }),
    ...(barcode === '' ? {} : exportBarcode(barcode, facts, false)),
    ...exportPrice(price, null, facts.currency, facts.priceDecimals),
    ...(weightMg === null ? {} : { weight: exportWeight(weightMg, facts.weightUnit) }),
    ...(variant.fields.requiresShipping ? {} : { virtual: true }),
    ...exportStock(variant.stock, backorders),
  };
}

/** A variation that was switched off, made to be the new variant [C29]: whatever it held before, a blank clears. */
export function exportSwitchedOn(variant: NewVariant, old: SwitchedOff, facts: StoreFacts): WireBody {
  const { backorders, optionValues: _choices, ...fields } = variant.fields;
  return {
    id: wireId(old.id),
    status: 'publish',
    ...joinBodies(exportVariant(fields, old.price, facts, old.isBarcodeKept), { meta_data: [putAwayMeta(null)] }),
    virtual: !fields.requiresShipping,
    ...exportStock(variant.stock, backorders),
    // "Out of stock", set by hand, would outlive it where nothing is counted.
    ...(variant.stock.tracked ? {} : { stock_status: 'instock' }),
  };
}

/** The weight that a call left out: WooCommerce empties it in one that makes an item virtual, and takes it in the next. */
export function lostWeight(body: WireBody): WireBody | null {
  const { virtual, weight } = body;
  return virtual === true && typeof weight === 'string' && weight !== '' ? { weight } : null;
}

/** Where there is no field for it, a barcode stays in our own meta entry: unread it would look as if it had been erased. */
function exportBarcode(barcode: string, facts: StoreFacts, isKept: boolean): WireBody {
  if (!facts.hasBarcodes) return { global_unique_id: barcode, meta_data: [barcodeMeta(barcode)] };
  return { global_unique_id: barcode, ...(isKept ? { meta_data: [barcodeMeta('')] } : {}) };
}

/** Two bodies as one; their meta entries add up. */
export function joinBodies(first: WireBody, second: WireBody): WireBody {
  const meta = [first, second].flatMap((body) => (Array.isArray(body['meta_data']) ? body['meta_data'] : []));
  return { ...first, ...second, ...(meta.length === 0 ? {} : { meta_data: meta }) };
}

function exportStock(stock: NewVariant['stock'], backorders: VariantFields['backorders']): WireBody {
  if (!stock.tracked) return { manage_stock: false };
  if (!Number.isSafeInteger(stock.quantity)) {
    throw new ConnectorError('rejected', `${stock.quantity} is not a whole number`, { field: 'stock' });
  }
  return { manage_stock: true, stock_quantity: stock.quantity, backorders };
}

/**
 * The attributes of a new product: one of its own for each option. Global ones are the store's furniture and are not
 * made by us.
 */
export function newAttributes(
  optionNames: readonly string[],
  variants: readonly { readonly optionValues: readonly string[] }[],
) {
  return optionNames.map(
    (name, position): AttributeBody => ({
      name: attributeName(cleanField(name)),
      position,
      visible: true,
      variation: true,
      options: distinct(variants.map((variant) => cleanOption(variant.optionValues[position] ?? ''))),
    }),
  );
}

/** As WooCommerce stores it. By the sign itself a variation's choice is not found again: "a<b" is looked for as "a", and was stored as "a&lt;b". */
function attributeName(clean: string): string {
  return clean.replaceAll('<', '&lt;');
}

/** What the variations of a product bear, before and after a write. */
export interface BorneValues {
  /** The options before it, in the order of the values. */
  readonly names: readonly string[];
  /** Of each variation that stays: its values by the old options, and by the new. */
  readonly changes: readonly (readonly [readonly string[], readonly string[]])[];
  /** Values of new variations, by the new options. */
  readonly added: readonly (readonly string[])[];
  /** Values of those that are switched off, by the old options. */
  readonly switchedOff: readonly (readonly string[])[];
}

/**
 * The whole attribute list of an existing product for a PUT (WooCommerce replaces it as a whole): those that make no
 * variations are sent back as they were read; those that do get their new names and places and any values that they
 * lack, and lose those that no variation bears any more. What no variation of ours ever bore is the merchant's own list.
 * A renamed global attribute becomes one of the product's own: its name belongs to the store.
 */
export function mergedAttributes(
  current: readonly WireAttribute[],
  optionNames: readonly string[],
  borne: BorneValues,
): AttributeBody[] {
  const varying = current.filter((attribute) => attribute.variation);
  const names = varying.map((attribute) => decodeText(attribute.name));
  const places = placesBefore(names, optionNames.map(cleanField));
  const option = (position: number): AttributeBody[] => {
    const name = optionNames[position];
    if (name === undefined) return [];
    const clean = cleanField(name);
    const place = places[position] ?? -1;
    const old = varying[place];
    const isKept = old !== undefined && names[place] === clean;
    return [
      {
        ...(isKept && String(old.id) !== '0' ? { id: old.id } : {}),
        name: isKept ? old.name : attributeName(clean),
        position: varying[position]?.position ?? current.length + position,
        visible: old?.visible ?? true,
        variation: true,
        options: mergedValues(
          (old?.options ?? []).map(decodeText),
          borne.names.indexOf(names[place] ?? ''),
          position,
          borne,
        ),
      },
    ];
  };
  const kept = current.flatMap((attribute) => {
    if (attribute.variation) return option(varying.indexOf(attribute));
    const { id, name, position = 0, visible = false, options } = attribute;
    return [{ ...(String(id) === '0' ? {} : { id }), name, position, visible, variation: false, options }];
  });
  return [...kept, ...optionNames.slice(varying.length).flatMap((_name, index) => option(varying.length + index))];
}

/** A value that nobody bears any more gives its place in the list to the one that came for it. */
function mergedValues(listed: readonly string[], before: number, after: number, borne: BorneValues): string[] {
  const at = (values: readonly string[], index: number) => cleanOption(values[index] ?? '');
  const next = [...borne.changes.map(([, values]) => values), ...borne.added].map((values) => at(values, after));
  const staying = new Set([...next, ...borne.switchedOff.map((values) => at(values, before))]);
  const replaced = new Map<string, string>();
  for (const [old, values] of borne.changes) {
    const value = at(old, before);
    if (!staying.has(value) && !replaced.has(value)) replaced.set(value, at(values, after));
  }
  return distinct([...listed.map((value) => replaced.get(cleanOption(value)) ?? value), ...next]);
}

/** Which value of each attribute a variation has. */
export function exportChoices(attributes: readonly AttributeBody[], values: readonly string[]): WireBody {
  const varying = attributes.filter((attribute) => attribute.variation);
  return {
    attributes: varying.map((attribute, position) => ({
      ...(attribute.id === undefined ? { name: attribute.name } : { id: attribute.id }),
      option: cleanOption(values[position] ?? ''),
    })),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))];
}
