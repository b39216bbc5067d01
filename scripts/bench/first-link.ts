import type { Bench, Row } from './bench.ts';
import type { Store } from './lib/processes.ts';
import { openWorld } from './lib/world.ts';

const PRODUCTS = 10_000;
const VARIANTS = 3;
/** Pages of a hundred products and of a hundred variations; a bulk query is asked for, polled once, and downloaded. */
const WOO_CALLS_MIN = (PRODUCTS + PRODUCTS * VARIANTS) / 100;
const SHOPIFY_PAGED_CALLS = 121;
const SHOPIFY_PAGED_POINTS = 4_200;

export interface ShopifyStats {
  readonly requests: number;
  readonly actualCost: number;
  readonly byOperation: Readonly<Record<string, { readonly calls: number; readonly actualCost: number }>>;
}

export interface WooStats {
  readonly total: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** What was asked of both stores since the last call. */
async function asked(woo: Store, shopify: Store) {
  const wooStats = await woo.stats<WooStats>();
  const shopifyStats = await shopify.stats<ShopifyStats>();
  await Promise.all([woo.control('resetStats'), shopify.control('resetStats').catch(() => null)]);
  const writes = Object.entries(wooStats.calls).filter(([name]) => !name.startsWith('GET'));
  return { woo: wooStats, shopify: shopifyStats, wooWrites: writes.reduce((sum, [, count]) => sum + count, 0) };
}

export const firstLink: Bench = {
  name: 'link',
  about: `first link of ${PRODUCTS} products x ${VARIANTS} variants that are in both stores`,
  async run(workshop) {
    const world = await openWorld(workshop, { products: PRODUCTS, variants: VARIANTS });
    const rows: Row[] = [];
    try {
      await asked(world.woo, world.shopify);
      const planAt = performance.now();
      const plan = await world.api.plan(world.pairId);
      const planMs = performance.now() - planAt;
      const planned = await asked(world.woo, world.shopify);
      const applyAt = performance.now();
      await world.api.apply(plan);
      const applyMs = performance.now() - applyAt;
      const applied = await asked(world.woo, world.shopify);
      rows.push({ what: 'plan', value: JSON.stringify({ planMs, planned }), target: '', isMet: null });
      rows.push({ what: 'apply', value: JSON.stringify({ applyMs, applied }), target: '', isMet: null });
      rows.push({ what: 'peak', value: String(world.server.peakMb()), target: '', isMet: null });
    } finally {
      await world.close();
    }
    return rows;
  },
};
void [WOO_CALLS_MIN, SHOPIFY_PAGED_CALLS, SHOPIFY_PAGED_POINTS];
