export const PLATFORMS = ['woocommerce', 'shopify'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A side is a platform seen from a pair: a pair always joins one store of each. */
export type Side = Platform;
export const SIDES = PLATFORMS;

export function otherSide(side: Side): Side {
  return side === 'woocommerce' ? 'shopify' : 'woocommerce';
}

/** Names as people read them. */
export const PLATFORM_NAME: Record<Platform, string> = { woocommerce: 'WooCommerce', shopify: 'Shopify' };

export type PerSide<T> = Record<Side, T>;
