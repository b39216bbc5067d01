import { otherSide, SIDES } from '../../model/platform.ts';
import type { World } from './world.ts';

/** One seed in so many ends with it. */
const CHANCE = 0.25;
const ITEMS = 3;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than any platform remembers the key of a stock call. */
const OFF_MS = 25 * HOUR_MS;

/**
 * [S5] The server goes off while a stock write is on its way, and is on again a day later: whoever knew the key of that call has forgotten it, and the items are
 * back at what the call expected. At the end of the day, and from a stream of its own, so that what comes before stays what it was. Returns how often: 0 or 1.
 */
export async function maybeDayOff(world: World): Promise<number> {
  const random = world.random.fork('day off');
  if (!random.chance(CHANCE)) return 0;
  const side = random.pick(SIDES);
  const shop = world.shops[side];
  const seller = world.shops[otherSide(side)];
  const usual = shop.faults;
  let isSent = false;
  shop.faults = {
    request: (facts) => {
      if (isSent || facts.operation !== 'write_stock') return usual.request(facts);
      isSent = true;
      world.clock.setTimer(() => world.process?.kill(), 50);
      return { ...usual.request(facts), fault: { type: 'timeout', when: random.chance(0.7) ? 'after' : 'before' } };
    },
    delivery: (facts) => usual.delivery(facts),
  };
  const items = random
    .shuffle([...shop.shelf.items.values()])
    .flatMap(({ product, variant }) => {
      const twin = product.isTrashed ? undefined : seller.shelf.holdersOf(variant.fields.sku)[0]?.variant;
      return twin?.isTracked && variant.isTracked && twin.quantity > 0 ? [{ variant, twin }] : [];
    })
    .slice(0, ITEMS);
  world.life();
  for (const { twin } of items) seller.outside.sell(twin.stockId, 1);
  for (let tick = 0; tick < 120 && !isSent; tick += 1) await world.clock.runFor(1_000);
  await world.clock.runFor(100);
  world.process?.kill();
  shop.faults = usual;
  world.own.killed += 1;
  await world.clock.runFor(HOUR_MS);
  for (const { variant } of items) shop.outside.restock(variant.stockId, 1);
  await world.clock.runFor(OFF_MS - HOUR_MS);
  world.backAt = world.clock.now();
  world.life();
  await world.clock.runFor(MINUTE_MS);
  return 1;
}
