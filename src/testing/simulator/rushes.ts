import type { SeededRandom } from './random.ts';
import type { SharedWorld } from './shared-store.ts';

/** One item that everybody wants: it moves in all three shops while either pair is writing it. From a stream of its own, as all that is rare. */
export function rush(shared: SharedWorld, random: SeededRandom): void {
  const { clock } = shared.world;
  const { sku } = random.pick([...(shared.shops[0]?.shelf.items.values() ?? [])]).variant.fields;
  for (let move = 0; move < 12; move += 1) {
    // Mostly where only one pair sees it: then both have the shared shop to write.
    const shop = random.pick(random.chance(0.8) ? shared.shops.slice(1) : shared.shops);
    const count = 1 + random.int(6);
    const isSale = random.chance(0.7);
    clock.setTimer(() => {
      const stockId = shop.shelf.holdersOf(sku)[0]?.variant.stockId;
      if (stockId === undefined) return;
      if (isSale) shop.outside.sell(stockId, 1);
      else shop.outside.restock(stockId, count);
    }, random.int(4_000));
  }
}

/** Items of an offer: enough for a call to be judged by what they hold. */
const OFFERED = 12;
/** So long an offer lasts, ms: its shops are not offering anything else meanwhile. */
export const OFFER_MS = 60_000;

/**
 * [S5] An offer in two shops: the same articles are sold in both, one of each, and the Shopify shop does not tell. What the other one sold is written to
 * it in one call, which gets lost: then its items hold just what was to be set.
 */
export function offer(shared: SharedWorld, random: SeededRandom): void {
  const { clock } = shared.world;
  const [teller, ...others] = shared.shops;
  const quiet = random.pick(others);
  if (teller === undefined) return;
  const offered = random.shuffle([...teller.shelf.items.values()]).slice(0, OFFERED);
  const sell = (shop: typeof quiet) => {
    for (const { variant } of offered) {
      const stockId = shop.shelf.holdersOf(variant.fields.sku)[0]?.variant.stockId;
      if (stockId !== undefined) shop.outside.sell(stockId, 1);
    }
  };
  const usual = { quiet: quiet.faults, teller: teller.faults };
  let isLost = false;
  quiet.faults = {
    request: (facts) => {
      const fate = usual.quiet.request(facts);
      if (isLost || facts.operation !== 'write_stock' || facts.itemCount < OFFERED / 2) return fate;
      isLost = true;
      return { ...fate, fault: { type: 'timeout', when: 'before' } };
    },
    delivery: () => ({ delaysMs: [], isLate: false }),
  };
  teller.faults = {
    request: (facts) => usual.teller.request(facts),
    delivery: () => ({ delaysMs: [500], isLate: false }),
  };
  sell(quiet);
  clock.setTimer(() => sell(teller), 10_000 + random.int(20_000));
  clock.setTimer(() => {
    quiet.faults = usual.quiet;
    teller.faults = usual.teller;
  }, OFFER_MS);
}
