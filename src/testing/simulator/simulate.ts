import { transact } from '../../db/database.ts';
import { findPair, findStore } from '../../db/readers/pairs.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { enqueueWebhookCheck } from '../../engine/connect-store.ts';
import { enqueuePoll } from '../../engine/enqueue.ts';
import { resumePair } from '../../engine/halt-pair.ts';
import { loadHub } from '../../engine/hub.ts';
import { requestPlan } from '../../engine/plan-pair.ts';
import { applyPlan, requestRun } from '../../engine/request-run.ts';
import { resolveConflict } from '../../engine/resolve-conflict.ts';
import { retryProblem } from '../../engine/retry-problem.ts';
import { SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { calmDay } from './calm.ts';
import { allProducts, checkWorld, type Violation } from './check.ts';
import { checkBelievedDeletes } from './check-deletes.ts';
import { checkGuesses, checkLinkedStock } from './check-settings.ts';
import type { StockOrigin } from './check-stock.ts';
import { drawSettings } from './draw-settings.ts';
import { Mishaps } from './mishaps.ts';
import { People } from './people.ts';
import { SeededRandom } from './random.ts';
import { watchDeletes } from './watch-deletes.ts';
import { type CapabilitySet, PAIR_ID, STORE_IDS, World } from './world.ts';

export interface SeedOptions {
  readonly seed: number;
  readonly set: CapabilitySet;
  readonly steps: number;
  readonly records: number;
}

export interface SeedResult {
  readonly violations: readonly Violation[];
  readonly faults: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  readonly virtualMs: number;
  readonly writes: number;
}

const HOUR_MS = 3_600_000;
/** So often a person looks at everything after a bad day, at most. */
const ROUNDS_MAX = 12;

/** One seed: link two shops, live through a bad day, come to rest, and hold the end against every invariant. */
export async function simulateSeed(options: SeedOptions): Promise<SeedResult> {
  const random = new SeededRandom(`${options.set}:${options.seed}`);
  const world = new World(random, options.set, drawSettings(random.fork('settings')));
  const startedAt = world.clock.now();
  world.stockShelves(options.records);
  const deletes = watchDeletes(world);
  const process = world.boot();
  transact(process.ctx.db, (tx) => {
    for (const side of SIDES) enqueueWebhookCheck(tx, STORE_IDS[side], world.clock.now());
  });
  await firstLink(world);
  const origins = rememberOrigins(world);
  const linked = [...checkLinkedStock(world, allProducts(world)), ...checkGuesses(world)];
  world.startFaults();
  const people = new People(world);
  const mishaps = new Mishaps(world);
  await live(world, people, mishaps, options.steps);
  mishaps.stop();
  await rest(world);
  const before = landedWrites(world);
  const violations = [...linked, ...checkWorld(world, origins), ...checkBelievedDeletes(world, deletes)];
  // Everything is level: another look at everything must write nothing at all.
  await lookAgain(world);
  const after = landedWrites(world);
  if (after !== before)
    violations.push({
      invariant: 'I4 no echo',
      message: `with nothing changed outside, a full look at both shops caused ${after - before} writes`,
    });
  if (violations.length === 0) violations.push(...(await calmDay(world, origins)));
  return {
    violations,
    faults: world.faultCounts(),
    actions: Object.fromEntries([...people.counts, ...mishaps.counts]),
    virtualMs: world.clock.now() - startedAt,
    writes: after,
  };
}

async function firstLink(world: World): Promise<void> {
  const { ctx } = world.life();
  const plan = requestPlan(ctx, PAIR_ID);
  await until(world, () => findPlan(world.db, plan.id)?.status !== 'planning');
  const ready = findPlan(world.db, plan.id);
  if (ready?.hash == null) throw new Error(`the first plan is ${ready?.status}: ${ready?.errorMessage}`);
  applyPlan(ctx, plan.id, ready.hash);
  await until(world, () => findPair(world.db, PAIR_ID)?.status === 'active');
  await world.clock.runFor(HOUR_MS);
  world.linkedAt = world.clock.now();
}

async function until(world: World, isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 5_000; i += 1) {
    if (isDone()) return;
    await world.clock.runFor(200);
  }
  throw new Error('the first link never ended');
}

function rememberOrigins(world: World): ReadonlyMap<string, StockOrigin> {
  const origins = new Map<string, StockOrigin>();
  for (const id of allProducts(world)) {
    for (const variant of loadHub(world.db, id)?.variants.values() ?? []) {
      origins.set(variant.id, {
        quantity: variant.quantity,
        from: { woocommerce: world.shops.woocommerce.shelf.ledger.seq, shopify: world.shops.shopify.shelf.ledger.seq },
      });
    }
  }
  return origins;
}

async function live(world: World, people: People, mishaps: Mishaps, steps: number): Promise<void> {
  const random = world.random.fork('days');
  for (let step = 0; step < steps; step += 1) {
    await tick(world, people, random);
    mishaps.maybe();
    await world.clock.runFor(random.chance(0.1) ? random.int(120_000) : random.int(4_000));
  }
}

async function tick(world: World, people: People, random: SeededRandom): Promise<void> {
  const event = random.weighted({
    people: 80,
    poll: 4,
    scan: 0.6,
    webhooks: 1,
    kill: 2,
    kill_now: 0.5,
    revoke: 0.2,
    restore: 0.5,
    skew: 0.3,
    outage: 0.2,
    outage_over: 0.5,
    resume: 1,
    settle: 2,
  });
  if (!world.isAlive()) {
    if (random.chance(0.5)) world.boot();
    else if (event !== 'people') return;
  }
  const side = random.pick(SIDES);
  const shop = world.shops[side];
  switch (event) {
    case 'people':
      people.act();
      return;
    case 'poll':
      poll(world);
      return;
    case 'scan':
      scan(world);
      return;
    case 'webhooks':
      if (world.isAlive()) {
        const { ctx } = world.life();
        const hooked = random.pick(SIDES);
        edge(() => transact(ctx.db, (tx) => enqueueWebhookCheck(tx, STORE_IDS[hooked], ctx.clock.now())));
      }
      return;
    case 'kill':
      world.process?.dieAfterEdges(1 + random.int(12));
      world.own.killed += 1;
      return;
    case 'kill_now':
      world.process?.kill();
      world.own.killed += 1;
      return;
    case 'revoke':
      shop.revokeCredentials();
      world.own.revoked += 1;
      return;
    case 'restore':
      for (const each of SIDES) world.shops[each].restoreCredentials();
      return;
    case 'skew':
      world.turnClock((random.unit() - 0.5) * 2 * HOUR_MS);
      return;
    case 'outage':
      world.setListing(side, random.chance(0.5) ? 'empty' : 'shrunken');
      world.own.listing_outage += 1;
      return;
    case 'outage_over':
      for (const each of SIDES) world.setListing(each, null);
      return;
    case 'resume':
      resume(world);
      return;
    case 'settle':
      settleConflict(world, random);
      return;
  }
}

function poll(world: World): void {
  if (!world.isAlive()) return;
  const { ctx } = world.life();
  edge(() =>
    transact(ctx.db, (tx) => {
      for (const side of SIDES)
        if (findStore(tx, STORE_IDS[side]) !== null) enqueuePoll(tx, STORE_IDS[side], ctx.clock.now());
    }),
  );
}

function scan(world: World): void {
  if (!world.isAlive()) return;
  edge(() => requestRun(world.life().ctx, { pairId: PAIR_ID, trigger: 'reconcile' }));
}

function resume(world: World): void {
  if (!world.isAlive()) return;
  edge(() => resumePair(world.life().ctx, PAIR_ID));
}

/** A person settles one open conflict, one way or the other. */
function settleConflict(world: World, random: SeededRandom): void {
  if (random.chance(0.2)) {
    relinkStock(world, random);
    return;
  }
  const open = world.db.connection
    .prepare("SELECT id, version FROM conflict WHERE state = 'open' ORDER BY id")
    .all() as { id: string; version: number }[];
  if (!world.isAlive() || open.length === 0) return;
  const { id, version } = random.pick(open);
  const choice = random.pick(['hub', 'remote'] as const);
  edge(() => resolveConflict(world.life().ctx, { conflictId: id, expectedVersion: version, choice }));
}

/** A person asks for paused stock to be linked again. */
function relinkStock(world: World, random: SeededRandom): void {
  const open = world.db.connection
    .prepare("SELECT id FROM problem WHERE state = 'open' AND code LIKE 'STOCK_TRACKING%' ORDER BY id")
    .all() as { id: string }[];
  if (!world.isAlive() || open.length === 0) return;
  const { id } = random.pick(open);
  edge(() => retryProblem(world.life().ctx, id));
}

/** A use case may refuse, and the process may die in it: both are part of the day. */
function edge(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Refusal) && (error as Error).constructor.name !== 'Killed') throw error;
  }
}

/** Faults and people stop; what is late still arrives; then three looks at everything, one after another, that nothing halts. */
async function rest(world: World): Promise<void> {
  world.stopFaults();
  world.process?.dieAfterEdges(Number.POSITIVE_INFINITY);
  world.life();
  await world.clock.runFor(3 * HOUR_MS);
  // [G10] Each consent is for one kind of harm; a person who is asked again looks again, and a look that was halted in its midst is none.
  for (let round = 0, whole = 0; round < ROUNDS_MAX && whole < 3; round += 1) {
    const before = halts(world);
    await lookAgain(world);
    whole = halts(world) > before ? 0 : whole + 1;
  }
}

function halts(world: World): number {
  const row = world.db.connection.prepare("SELECT count(*) AS n FROM event WHERE type = 'pair_halted'").get();
  return (row as { n: number }).n;
}

async function lookAgain(world: World): Promise<void> {
  resume(world);
  const { ctx } = world.life();
  transact(ctx.db, (tx) => {
    // A person takes note of what was halted meanwhile; the guard itself has tests of its own.
    updatePair(tx, PAIR_ID, { guardSince: ctx.clock.now() });
    world.lookedAt.push(ctx.clock.now());
    wakeGroup(tx, PAIR_ID, ctx.clock.now());
  });
  poll(world);
  scan(world);
  await world.clock.runFor(HOUR_MS);
}

function landedWrites(world: World): number {
  return SIDES.reduce(
    (sum, side) => sum + world.shops[side].shelf.ledger.entries.filter((entry) => entry.by === 'us').length,
    0,
  );
}
