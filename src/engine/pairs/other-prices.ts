import type { PairView } from '../pair-view.ts';
import { basisWords, isOtherPriceBasis } from './create-pair.ts';

/**
 * [A3] Why nothing new is made in either store of this pair: its price would be a number copied between currencies or tax bases. Null where the two
 * count prices alike, as far as they say.
 */
export function otherPrices({ stores }: PairView): string | null {
  const [woocommerce, shopify] = [stores.woocommerce.info, stores.shopify.info];
  if (woocommerce === null || shopify === null || !isOtherPriceBasis(woocommerce, shopify)) return null;
  return `Its price would be another one there: WooCommerce has ${basisWords(woocommerce)}, Shopify ${basisWords(shopify)}. It is made when both have the same.`;
}
