import type { Json } from './json.ts';

/**
 * wc_format_decimal without rounding: decimal separators become dots, everything that is no digit, dot or minus goes.
 * This is the silent damage of the facts: with a dot as separator "19,99" becomes "1999" and "abc" becomes "".
 */
export function formatDecimal(value: Json | undefined, decimalSeparator: string): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toFixed(6)));
  const text = (value === true ? '1' : String(value)).trim();
  const dotted = decimalSeparator === '.' ? text : text.replaceAll(decimalSeparator, '.');
  return dotted.replace(/\.(?![^.]+$)|[^0-9.-]/g, '');
}

/** PHP's (int) of anything: the leading integer, else 0. */
export function toInt(value: Json | undefined): number {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'string') {
    const match = /^\s*[+-]?\d+/.exec(value);
    return match ? Number(match[0]) : 0;
  }
  return 0;
}

export function absInt(value: Json | undefined): number {
  return Math.abs(toInt(value));
}

/** wc_string_to_bool: "parent" is therefore false. */
export function toBool(value: Json | undefined): boolean {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1;
  return typeof value === 'string' && ['yes', 'true', '1'].includes(value.toLowerCase());
}

export function toText(value: Json | undefined): string {
  if (value === null || value === undefined || value === false) return '';
  if (value === true) return '1';
  return typeof value === 'object' ? '' : String(value);
}

/** Money with two decimals, half away from zero, computed in integers so that 1.005 does not become 1.00. */
export function money(value: number): string {
  const sign = value < 0 ? '-' : '';
  const cents = Math.round((Math.abs(value) + Number.EPSILON) * 100);
  return `${sign}${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
