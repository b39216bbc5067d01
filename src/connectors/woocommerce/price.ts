import { formatMinor, minorDigits, parseMinor } from '../../model/money.ts';
import type { Price } from '../../model/product.ts';
import type { WireProduct, WireVariation } from './wire.ts';

/** The price fields of a product or variation as WooCommerce keeps them. */
export interface WirePrice {
  readonly regular: string;
  readonly sale: string;
  /** Naive UTC, or null. */
  readonly saleFrom: string | null;
  readonly saleTo: string | null;
  /** WooCommerce's own word on whether the sale is on at this moment. */
  readonly isOnSale: boolean;
}

export function wirePrice(one: WireProduct | WireVariation): WirePrice {
  return {
    regular: decimal(one.regular_price),
    sale: salePrice(one),
    saleFrom: one.date_on_sale_from_gmt || null,
    saleTo: one.date_on_sale_to_gmt || null,
    isOnSale: isOnSale(one),
  };
}

/** A sale for nothing that is kept as "0", as where no decimals are shown, is answered as '' for a product, though not for a variation. */
function salePrice(one: WireProduct | WireVariation): string {
  const told = decimal(one.sale_price);
  return told === '' && isOnSale(one) && 'type' in one && one.type === 'simple' ? '0' : told;
}

function isOnSale({ on_sale: told }: WireProduct | WireVariation): boolean {
  return /^(?:true|yes|1)$/i.test(String(told));
}

/** WooCommerce keeps ".99" as it was typed. */
function decimal(value: string | number | null): string {
  return String(value ?? '')
    .trim()
    .replace(/^\.(?=\d)/, '0.');
}

/** The canonical price, or null when a number can't be read: then the product is not synced rather than guessed at. */
export function importPrice(wire: WirePrice, currency: string): Price | null {
  const regularMinor = wire.regular === '' ? null : parseMinor(wire.regular, currency);
  if (wire.regular !== '' && regularMinor === null) return null;
  const saleMinor = wire.sale === '' ? null : parseMinor(wire.sale, currency);
  if (wire.sale !== '' && saleMinor === null) return null;
  const isOn = wire.isOnSale && regularMinor !== null && saleMinor !== null && saleMinor < regularMinor;
  return { regularMinor, saleMinor: isOn ? saleMinor : null };
}

/** A sale that is not on yet, in words, or one whose time is over and that WooCommerce has not tidied away yet. */
export function plannedSale(wire: WirePrice, currency: string): { readonly plannedSale?: string } {
  const { sale, saleFrom, saleTo, isOnSale } = wire;
  if (sale === '' || saleFrom === null || isOnSale) return {};
  const time = (naive: string) => naive.replace('T', ' ').replace(/:\d\d$/, '');
  const until = saleTo === null ? '' : ` to ${time(saleTo)}`;
  return { plannedSale: `${sale} ${currency} from ${time(saleFrom)}${until} (UTC)` };
}

/** What of a price WooCommerce holds: a sale without a higher regular price is dropped. */
export function representPrice(price: Price): Price {
  const { regularMinor, saleMinor } = price;
  const isOn = regularMinor !== null && saleMinor !== null && saleMinor < regularMinor;
  return { regularMinor, saleMinor: isOn ? saleMinor : null };
}

export interface PriceFields {
  readonly regular_price?: string;
  readonly sale_price?: string;
  readonly date_on_sale_from_gmt?: string;
  readonly date_on_sale_to_gmt?: string;
}

/**
 * The fields to send so that `price` is charged now. No price is written as '' (WooCommerce then doesn't sell the
 * item), never as "0". `seen` is what was read; null on create. A price that is there to the minor unit is not sent:
 * shops keep net prices with more decimals ("8.4034"), and a change of the sale would round the regular one. A sale
 * that is planned for later and doesn't touch today's price is left as it is, and one that is on keeps its end when it
 * gets another price; a schedule that would keep a sale from beginning, or bring one back, against what is written now
 * is cleared ('' clears, null is ignored by the server).
 */
export function exportPrice(price: Price, seen: WirePrice | null, currency: string, decimals: number): PriceFields {
  const { regularMinor, saleMinor } = representPrice(price);
  const amount = (minor: number | null, there: string | undefined) => {
    if (there !== undefined && isThere(there, minor, currency)) return null;
    return minor === null ? '' : formatPrice(minor, currency, decimals);
  };
  const regular_price = amount(regularMinor, seen?.regular);
  const regular = regular_price === null ? {} : { regular_price };
  if (seen === null) return saleMinor === null ? regular : { ...regular, ...saleField(amount(saleMinor, undefined)) };
  const isScheduled = seen.saleFrom !== null || seen.saleTo !== null;
  if (saleMinor !== null) {
    const sale = saleField(amount(saleMinor, seen.sale));
    const isRunning = (importPrice(seen, currency)?.saleMinor ?? null) !== null;
    return isScheduled && !isRunning ? { ...regular, ...sale, ...NO_SCHEDULE } : { ...regular, ...sale };
  }
  if (seen.sale === '') return regular;
  const isPlannedForLater = !seen.isOnSale && seen.saleFrom !== null && isBelow(seen.sale, regularMinor, currency);
  if (isPlannedForLater) return regular;
  return isScheduled ? { ...regular, sale_price: '', ...NO_SCHEDULE } : { ...regular, sale_price: '' };
}

function saleField(sale_price: string | null): PriceFields {
  return sale_price === null ? {} : { sale_price };
}

/** Whether the text that is there says this amount, to the minor unit. */
function isThere(text: string, minor: number | null, currency: string): boolean {
  if (text === '' || minor === null) return text === '' && minor === null;
  return parseMinor(text, currency) === minor;
}

const NO_SCHEDULE = { date_on_sale_from_gmt: '', date_on_sale_to_gmt: '' } as const;

function isBelow(sale: string, regularMinor: number | null, currency: string): boolean {
  const saleMinor = parseMinor(sale, currency);
  return saleMinor !== null && regularMinor !== null && saleMinor < regularMinor;
}

/** A plain decimal with the store's number of decimals, or more where fewer would change the amount. */
export function formatPrice(minor: number, currency: string, decimals: number): string {
  const exact = formatMinor(minor, currency);
  const digits = minorDigits(currency);
  if (decimals > digits) return `${exact}${digits === 0 ? '.' : ''}${'0'.repeat(decimals - digits)}`;
  let text = exact;
  for (let spare = digits - decimals; spare > 0 && text.endsWith('0'); spare -= 1) text = text.slice(0, -1);
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
