/** A side of a pair. WooCommerce is always shown left, Shopify always right. */
export type Side = 'woocommerce' | 'shopify';

export const SIDE_NAME: Readonly<Record<Side, string>> = { woocommerce: 'WooCommerce', shopify: 'Shopify' };

export function otherSide(side: Side): Side {
  return side === 'woocommerce' ? 'shopify' : 'woocommerce';
}
