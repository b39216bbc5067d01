import type { Bench, Row } from './bench.ts';
import { createMemoryLimit } from './lib/memory-limit.ts';
import { listItems, wooStock } from './lib/shelf.ts';
import { recovery, stockUp, storm } from './lib/storm.ts';
import { openWorld } from './lib/world.ts';

const SKUS = 1_000;
const SECONDS = 60;
const EVENTS = SECONDS * SKUS;
const LIMIT_MB = 256;
/** Where the kernel can not be asked to keep the limit, the process must stay this far below it. */
const UNLIMITED_PEAK_MB = 200;
const CALLS_MAX = 8;
const SETTLED_WITHIN_MS = 400_000;

export const burst: Bench = {
  name: 'burst',
  about: `${EVENTS} WooCommerce events in ${SECONDS} s over ${SKUS} SKUs, Shopify down, ${LIMIT_MB} MB`,
  async run(workshop) {
    const limit = createMemoryLimit(LIMIT_MB * 1024 * 1024);
    const world = await openWorld(workshop, { products: SKUS, variants: 1, limit });
    try {
      const items = await listItems(world.woo, world.shopify);
      await stockUp([world.woo, world.shopify], items);
      await world.api.apply(await world.api.plan(world.pairId));
      await world.idle();
      const makers = await world.takeOverWebhooks();
      const storedBefore = world.storedCount();
      const { acknowledged, sent, waitingMax, refusals } = await storm(world, makers, items, { seconds: SECONDS });
      // Sixty sales of an item end in one number: that the number is right does not say that each of them was kept.
      const unstored = acknowledged - (world.storedCount() - storedBefore);
      const truth = await wooStock(world.woo);
      const peakMb = world.server.peakMb();
      const rows: Row[] = [
        {
          what: 'events sent / acknowledged',
          value: `${sent} / ${acknowledged}`,
          target: 'all',
          isMet: sent === acknowledged,
        },
        {
          what: 'acknowledged and not stored',
          value: String(unstored),
          target: '0',
          isMet: unstored === 0,
        },
        {
          what: 'most that waited for their answer at once',
          value: `${waitingMax}${refusals}`,
          target: '',
          isMet: null,
        },
        {
          what:
            limit === null ? 'peak memory (no memory controller here)' : `peak memory, killed beyond ${LIMIT_MB} MB`,
          value: `${peakMb} MB`,
          target: limit === null ? `< ${UNLIMITED_PEAK_MB} MB` : 'alive',
          isMet: limit === null ? peakMb < UNLIMITED_PEAK_MB : world.server.residentMb() > 0,
        },
      ];
      if (limit !== null) {
        const groupMb = Math.round(limit.peakBytes() / 1024 / 1024);
        rows.push({ what: 'peak of its group, page cache included', value: `${groupMb} MB`, target: '', isMet: null });
      }
      const { left, calls, list, seconds } = await recovery(world, truth, SETTLED_WITHIN_MS);
      return [
        ...rows,
        { what: 'acknowledged and lost (SKUs that are wrong)', value: String(left), target: '0', isMet: left === 0 },
        {
          what: 'Shopify calls until settled, webhook checks left aside',
          value: `${calls} (${list})`,
          target: `<= ${CALLS_MAX}`,
          isMet: calls <= CALLS_MAX,
        },
        { what: 'settled after Shopify came back', value: `${seconds.toFixed(1)} s`, target: '', isMet: null },
      ];
    } finally {
      await world.close();
      limit?.close();
    }
  },
};
