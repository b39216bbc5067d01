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
