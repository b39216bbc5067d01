import { minorDigits } from '../../model/money.ts';
import type { Price } from '../../model/product.ts';
import { unparkValue } from './parked-values.ts';

/**
 * The forms that Shopify keeps texts in. Import, export and `represent` all go through these, so that reading back what was written gives what
 * `represent` said [C4].
 */

/** Name and value that Shopify gives a product without options. */
export const DEFAULT_OPTION = { name: 'Title', value: 'Default Title' } as const;

export function normaliseTitle(title: string): string {
  return title.trim();
}

/** Tags have no comma and no letter case; Shopify sorts them. The first spelling of a tag stays. */
export function normaliseTags(tags: readonly string[]): string[] {
  const bySpelling = new Map<string, string>();
  for (const tag of tags.flatMap((text) => text.split(','))) {
    const clean = tag.trim();
    if (clean !== '' && !bySpelling.has(clean.toLowerCase())) bySpelling.set(clean.toLowerCase(), clean);
  }
  return [...bySpelling].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, tag]) => tag);
}

/** Explicit handles are trimmed and lower-cased, punctuation becomes one "-", letters of every script stay. */
export function normaliseHandle(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

export function normaliseOptionText(text: string): string {
  return text.trim();
}

export function normaliseOptionValue(text: string): string {
  return unparkValue(text.trim()).trim();
}

/** Shopify keeps prices with two decimals in every currency (its own money format for dinars is "{{amount}}0 KD"). */
const PRICE_DIGITS_MAX = 2;

/**
 * A sale that is none (not below the regular price) is the price itself; without a regular price it is the only one known. Currencies of three digits
 * are rounded half up to two, and a price never becomes 0 by that.
 */
export function normalisePrice(price: Price, currency: string): Price {
  const regularMinor = roundMinor(price.regularMinor, currency);
  const saleMinor = roundMinor(price.saleMinor, currency);
  if (saleMinor === null) return { regularMinor, saleMinor };
  if (regularMinor === null || saleMinor >= regularMinor) return { regularMinor: saleMinor, saleMinor: null };
  return { regularMinor, saleMinor };
}

function roundMinor(minor: number | null, currency: string): number | null {
  const digits = minorDigits(currency);
  if (minor === null || digits <= PRICE_DIGITS_MAX) return minor;
  const step = 10 ** (digits - PRICE_DIGITS_MAX);
  const rounded = Math.round(minor / step) * step;
  return rounded === 0 && minor > 0 ? step : rounded;
}

/** Shopify keeps no difference between "weighs nothing" and "not known". */
export function normaliseWeight(weightMg: number | null): number | null {
  return weightMg === 0 ? null : weightMg;
}

/** A lone variant of the option "Title" with the value "Default Title" is a product without options. */
export function isWithoutOptions(optionNames: readonly string[], variants: readonly (readonly string[])[]): boolean {
  if (optionNames.length === 0) return true;
  const [name] = optionNames;
  return (
    optionNames.length === 1 &&
    name === DEFAULT_OPTION.name &&
    variants.length === 1 &&
    variants[0]?.length === 1 &&
    variants[0][0] === DEFAULT_OPTION.value
  );
}
