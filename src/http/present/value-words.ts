import { plainText } from '../../lib/plain-text.ts';
import { formatMinor } from '../../model/money.ts';

const TEXT_LENGTH_MAX = 60;
/** How many of a list are told one by one. */
const LISTED_MAX = 8;

interface PriceValue {
  readonly regularMinor: number | null;
  readonly saleMinor: number | null;
}

const BACKORDERS: Readonly<Record<string, string>> = {
  no: 'not allowed',
  notify: 'allowed, the customer is told',
  yes: 'allowed',
};

/** The value of a field inside a sentence. `currency`: of its pair; null: not known, and so is where the minor units begin. */
export function valueWords(field: string, value: unknown, currency: string | null): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (isPrice(value)) return priceWords(value, currency);
  if (Array.isArray(value)) return listWords(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return field === 'weightMg' ? `${value / 1_000} g` : String(value);
  if (typeof value !== 'string') return 'something else';
  if (field === 'backorders') return BACKORDERS[value] ?? value;
  return shortened(field === 'descriptionHtml' ? plainText(value) || 'none' : value);
}

function isPrice(value: unknown): value is PriceValue {
  return typeof value === 'object' && value !== null && 'regularMinor' in value;
}

function priceWords({ regularMinor, saleMinor }: PriceValue, currency: string | null): string {
  if (currency === null)
    return regularMinor === null && saleMinor === null ? 'no price' : 'a price in an unknown currency';
  const money = (minor: number): string => `${formatMinor(minor, currency)} ${currency}`;
  if (regularMinor === null) return saleMinor === null ? 'no price' : money(saleMinor);
  return saleMinor === null ? money(regularMinor) : `${money(saleMinor)} (was ${money(regularMinor)})`;
}

function listWords(values: readonly unknown[]): string {
  if (values.length === 0) return 'none';
  const more = values.length - LISTED_MAX;
  return `${values.slice(0, LISTED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function shortened(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX - 3).trimEnd()}…` : text;
}
