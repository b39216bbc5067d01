import type { Bench, Row } from './bench.ts';
import { type Asked, takeAsked } from './lib/asked.ts';
import { openWorld } from './lib/world.ts';

/** WooCommerce's bound: products and variations in pages of a hundred. */
const RATIO_MAX = 1.1;
/** Shopify's bound: a bulk query is started (10 points), found ended by one look (1 point), and its file fetched, which is a call to no API. */
const BULK_BOUND = { calls: 2, points: 11 };
/**
 * What may be asked beyond that, whatever the size: looks while it runs, which wait longer and longer, the units of the store, and the cursor or the
 * poll that a step ends with. By pages, 10,000 products would be 4,200 points.
 */
const BULK_BEYOND_MAX = { calls: 15, points: 25 };

interface Size {
  readonly products: number;
  readonly variants: number;
  readonly peakMaxMb: number;
}

/** Plan, apply and a full scan of a catalogue that is in both stores and the same. */
function catalogueBench(name: string, about: string, size: Size): Bench {
  return {
    name,
    about,
    async run(workshop) {
      const world = await openWorld(workshop, size);
      try {
        await world.idle();
        await takeAsked(world.woo, world.shopify);
        let startedAt = performance.now();
        const step = async (): Promise<{ readonly asked: Asked; readonly seconds: string }> => {
          const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
          const asked = await takeAsked(world.woo, world.shopify);
          startedAt = performance.now();
          return { asked, seconds: `${seconds} s` };
        };
        const plan = await world.api.plan(world.pairId);
        const planned = await step();
        await world.api.apply(plan);
        const applied = await step();
        const linkPeakMb = world.server.peakMb();
        await world.idle();
        await step();
        await world.api.sync(world.pairId);
        const scanned = await step();
        const writes = scanned.asked.wooWrites + scanned.asked.shopifyWrites;
        const linked = Number(plan.counts['linked']);
        return [
          { what: 'products found on both sides', value: String(linked), target: '', isMet: linked === size.products },
          ...callRows('plan', planned.asked, size),
          { what: 'plan: time', value: planned.seconds, target: '', isMet: null },
          ...callRows('apply', applied.asked, size),
          { what: 'apply: time', value: applied.seconds, target: '', isMet: null },
          {
            what: 'peak memory of the server, plan and apply',
            value: `${linkPeakMb} MB`,
            target: `< ${size.peakMaxMb} MB`,
            isMet: linkPeakMb < size.peakMaxMb,
          },
          { what: 'full scan without drift: writes', value: String(writes), target: '0', isMet: writes === 0 },
          ...callRows('full scan', scanned.asked, size),
          { what: 'full scan: time', value: scanned.seconds, target: '', isMet: null },
          {
            what: 'peak memory of the server, with the scan',
            value: `${world.server.peakMb()} MB`,
            target: `< ${size.peakMaxMb} MB`,
            isMet: world.server.peakMb() < size.peakMaxMb,
          },
        ];
      } finally {
        await world.close();
      }
    },
  };
}

function callRows(step: string, asked: Asked, size: Size): readonly Row[] {
  const wooMin = Math.ceil(size.products / 100) + Math.ceil((size.products * size.variants) / 100);
  const ratio = asked.wooCalls / wooMin;
  const calls = asked.shopifyCalls - BULK_BOUND.calls;
  const points = asked.shopifyPoints - BULK_BOUND.points;
  return [
    {
      what: `${step}: WooCommerce calls, multiple of ${wooMin} pages`,
      value: `${ratio.toFixed(3)} (${asked.wooCalls})`,
      target: `<= ${RATIO_MAX}`,
      isMet: ratio <= RATIO_MAX,
    },
    {
      what: `${step}: Shopify calls beyond a bulk's start and one look`,
      value: `${calls} (${asked.shopifyCalls}: ${asked.list})`,
      target: `<= ${BULK_BEYOND_MAX.calls}`,
      isMet: calls <= BULK_BEYOND_MAX.calls,
    },
    {
      what: `${step}: Shopify points beyond those of that`,
      value: `${points} (${asked.shopifyPoints}, ${(asked.shopifyPoints / BULK_BOUND.points).toFixed(2)} times ${BULK_BOUND.points})`,
      target: `<= ${BULK_BEYOND_MAX.points}`,
      isMet: points <= BULK_BEYOND_MAX.points,
    },
  ];
}

export const firstLink = catalogueBench('link', 'first link of 10,000 products x 3 variants that are in both stores', {
  products: 10_000,
  variants: 3,
  peakMaxMb: 200,
});

export const large = catalogueBench('large', '33,334 products x 3 variants: 100,002 linked records', {
  products: 33_334,
  variants: 3,
  peakMaxMb: 256,
});
