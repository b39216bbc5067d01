import { MemoryConnector } from '../../connectors/memory/connector.ts';
import { FAULT_NAMES, randomPlan } from '../../connectors/memory/fault-plan.ts';
import { PERSONALITIES } from '../../connectors/memory/personality.ts';
import { MemoryPlatform } from '../../connectors/memory/platform.ts';
import { transact } from '../../db/database.ts';
import { findPair, getStore } from '../../db/readers/pairs.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { insertPair, insertStore, updatePair } from '../../db/writers/stores.ts';
import { enqueuePoll } from '../../engine/enqueue.ts';
import { resumePair } from '../../engine/pairs/halt-pair.ts';
import { requestPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan, requestRun } from '../../engine/runs/request-run.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import type { PairId, StoreId } from '../../model/ids.ts';
import { makeProduct } from './catalogue.ts';
import { checkShared } from './check-shared.ts';
import { CoverageTally, checkCoverage } from './coverage.ts';
import { type Day, PACES, type Pace, pauseMs, timesAsOften } from './day.ts';
import { FAULTS_OF_EACH_SEED } from './faults-of-each-seed.ts';
import { fallAsleep, STEPS_MORE } from './live.ts';
import type { OurProcess } from './process.ts';
import { SeededRandom } from './random.ts';
import { OFFER_MS, offer, rush } from './rushes.ts';
import { STEPS } from './seed-lists.ts';
import type { SeedResult } from './simulate.ts';
import { PAIR_ID, STORE_IDS, World } from './world.ts';

const HOUR_MS = 3_600_000;
const SECOND_SHOP = 'str_s2' as StoreId;
const SECOND_PAIR = 'pair_sim2' as PairId;
const PAIRS = [PAIR_ID, SECOND_PAIR];

/** One WooCommerce shop in two pairs, each with a Shopify shop of its own: the same three shelves for everybody. */
export class SharedWorld {
  readonly world: World;
  readonly second: MemoryPlatform;
  readonly #random: SeededRandom;
  readonly #faults;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.world = new World(random, 'real', { createOn: { woocommerce: false, shopify: false } });
    const { world } = this;
    this.#faults = randomPlan(random.fork('faults:second'));
    this.second = new MemoryPlatform({
      name: 'second.test',
      personality: PERSONALITIES.shopify,
      clock: world.clock,
      random: random.fork('second'),
      firstId: 8_007_199_254_740_993n,
      deliver: async (delivery) => (await world.process?.receive(SECOND_SHOP, delivery)) ?? false,
    });
    transact(world.db, (tx) => {
      const store = getStore(tx, STORE_IDS.shopify);
      insertStore(tx, { ...store, id: SECOND_SHOP, name: 'second', address: 'second.test', identity: 'second.test' });
      const pair = findPair(tx, PAIR_ID);
      if (pair === null) throw new Error('the world has no pair');
      insertPair(tx, { ...pair, id: SECOND_PAIR, shopifyStoreId: SECOND_SHOP });
    });
  }

  get shops(): readonly MemoryPlatform[] {
    return [this.world.shops.woocommerce, this.world.shops.shopify, this.second];
  }

  stockShelves(count: number): void {
    const random = this.#random.fork('shelves');
    for (let number = 1; number <= count; number += 1) {
      const record = makeProduct(random, number);
      for (const shop of this.shops) shop.outside.addProduct(record);
    }
  }

  /** The living process, whose connectors know all three shops. */
  life(): OurProcess {
    if (this.world.process !== null && this.world.isAlive()) return this.world.process;
    const process = this.world.boot();
    const { connectors } = process.ctx;
    const second = new MemoryConnector(this.second, {
      isAlive: () => process.clock.isAlive(),
      asleep: () => process.clock.asleep(),
      brokenAt: () => process.clock.brokenAt(),
    });
    const forStore: typeof connectors.forStore = (store, location) =>
      store.id === SECOND_SHOP ? second : connectors.forStore(store, location);
    Object.assign(process.ctx, { connectors: { ...connectors, forStore } });
    return process;
  }

  startFaults(): void {
    this.world.startFaults();
    this.second.faults = this.#faults;
  }

  stopFaults(): void {
    this.world.stopFaults();
    this.#faults.setIntensity(0);
  }
}

/** A seed of its own kind: nothing but stock, since stock is what two pairs of one shop can ruin for each other. */
export async function simulateShared(options: {
  readonly seed: number;
  readonly steps: number;
  readonly records: number;
  readonly day: Day;
}): Promise<SeedResult> {
  const random = new SeededRandom(`shared:${options.seed}`);
  const shared = new SharedWorld(random);
  try {
    return await play(shared, options);
  } finally {
    shared.world.end();
  }
}

async function play(
  shared: SharedWorld,
  options: { readonly steps: number; readonly records: number; readonly day: Day },
): Promise<SeedResult> {
  const { world } = shared;
  const startedAt = world.clock.now();
  shared.stockShelves(options.records);
  checkWebhooks(shared);
  for (const pairId of PAIRS) await linkPair(shared, pairId);
  shared.startFaults();
  const actions = await live(shared, PACES[options.day], options.steps);
  shared.stopFaults();
  world.process?.dieAfterEdges(Number.POSITIVE_INFINITY);
  shared.life();
  await world.clock.runFor(3 * HOUR_MS);
  for (let round = 0; round < 3; round += 1) await lookAtAll(shared);
  const faults = faultsOf(shared);
  const coverage = new CoverageTally();
  const violations = checkShared(shared, coverage);
  return {
    violations: [...violations, ...checkCoverage(coverage.counts)],
    faults,
    actions,
    virtualMs: world.clock.now() - startedAt,
    writes: shared.shops.flatMap((shop) => shop.shelf.ledger.entries.filter(({ by }) => by === 'us')).length,
    coverage: coverage.counts,
  };
}

function faultsOf({ world, shops }: SharedWorld): Record<string, number> {
  const fired = FAULT_NAMES.map((name) => [name, shops.reduce((sum, shop) => sum + (shop.fired.get(name) ?? 0), 0)]);
  return { ...world.own, ...Object.fromEntries(fired) };
}

function checkWebhooks(shared: SharedWorld): void {
  const { db, clock } = shared.life().ctx;
  transact(db, (tx) => {
    for (const id of [...Object.values(STORE_IDS), SECOND_SHOP]) enqueueWebhookCheck(tx, id, clock.now());
  });
}

async function linkPair(shared: SharedWorld, pairId: PairId): Promise<void> {
  const { world } = shared;
  const { ctx } = shared.life();
  const plan = requestPlan(ctx, pairId);
  const until = async (isDone: () => boolean) => {
    for (let i = 0; i < 5_000 && !isDone(); i += 1) await world.clock.runFor(200);
  };
  await until(() => findPlan(world.db, plan.id)?.status !== 'planning');
  const hash = findPlan(world.db, plan.id)?.hash;
  if (hash === null || hash === undefined) throw new Error('the plan was not made');
  applyPlan(ctx, plan.id, hash);
  await until(() => findPair(world.db, pairId)?.status === 'active');
  await world.clock.runFor(HOUR_MS);
}

const WEBHOOK_STEPS = 100;
const EVENTS = { sell: 60, sell_everywhere: 12, restock: 12, scan: 0.6, poll: 4, kill: 2, resume: 1 } as const;

async function live(shared: SharedWorld, pace: Pace, steps: number): Promise<Record<string, number>> {
  const { world } = shared;
  const random = world.random.fork('days');
  const rushes = world.random.fork('rushes');
  const offers = world.random.fork('offers');
  const sleeps = world.random.fork('sleeps');
  const events = timesAsOften(EVENTS, pace.events);
  let offeredUntil = 0;
  const actions: Record<string, number> = { sell: 0, sell_everywhere: 0, restock: 0, rush: 0, offer: 0 };
  const isVacuous = () => {
    const fired = faultsOf(shared);
    return steps >= STEPS && FAULTS_OF_EACH_SEED.some((name) => (fired[name] ?? 0) === 0);
  };
  for (let step = 0; step < steps || (step < steps + STEPS_MORE && isVacuous()); step += 1) {
    const event = random.weighted(events);
    if (!world.isAlive() && random.chance(0.5)) shared.life();
    // As the server's own timer does: else a shop that has switched its webhooks off says nothing for the rest of the day.
    if (step % WEBHOOK_STEPS === 0 && world.isAlive() && !world.isAsleep()) edge(() => checkWebhooks(shared));
    if (!world.isAsleep() && sleeps.chance(pace.sleepChance)) fallAsleep(world, sleeps);
    if (rushes.chance(0.05 * pace.mishaps)) {
      actions.rush = (actions.rush ?? 0) + 1;
      rush(shared, rushes);
    }
    if (offers.chance(0.005 * pace.mishaps) && world.clock.now() > offeredUntil) {
      offeredUntil = world.clock.now() + OFFER_MS;
      actions.offer = (actions.offer ?? 0) + 1;
      offer(shared, offers);
    }
    const item = random.pick([...(shared.shops[0]?.shelf.items.values() ?? [])]);
    const sku = item.variant.fields.sku;
    const one = random.pick(shared.shops);
    const sellers = event === 'sell_everywhere' ? shared.shops : [one];
    if (event === 'sell' || event === 'sell_everywhere' || event === 'restock') {
      actions[event] = (actions[event] ?? 0) + 1;
      for (const shop of sellers) {
        const stockId = shop.shelf.holdersOf(sku)[0]?.variant.stockId;
        if (stockId === undefined) continue;
        if (event === 'restock') shop.outside.restock(stockId, 1 + random.int(9));
        else shop.outside.sell(stockId, 1);
      }
    } else if (world.isAsleep()) {
      // Nobody can reach it.
    } else if (event === 'kill') {
      world.process?.dieAfterEdges(1 + random.int(12));
      world.own.killed += 1;
    } else if (world.isAlive()) {
      edge(() => look(shared, event));
    }
    await world.clock.runFor(pauseMs(random, pace));
  }
  while (world.isAsleep()) await world.clock.runFor(1_000);
  return actions;
}

function look(shared: SharedWorld, what: 'scan' | 'poll' | 'resume'): void {
  const { ctx } = shared.life();
  if (what === 'poll')
    transact(ctx.db, (tx) => {
      for (const id of [...Object.values(STORE_IDS), SECOND_SHOP]) enqueuePoll(tx, id, ctx.clock.now());
    });
  for (const pairId of PAIRS) {
    if (what === 'resume') resumePair(ctx, pairId);
    if (what === 'scan') requestRun(ctx, { pairId, trigger: 'reconcile' });
  }
}

async function lookAtAll(shared: SharedWorld): Promise<void> {
  const { ctx } = shared.life();
  edge(() => look(shared, 'resume'));
  transact(ctx.db, (tx) => {
    for (const pairId of PAIRS) {
      updatePair(tx, pairId, { guardSince: ctx.clock.now() });
      wakeGroup(tx, pairId, ctx.clock.now());
    }
  });
  for (const pairId of PAIRS) edge(() => requestRun(ctx, { pairId, trigger: 'reconcile' }));
  await shared.world.clock.runFor(HOUR_MS);
}

/** A use case may refuse, and the process may die in it. */
function edge(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!['Refusal', 'Killed'].includes((error as Error).constructor.name)) throw error;
  }
}
