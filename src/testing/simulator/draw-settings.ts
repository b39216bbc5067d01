import { CONFLICT_POLICIES, type PairSettings, STOCK_LINK_RULES } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import type { SeededRandom } from './random.ts';

/** What the person who set up a seed's pair chose. Most leave most as it is, and each setting is somebody's choice. */
export function drawSettings(random: SeededRandom): Partial<PairSettings> {
  const policies = {
    conflictResolution: random.pick(CONFLICT_POLICIES),
    preferredSide: random.pick(SIDES),
    linkRule: random.pick(['woocommerce', 'shopify', 'fill_blanks'] as const),
    stockBuffer: random.chance(0.2) ? 2 : 0,
    syncDirection: random.chance(0.8)
      ? ('bidirectional' as const)
      : random.pick(['woocommerce_to_shopify', 'shopify_to_woocommerce'] as const),
    allowZeroStockLink: true,
  };
  const rarer = random.fork('rarer');
  // Some want nothing made for them: they link what they have.
  const makesNothing = random.fork('makes nothing').chance(0.07);
  return {
    ...policies,
    enforce: rarer.chance(0.4),
    stockTwoWay: !rarer.chance(0.3),
    stockCap: rarer.chance(0.15) ? 5 + rarer.int(15) : null,
    stockLinkRule: rarer.pick(STOCK_LINK_RULES),
    createOn: { woocommerce: !rarer.chance(0.1), shopify: !rarer.chance(0.1) },
    ...(makesNothing && { createOn: { woocommerce: false, shopify: false } }),
    deletePolicy: rarer.chance(0.15) ? 'keep' : 'archive',
    syncProducts: !rarer.chance(0.06),
    syncPrices: !rarer.chance(0.08),
    syncInventory: !rarer.chance(0.06),
  };
}
