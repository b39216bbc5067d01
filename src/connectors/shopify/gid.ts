/** Global ids ("gid://shopify/Product/123"): text everywhere, for the numbers in them pass 2^53 [C11]. */

export type GidType = 'Product' | 'ProductVariant' | 'InventoryItem' | 'Location' | 'BulkOperation';

export function gid(type: GidType, number: string): string {
  return `gid://shopify/${type}/${number}`;
}

/** The type of a global id, or '' when `text` is none. */
export function gidType(text: string): string {
  return /^gid:\/\/shopify\/(\w+)\/\d+(?:\?|$)/.exec(text)?.[1] ?? '';
}

export function isGid(text: string, type: GidType): boolean {
  return new RegExp(`^gid://shopify/${type}/\\d+$`).test(text);
}

/** The digits of a global id, or ''. */
export function gidNumber(text: string): string {
  return /\/(\d+)(?:\?|$)/.exec(text)?.[1] ?? '';
}

/**
 * JSON in which every integer of 16 or more digits becomes text, because `JSON.parse` alone would round it. Strings are stepped over, so digits inside
 * a title are left as they are.
 */
export function parseJsonWithBigIds(json: string): unknown {
  const quoted = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
  return JSON.parse(quoted);
}

/** An id out of `parseJsonWithBigIds`, as digits; null when it is none. */
export function idText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : null;
  if (typeof value === 'string') return /^\d+$/.test(value) ? value : null;
  return null;
}
