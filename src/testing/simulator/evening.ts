import { calmPlan, type FaultPlan, type RequestFacts, type RequestFault } from '../../connectors/memory/fault-plan.ts';
import { SPOTTY_KEEP } from '../../connectors/memory/platform.ts';
import { transact } from '../../db/database.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { SIDES } from '../../model/platform.ts';
import type { Day } from './day.ts';
import { type RareFault, rareOn } from './faults-of-each-seed.ts';
import { fallAsleep, poll, resume, scan } from './live.ts';
import type { SeededRandom } from './random.ts';
import { STORE_IDS, type World } from './world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TRIES_MAX = 4;
const TURNS_MAX = 30;
/** What each further try has a listing leave out besides. */
const LEFT_OUT_MORE = 0.2;
/** More than any shop bears before it gives a webhook up. */
const SALES_MISSED = 10;

/**
 * What a day was spared of the faults that come seldom is made to happen once each, when all that the day came to has been held against the invariants: so every seed has
 * seen every fault, and all that comes before stays what it was. Gives what it made up for.
 */
export async function evening(world: World, day: Day): Promise<readonly RareFault[]> {
  const random = world.random.fork('evening');
  const spared = rareOn(day).filter((name) => isSpared(world, name));
  for (const name of spared) {
    for (let tries = 0; tries < TRIES_MAX && isSpared(world, name); tries += 1) {
      for (const side of SIDES) world.shops[side].faults = calmPlan(20);
      await befall(world, name, random, tries);
      // Nobody writes anything where most is switched off, but for a webhook that is not there.
      if (tries > 0) removeWebhooks(world);
      bustle(world, random);
      await world.clock.runFor(10 * MINUTE_MS);
      world.stopFaults();
      world.life();
      resume(world);
      await world.clock.runFor(HOUR_MS);
    }
  }
  for (const side of SIDES) world.shops[side].faults = calmPlan(20);
  return spared;
}

function isSpared(world: World, name: RareFault): boolean {
  return (world.faultCounts()[name] ?? 0) === 0;
}

/** Somebody edits and sells a little everywhere, and our program looks at everything. */
function bustle(world: World, random: SeededRandom): void {
  const { ctx } = world.life();
  transact(ctx.db, (tx) => {
    for (const side of SIDES) enqueueWebhookCheck(tx, STORE_IDS[side], ctx.clock.now());
  });
  for (const side of SIDES) {
    const { outside, shelf } = world.shops[side];
    const live = [...shelf.products.values()].filter(({ isTrashed, variants }) => !isTrashed && variants.length > 0);
    for (const product of random.shuffle(live).slice(0, 3)) {
      outside.editProduct(product.id, 'title', `Evening ${random.int(1_000_000)}`);
      outside.sell(random.pick(product.variants).stockId, 1);
    }
  }
  poll(world);
  scan(world);
}

function removeWebhooks(world: World): void {
  for (const side of SIDES) {
    const { webhooks } = world.shops[side];
    for (const { id } of [...webhooks.hooks]) webhooks.remove(id);
  }
}

async function befall(world: World, name: RareFault, random: SeededRandom, tries: number): Promise<void> {
  const side = random.pick(SIDES);
  const shop = world.shops[side];
  switch (name) {
    case 'revoked':
      shop.revokeCredentials();
      world.own.revoked += 1;
      return;
    case 'clock_skew':
    case 'shopify_clock_skew':
      for (let turn = 0; turn < TURNS_MAX && isSpared(world, name); turn += 1)
        world.turnClock((random.unit() - 0.5) * 2 * HOUR_MS, HOUR_MS);
      return;
    case 'listing_outage':
      world.setListing(side, 'shrunken');
      world.own.listing_outage += 1;
      return;
    case 'spotty_listing':
      // Which records it leaves out goes by their ids: of a few dozen it may be none.
      shop.spottyKeep = SPOTTY_KEEP - tries * LEFT_OUT_MORE;
      world.setListing(side, 'spotty');
      return;
    case 'forgetful':
      shop.readOutage = 'forgetful';
      return;
    case 'slept':
      fallAsleep(world, random);
      while (world.isAsleep()) await world.clock.runFor(1_000);
      return;
    case 'webhook_switched_off':
      await missSales(world, random);
      return;
    default:
      for (const each of SIDES) world.shops[each].faults = once(name, () => isSpared(world, name), random);
  }
}

/** Nobody is there to take a delivery. */
async function missSales(world: World, random: SeededRandom): Promise<void> {
  world.process?.kill();
  world.own.killed += 1;
  for (const side of SIDES) {
    const { outside, shelf } = world.shops[side];
    for (let sale = 0; sale < SALES_MISSED; sale += 1) outside.sell(random.pick([...shelf.items.keys()]), 1);
  }
  await world.clock.runFor(HOUR_MS);
}

type Forced = Extract<RareFault, RequestFault['type']>;

function once(name: Forced, isWanted: () => boolean, random: SeededRandom): FaultPlan {
  const calm = calmPlan(20);
  return {
    request: (facts) => {
      const fate = calm.request(facts);
      return isWanted() && fits(name, facts) ? { ...fate, fault: drawn(name, facts, random) } : fate;
    },
    delivery: (facts) => calm.delivery(facts),
  };
}

function fits(name: Forced, { operation, isWrite }: RequestFacts): boolean {
  if (name === 'late_landing' || name === 'partial_batch') return isWrite;
  return name === 'unauthorized' || operation === 'scan';
}

function drawn(name: Forced, { fenceMs }: RequestFacts, random: SeededRandom): RequestFault {
  switch (name) {
    case 'late_landing':
      return { type: name, lateMs: 1 + random.int(fenceMs - 1) };
    case 'partial_batch':
      return { type: name, indexes: [0] };
    case 'shrunken_listing':
      return { type: name, keep: 0.3 + 0.5 * random.unit() };
    case 'unauthorized':
    case 'cut_listing':
    case 'empty_listing':
      return { type: name };
  }
}
