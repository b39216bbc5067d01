import type { FaultPlan } from '../../connectors/memory/fault-plan.ts';
import { transact } from '../../db/database.ts';
import { enqueuePoll } from '../../engine/enqueue.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { SIDES } from '../../model/platform.ts';
import { checkWorld, type Violation } from './check.ts';
import { checkCalmEchoes, markLedgers } from './check-echoes.ts';
import type { StockOrigin } from './check-stock.ts';
import type { SeededRandom } from './random.ts';
import { STORE_IDS, type World } from './world.ts';

const BURSTS = 25;
/** Before this a platform may leave an edit out of what it says has changed. */
const POLL_LAG_MS = 5_000;
/** After this a change has long crossed: a second is promised, a busy record waits for its turn, and a store may ask for patience. */
const CROSSING_MS = 300_000;

/**
 * A quiet day after the bad one: everything answers, every webhook arrives, and nobody polls or scans. What people do now has to cross by
 * its signal alone. A full scan heals so much that without this a signal that is dropped would never show.
 */
export async function calmDay(world: World, origins: ReadonlyMap<string, StockOrigin>): Promise<readonly Violation[]> {
  const random = world.random.fork('calm day');
  const { ctx } = world.life();
  transact(ctx.db, (tx) => {
    for (const side of SIDES) enqueueWebhookCheck(tx, STORE_IDS[side], ctx.clock.now());
  });
  for (const side of SIDES) world.shops[side].faults = promptPlan(random.fork(side));
  await world.clock.runFor(CROSSING_MS);
  const before = markLedgers(world);
  for (let burst = 0; burst < BURSTS; burst += 1) {
    await actOnOne(world, random, burst);
    await world.clock.runFor(random.int(2_000));
  }
  await world.clock.runFor(CROSSING_MS);
  // Before anybody polls, which would set right what a signal had missed.
  const missed = said('after a calm day', [...checkWorld(world, origins), ...checkCalmEchoes(world, before)]);
  if (missed.length > 0) return missed;
  const since = markLedgers(world);
  await polledDay(world, random);
  return said('after a day without webhooks', [...checkWorld(world, origins), ...checkCalmEchoes(world, since)]);
}

function said(when: string, violations: readonly Violation[]): readonly Violation[] {
  return violations.map(({ invariant, message }) => ({ invariant, message: `${when}: ${message}` }));
}

/** No webhook arrives at all: what a platform tells when it is polled crosses by that alone. */
async function polledDay(world: World, random: SeededRandom): Promise<void> {
  for (const side of SIDES) {
    const plan = promptPlan(random.fork(`polled ${side}`));
    world.shops[side].faults = { ...plan, delivery: () => ({ delaysMs: [], isLate: false }) };
  }
  for (let edit = 0; edit < 6; edit += 1) {
    const shop = world.shops[random.pick(SIDES)];
    const live = [...shop.shelf.products.values()].filter((product) => !product.isTrashed);
    if (live.length > 0) shop.outside.editProduct(random.pick(live).id, 'title', `Polled ${edit}`);
  }
  await world.clock.runFor(POLL_LAG_MS);
  const { ctx } = world.life();
  transact(ctx.db, (tx) => {
    for (const side of SIDES) enqueuePoll(tx, STORE_IDS[side], ctx.clock.now());
  });
  await world.clock.runFor(CROSSING_MS);
}

/** Webhooks arrive while the pass that they concern is still at work; now and then a store asks for patience. */
function promptPlan(random: SeededRandom): FaultPlan {
  return {
    request: () => {
      const latencyMs = 20 + random.int(300);
      // The longer one is more than a connector waits out by itself.
      const retryAfterMs = random.chance(0.5) ? 1_000 : 40_000;
      const fault = random.chance(0.02) ? ({ type: 'rate_limited', retryAfterMs } as const) : null;
      return { latencyMs, handledAfterMs: random.int(latencyMs), isSlow: false, fault };
    },
    delivery: () => ({ delaysMs: [5 + random.int(60)], isLate: false }),
  };
}

/** Several changes of one record within the time that one pass takes: some arrive while it is in work. */
async function actOnOne(world: World, random: SeededRandom, burst: number): Promise<void> {
  const shop = world.shops[random.pick(SIDES)];
  const products = [...shop.shelf.products.values()].filter(
    (product) => !product.isTrashed && product.variants.length > 0,
  );
  if (products.length === 0) return;
  const product = random.pick(products);
  for (let change = 0; change < 4; change += 1) {
    const variant = random.pick(product.variants);
    if (random.chance(0.6)) shop.outside.sell(variant.stockId, 1);
    else shop.outside.editProduct(product.id, 'title', `Calm ${burst}.${change} ${product.id.slice(-4)}`);
    await world.clock.runFor(random.int(300));
  }
}
