/**
 * Strings are stepped over; a number of 16 or more digits without fraction or exponent is an id or a phone number,
 * never a quantity. Digits that are themselves a fraction (0.30000000000000004) or an exponent are no number.
 */
const STRING_OR_LONG_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs;

/**
 * What one JSON may be made of: lists, objects, texts, and what stands between commas. A hundred products as WooCommerce has them come to 35,000. A
 * megabyte of `{},` needs 22 of memory, and a process that has none left is ended with all that is in it.
 */
const PARTS_MAX = 300_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON of more parts than are taken in. */
export class TooManyParts extends SyntaxError {}

/** `JSON.parse` of what somebody else wrote. Throws `TooManyParts` before anything is made of it, and `SyntaxError` for text that is no JSON. */
export function parseJson(text: string): unknown {
  refuseTooMany(text);
  return JSON.parse(text);
}

/**
 * `parseJson` that keeps integers beyond 2^53 exact: they come out as text, while all others stay numbers [C11]. Read
 * ids with `idText`, so that both forms give the same text. Throws what `parseJson` throws.
 */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return parseJson(text);
  refuseTooMany(text);
  return JSON.parse(text.replace(STRING_OR_LONG_INTEGER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

function refuseTooMany(text: string): void {
  // Each part has a character of its own.
  if (text.length <= PARTS_MAX) return;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== QUOTE && code !== 0x7b && code !== 0x5b && code !== 0x2c) continue;
    parts += 1;
    if (parts > PARTS_MAX) throw new TooManyParts(`JSON of more than ${PARTS_MAX} parts`);
    if (code === QUOTE) at = endOfText(text, at);
  }
}

/** Where the quotation mark is that ends the text which begins at `start`; the end of all where none does. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
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
