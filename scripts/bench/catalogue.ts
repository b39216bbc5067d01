import type { Bench, Row } from './bench.ts';
import { type Asked, takeAsked } from './lib/asked.ts';
import { openWorld } from './lib/world.ts';

/** Calls of the lower bound: WooCommerce in pages of a hundred; Shopify by one bulk query: start it, ask for it once, fetch it. */
const SHOPIFY_BULK_CALLS = 3;
/** The same by pages, which is what costs points. */
const SHOPIFY_PAGED_POINTS = 4_200;
const RATIO_MAX = 1.1;

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
  const scale = size.products / 10_000;
  const ratio = (asked.wooCalls + asked.shopifyCalls) / (wooMin + SHOPIFY_BULK_CALLS);
  const points = asked.shopifyPoints / (SHOPIFY_PAGED_POINTS * scale);
  return [
    {
      what: `${step}: API calls, multiple of the lower bound`,
      value: `${ratio.toFixed(3)} (WooCommerce ${asked.wooCalls}, Shopify ${asked.shopifyCalls}: ${asked.list})`,
      target: `<= ${RATIO_MAX}`,
      isMet: ratio <= RATIO_MAX,
    },
    {
      what: `${step}: Shopify points, multiple of reading by pages`,
      value: `${points.toFixed(3)} (${asked.shopifyPoints})`,
      target: `<= ${RATIO_MAX}`,
      isMet: points <= RATIO_MAX,
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
