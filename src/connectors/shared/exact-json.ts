/**
 * Strings are stepped over; a number of 16 or more digits without fraction or exponent is an id or a phone number,
 * never a quantity. Digits that are themselves a fraction (0.30000000000000004) or an exponent are no number.
 */
const STRING_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs;

/**
 * `JSON.parse` that keeps integers beyond 2^53 exact: they come out as text, while all others stay numbers [C11]. Read
 * ids with `idText`, so that both forms give the same text. Throws `SyntaxError` for text that is no JSON.
 */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(STRING_OR_LONG_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/** A platform's id as text, whether it came as number or text; null when it is neither, or not a positive integer. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? value : null;
}

/** An id for a JSON body: a number where that is exact, else text. */
export function wireId(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}

/** Orders ids of digits by number, without making them numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
