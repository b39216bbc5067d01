import type { Bench, Row } from './bench.ts';
import { type Asked, takeAsked } from './lib/asked.ts';
import { openWorld, type World } from './lib/world.ts';

/** How much more than a lower bound may be asked. */
const RATIO_MAX = 1.1;
const BACKED_UP_PEAK_MAX_MB = 256;
/**
 * Shopify's bound by a bulk query, whatever the size: it is started (10 points) and found ended by one look (1 point); its file is fetched without
 * a call of the API. It is shown and not judged: a bulk query has to be looked after until it ends, which takes as long as the shop takes.
 */
const BULK_BOUND = { calls: 2, points: 11 };
const VARIANTS_PER_PAGE = 250;
/** A connection walks no further: then a range is begun, which takes a call to find where. */
const VARIANTS_PER_RANGE = 25_000;
/** A connection costs 2 + (1 + children) x floor(2 ln first): of 250 variants, each with its product and its inventory item, 2 + 3 x 11. */
const POINTS_PER_PAGE = 2 + (1 + 2) * Math.floor(2 * Math.log(VARIANTS_PER_PAGE));

interface Size {
  readonly products: number;
  readonly variants: number;
  readonly peakMaxMb: number;
  /** Whether the database is copied and proved too, first by itself and then beside a full scan. */
  readonly isBackedUp: boolean;
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
        const scanPeakMb = world.server.peakMb();
        const backedUp = size.isBackedUp ? await backupRows(world) : [];
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
            value: `${scanPeakMb} MB`,
            target: `< ${size.peakMaxMb} MB`,
            isMet: scanPeakMb < size.peakMaxMb,
          },
          ...backedUp,
        ];
      } finally {
        await world.close();
      }
    },
  };
}

/** A copy of the database that is made while nothing else happens, and one beside a full scan: what it takes of the memory, and of everybody's time. */
async function backupRows({ api, server, pairId }: World): Promise<readonly Row[]> {
  const startedAt = performance.now();
  const copy = api.backUp();
  const calmWait = await api.longestWait(copy);
  const seconds = (performance.now() - startedAt) / 1000;
  const size = `${Math.round((await copy) / 1024 / 1024)} MB`;
  const calmPeakMb = server.peakMb();
  const scanWait = await api.longestWait(api.sync(pairId));
  const busyWait = await api.longestWait(Promise.all([api.sync(pairId), api.backUp()]));
  const peakMb = server.peakMb();
  const waitRow = (what: string, ms: number): Row => ({ what, value: `${ms.toFixed(0)} ms`, target: '', isMet: null });
  return [
    { what: 'a backup: size, time', value: `${size}, ${seconds.toFixed(1)} s`, target: '', isMet: null },
    waitRow('a backup: longest wait for a sign of life', calmWait),
    waitRow('a full scan: the same', scanWait),
    waitRow('a backup beside a full scan: the same', busyWait),
    { what: 'peak memory of the server, with a backup', value: `${calmPeakMb} MB`, target: '', isMet: null },
    {
      what: 'peak memory of the server, with a backup beside a full scan',
      value: `${peakMb} MB`,
      target: `< ${BACKED_UP_PEAK_MAX_MB} MB`,
      isMet: peakMb < BACKED_UP_PEAK_MAX_MB,
    },
  ];
}

interface Bound {
  readonly calls: number;
  readonly points: number;
}

/**
 * Shopify's bound page by page: variants are what there are most of, and each brings its product along. 30,000 of them are 120 pages, 4,200 points, and
 * one call to find the second range: 121 calls.
 */
function pagedBound({ products, variants }: Size): Bound {
  const count = products * variants;
  const pages = Math.ceil(count / VARIANTS_PER_PAGE);
  return { calls: pages + Math.ceil(count / VARIANTS_PER_RANGE) - 1, points: pages * POINTS_PER_PAGE };
}

function callRows(step: string, asked: Asked, size: Size): readonly Row[] {
  // Products and variations in pages of a hundred.
  const wooMin = Math.ceil(size.products / 100) + Math.ceil((size.products * size.variants) / 100);
  const paged = pagedBound(size);
  const ratioRow = (what: string, count: number, bound: number): Row => {
    const ratio = count / bound;
    return {
      what: `${step}: ${what}`,
      value: `${ratio.toFixed(3)} (${count})`,
      target: `<= ${RATIO_MAX}`,
      isMet: ratio <= RATIO_MAX,
    };
  };
  const shownRow = (what: string, count: number, bound: number, said: string): Row => ({
    what: `${step}: ${what}`,
    value: `${(count / bound).toFixed(3)} (${said})`,
    target: '',
    isMet: null,
  });
  const { wooCalls, shopifyCalls, shopifyPoints, list } = asked;
  const bulk = BULK_BOUND;
  return [
    ratioRow(`all WooCommerce calls, as a multiple of ${wooMin} pages`, wooCalls, wooMin),
    ratioRow(
      `all Shopify calls, as a multiple of reading by ${paged.calls} calls page by page`,
      shopifyCalls,
      paged.calls,
    ),
    ratioRow(`all Shopify points, as a multiple of the ${paged.points} of that`, shopifyPoints, paged.points),
    shownRow(
      `the same as a multiple of a bulk query's ${bulk.calls} (start, one look)`,
      shopifyCalls,
      bulk.calls,
      `${shopifyCalls}: ${list}`,
    ),
    shownRow(
      `the points as a multiple of the ${bulk.points} of that`,
      shopifyPoints,
      bulk.points,
      String(shopifyPoints),
    ),
  ];
}

export const firstLink = catalogueBench('link', 'first link of 10,000 products x 3 variants that are in both stores', {
  products: 10_000,
  variants: 3,
  peakMaxMb: 200,
  isBackedUp: false,
});

export const large = catalogueBench('large', '33,334 products x 3 variants: 100,002 linked records', {
  products: 33_334,
  variants: 3,
  peakMaxMb: 256,
  isBackedUp: true,
});
