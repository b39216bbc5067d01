import { money } from './decimal.ts';
import { activePrice, isOnSale, publishedVariations } from './product-rules.ts';
import type { ProductRecord } from './records.ts';
import type { Site } from './site.ts';

export const CURRENCY_SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  CAD: '$',
  AUD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  PLN: 'zł',
};

function symbolEntity(currency: string): string {
  const symbol = CURRENCY_SYMBOLS[currency] ?? currency;
  return [...symbol].map((char) => (/[a-z]/i.test(char) ? char : `&#${char.codePointAt(0)};`)).join('');
}

function amount(site: Site, price: number): string {
  const whole = money(price).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return whole.replace('.', site.settings.decimalSeparator);
}

function price(site: Site, value: number, hidden = false): string {
  const symbol = `<span class="woocommerce-Price-currencySymbol">${symbolEntity(site.settings.currency)}</span>`;
  const aria = hidden ? ' aria-hidden="true"' : '';
  return `<span class="woocommerce-Price-amount amount"${aria}><bdi>${symbol}${amount(site, value)}</bdi></span>`;
}

/** The storefront's price, as it stands in API answers. */
export function priceHtml(site: Site, record: ProductRecord, nowS: number): string {
  if (record.type === 'variable') return rangeHtml(site, record, nowS);
  const active = activePrice(record, nowS);
  if (active === '') return '';
  if (!isOnSale(record, nowS)) return price(site, Number(active));
  const plain = (value: number): string => `&#036;${amount(site, value)}`.replace('&#036;', plainSymbol(site));
  const regular = Number(record.regularPrice);
  const sale = Number(record.salePrice);
  const was = `<span class="screen-reader-text">Original price was: ${plain(regular)}.</span>`;
  const is = `<span class="screen-reader-text">Current price is: ${plain(sale)}.</span>`;
  return `<del aria-hidden="true">${price(site, regular)}</del> ${was}<ins aria-hidden="true">${price(site, sale)}</ins>${is}`;
}

function plainSymbol(site: Site): string {
  return symbolEntity(site.settings.currency).replace('&#36;', '&#036;');
}

function rangeHtml(site: Site, record: ProductRecord, nowS: number): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const child of publishedVariations(site, record)) {
    const active = activePrice(child, nowS);
    if (active === '') continue;
    low = Math.min(low, Number(active));
    high = Math.max(high, Number(active));
  }
  if (low > high) return '';
  if (low === high) return price(site, low);
  const symbol = symbolEntity(site.settings.currency);
  const spoken = `Price range: ${symbol}${amount(site, low)} through ${symbol}${amount(site, high)}`;
  const dash = '<span aria-hidden="true">&ndash;</span>';
  return `${price(site, low, true)} ${dash} ${price(site, high, true)}<span class="screen-reader-text">${spoken}</span>`;
}
