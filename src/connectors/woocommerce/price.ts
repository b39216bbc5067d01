import { formatMinor, minorDigits, parseMinor } from '../../model/money.ts';
import type { Price } from '../../model/product.ts';

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

/** The canonical price, or null when a number can't be read: then the product is not synced rather than guessed at. */
export function importPrice(wire: WirePrice, currency: string): Price | null {
  const regularMinor = wire.regular === '' ? null : parseMinor(wire.regular, currency);
  if (wire.regular !== '' && regularMinor === null) return null;
  const saleMinor = wire.sale === '' ? null : parseMinor(wire.sale, currency);
  if (wire.sale !== '' && saleMinor === null) return null;
  const isOn = wire.isOnSale && regularMinor !== null && saleMinor !== null && saleMinor < regularMinor;
  return { regularMinor, saleMinor: isOn ? saleMinor : null };
}

/** What of a price WooCommerce holds: a sale without a higher regular price is dropped. */
export function representPrice(price: Price): Price {
  const { regularMinor, saleMinor } = price;
  const isOn = regularMinor !== null && saleMinor !== null && saleMinor < regularMinor;
  return { regularMinor, saleMinor: isOn ? saleMinor : null };
}

export interface PriceFields {
  readonly regular_price: string;
  readonly sale_price?: string;
  readonly date_on_sale_from_gmt?: string;
  readonly date_on_sale_to_gmt?: string;
}

/**
 * The fields to send so that `price` is charged now. No price is written as '' (WooCommerce then doesn't sell the
 * item), never as "0". `seen` is what was read; null on create. A sale that is planned for later and doesn't touch
 * today's price is left as it is, and one that is on keeps its end when it gets another price; a schedule that would
 * keep a sale from beginning, or bring one back, against what is written now is cleared ('' clears, null is ignored
 * by the server).
 */
export function exportPrice(price: Price, seen: WirePrice | null, currency: string, decimals: number): PriceFields {
  const { regularMinor, saleMinor } = representPrice(price);
  const regular_price = regularMinor === null ? '' : formatPrice(regularMinor, currency, decimals);
  if (seen === null) {
    return saleMinor === null
      ? { regular_price }
      : { regular_price, sale_price: formatPrice(saleMinor, currency, decimals) };
  }
  const seenPrice = importPrice(seen, currency);
  const isScheduled = seen.saleFrom !== null || seen.saleTo !== null;
  if (saleMinor !== null) {
    const running = seenPrice?.saleMinor ?? null;
    if (running === saleMinor) return { regular_price };
    const sale_price = formatPrice(saleMinor, currency, decimals);
    return isScheduled && running === null
      ? { regular_price, sale_price, ...NO_SCHEDULE }
      : { regular_price, sale_price };
  }
  if (seen.sale === '') return { regular_price };
  const isPlannedForLater = !seen.isOnSale && seen.saleFrom !== null && isBelow(seen.sale, regularMinor, currency);
  if (isPlannedForLater) return { regular_price };
  return isScheduled ? { regular_price, sale_price: '', ...NO_SCHEDULE } : { regular_price, sale_price: '' };
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
