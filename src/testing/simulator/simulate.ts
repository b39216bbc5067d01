import { transact } from '../../db/database.ts';
import { findPair } from '../../db/readers/pairs.ts';
import { wakeGroup } from '../../db/writers/jobs.ts';
import { findPlan } from '../../db/writers/runs.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { loadHub } from '../../engine/hub.ts';
import { requestPlan } from '../../engine/plan/plan-pair.ts';
import { applyPlan } from '../../engine/runs/request-run.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { SIDES } from '../../model/platform.ts';
import { calmDay } from './calm.ts';
import { allProducts, checkWorld, type Violation } from './check.ts';
import { checkBelievedDeletes } from './check-deletes.ts';
import { checkRate } from './check-rate.ts';
import { checkGuesses, checkLinkedStock } from './check-settings.ts';
import type { StockOrigin } from './check-stock.ts';
import { type Coverage, CoverageTally, checkCoverage } from './coverage.ts';
import { type Day, PACES } from './day.ts';
import { drawSettings } from './draw-settings.ts';
import { evening } from './evening.ts';
import { live, poll, resume, scan } from './live.ts';
import { SeededRandom } from './random.ts';
import { STEPS } from './seed-lists.ts';
import { type BelievedDelete, watchDeletes } from './watch-deletes.ts';
import { type CapabilitySet, PAIR_ID, STORE_IDS, World } from './world.ts';

export interface SeedOptions {
  readonly seed: number;
  readonly set: CapabilitySet;
  readonly steps: number;
  readonly records: number;
  readonly day: Day;
}

export interface SeedResult {
  readonly violations: readonly Violation[];
  readonly faults: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  readonly virtualMs: number;
  readonly writes: number;
  /** How much was compared at the end of the day, and what had to be left out. */
  readonly coverage: Coverage;
}

const HOUR_MS = 3_600_000;
/** So often a person looks at everything after a bad day, at most. */
const ROUNDS_MAX = 12;

/** One seed: link two shops, live through a bad day, come to rest, and hold the end against every invariant. */
export async function simulateSeed(options: SeedOptions): Promise<SeedResult> {
  const random = new SeededRandom(`${options.set}:${options.seed}`);
  const world = new World(random, options.set, drawSettings(random.fork('settings')));
  try {
    return await play(world, options);
  } finally {
    world.end();
  }
}

async function play(world: World, options: SeedOptions): Promise<SeedResult> {
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
  const day = await live(world, PACES[options.day], options.steps);
  await rest(world, day.tidyUp);
  const before = landedWrites(world);
  const coverage = new CoverageTally();
  const violations = [...linked, ...checkWorld(world, origins, coverage), ...checkBelievedDeletes(world, deletes)];
  violations.push(...checkCoverage(coverage.counts));
  // Everything is level: another look at everything must write nothing at all.
  await lookAgain(world);
  const after = landedWrites(world);
  if (after !== before)
    violations.push({
      invariant: 'I4 no echo',
      message: `with nothing changed outside, a full look at both shops caused ${after - before} writes`,
    });
  world.lateOrigins.mark(world);
  if (violations.length === 0) violations.push(...(await calmDay(world, origins)));
  if (violations.length === 0 && options.steps >= STEPS)
    violations.push(...(await makeUp(world, options, origins, deletes)));
  violations.push(...checkRate(SIDES.map((side) => world.shops[side])));
  return {
    violations,
    faults: world.faultCounts(),
    actions: day.counts,
    virtualMs: world.clock.now() - startedAt,
    writes: after,
    coverage: coverage.counts,
  };
}

/** What the day was spared, and once more everything at rest. */
async function makeUp(
  world: World,
  { day }: SeedOptions,
  origins: ReadonlyMap<string, StockOrigin>,
  deletes: readonly BelievedDelete[],
): Promise<readonly Violation[]> {
  const spared = await evening(world, day);
  if (spared.length === 0) return [];
  await rest(world, () => undefined);
  const before = landedWrites(world);
  const violations = [...checkWorld(world, origins), ...checkBelievedDeletes(world, deletes)];
  await lookAgain(world);
  const after = landedWrites(world);
  if (after !== before)
    violations.push({ invariant: 'I4 no echo', message: `a full look at both shops caused ${after - before} writes` });
  return violations.map(({ invariant, message }) => ({
    invariant,
    message: `after an evening with ${spared.join(', ')}: ${message}`,
  }));
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

/** Faults and people stop; what is late still arrives; then three looks at everything, one after another, that nothing halts. */
async function rest(world: World, tidyUp: () => void): Promise<void> {
  world.stopFaults();
  world.process?.dieAfterEdges(Number.POSITIVE_INFINITY);
  world.life();
  tidyUp();
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
