import type { Platform } from './platform.ts';

declare const brand: unique symbol;

/** A shop as such, which any number of workspaces may have connected: no id of a store, and nothing that a person is shown. */
export type Shop = string & { readonly [brand]: 'shop' };

/**
 * The shop that a store is. Locks, open intents and rates are the shop's: two workspaces that have it connected are two hands on one shelf.
 * It goes by what cannot be claimed of somebody else's shop, or one workspace could hold up another: by the address that is really called, and by
 * the permanent domain where Shopify itself gives it. What a WooCommerce site says of itself (`identity`) is not enough.
 */
export function shopOf(store: {
  readonly platform: Platform;
  readonly address: string;
  readonly identity: string;
}): Shop {
  const { platform, address, identity } = store;
  const isTold = platform === 'shopify' && address.endsWith('.myshopify.com');
  const place = isTold ? identity.toLowerCase() : address.replace(/^https?:\/\//, '').replace(/^www\./, '');
  return `${platform} ${place}` as Shop;
}
