import { transact } from '../../db/database.ts';
import { rawStatement } from '../../db/raw-statement.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { enqueuePoll } from '../../engine/enqueue.ts';
import { resumePair } from '../../engine/pairs/halt-pair.ts';
import { requestRun } from '../../engine/runs/request-run.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { enqueueWebhookCheck } from '../../engine/stores/connect-store.ts';
import { SIDES } from '../../model/platform.ts';
import { Refusal } from '../../model/refusal.ts';
import { type Pace, pauseMs, timesAsOften } from './day.ts';
import { maybeDayOff } from './day-off.ts';
import { FAULTS_OF_EACH_SEED } from './faults-of-each-seed.ts';
import { Mishaps } from './mishaps.ts';
import { People } from './people.ts';
import type { SeededRandom } from './random.ts';
import { STEPS } from './seed-lists.ts';
import { SettingsChanges } from './settings-changes.ts';
import { PAIR_ID, STORE_IDS, type World } from './world.ts';

const HOUR_MS = 3_600_000;
export const STEPS_MORE = 1_000;
/** So often it is noted where the stock of units stands that were met during the day. */
const MARK_STEPS = 40;
const EVENTS = {
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
} as const;

/** What a day came to. */
interface LivedDay {
  readonly counts: Readonly<Record<string, number>>;
  /** A person sets right what was left switched off, once nothing goes wrong any more. */
  readonly tidyUp: () => void;
}

/** A bad day, step by step: people, our program's own occasions, and what befalls it. */
export async function live(world: World, pace: Pace, steps: number): Promise<LivedDay> {
  const people = new People(world, pace);
  const mishaps = new Mishaps(world, pace);
  const changes = new SettingsChanges(world, pace);
  const random = world.random.fork('days');
  const sleeps = world.random.fork('sleeps');
  const events = timesAsOften(EVENTS, pace.events);
  // A quiet day may be over before the last of them has come: it is waited for a little.
  const isVacuous = () => {
    const fired = world.faultCounts();
    return steps >= STEPS && FAULTS_OF_EACH_SEED.some((name) => (fired[name] ?? 0) === 0);
  };
  for (let step = 0; step < steps || (step < steps + STEPS_MORE && isVacuous()); step += 1) {
    tick(world, people, random, events);
    if (!world.isAsleep()) {
      mishaps.maybe();
      changes.maybe();
      if (sleeps.chance(pace.sleepChance)) fallAsleep(world, sleeps);
    }
    if (step % MARK_STEPS === 0) world.lateOrigins.mark(world);
    await world.clock.runFor(pauseMs(random, pace));
  }
  mishaps.stop();
  while (world.isAsleep()) await world.clock.runFor(1_000);
  const daysOff = await maybeDayOff(world);
  return {
    counts: Object.fromEntries([...people.counts, ...mishaps.counts, ...changes.counts, ['day_off', daysOff]]),
    tidyUp: () => changes.end(),
  };
}

/** Mostly for some seconds, as a machine that is moved to another host; now and then as long as a lid is closed. */
export function fallAsleep(world: World, random: SeededRandom): void {
  if (!world.isAlive()) return;
  world.process?.clock.fallAsleep(random.chance(0.3) ? random.int(HOUR_MS / 2) : 1_000 + random.int(60_000));
  world.own.slept += 1;
}

function tick(
  world: World,
  people: People,
  random: SeededRandom,
  events: Readonly<Record<keyof typeof EVENTS, number>>,
): void {
  const event = random.weighted(events);
  if (world.isAsleep() && event !== 'people') return;
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
      world.turnClock((random.unit() - 0.5) * 2 * HOUR_MS, HOUR_MS);
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

export function poll(world: World): void {
  if (!world.isAlive()) return;
  const { ctx } = world.life();
  edge(() =>
    transact(ctx.db, (tx) => {
      for (const side of SIDES)
        if (findStore(tx, STORE_IDS[side]) !== null) enqueuePoll(tx, STORE_IDS[side], ctx.clock.now());
    }),
  );
}

export function scan(world: World): void {
  if (!world.isAlive()) return;
  edge(() => requestRun(world.life().ctx, { pairId: PAIR_ID, trigger: 'reconcile' }));
}

export function resume(world: World): void {
  if (!world.isAlive()) return;
  edge(() => resumePair(world.life().ctx, PAIR_ID));
}

const openConflicts = rawStatement<[], { id: string; version: number }>(
  "SELECT id, version FROM conflict WHERE state = 'open' ORDER BY id",
);
const pausedStock = rawStatement<[], { id: string }>(
  "SELECT id FROM problem WHERE state = 'open' AND code LIKE 'STOCK_TRACKING%' ORDER BY id",
);

/** A person settles one open conflict, one way or the other. */
function settleConflict(world: World, random: SeededRandom): void {
  if (random.chance(0.2)) {
    relinkStock(world, random);
    return;
  }
  const open = openConflicts(world.db).all();
  if (!world.isAlive() || open.length === 0) return;
  const { id, version } = random.pick(open);
  const choice = random.pick(['hub', 'remote'] as const);
  edge(() => resolveConflict(world.life().ctx, { conflictId: id, expectedVersion: version, choice }));
}

/** A person asks for paused stock to be linked again. */
function relinkStock(world: World, random: SeededRandom): void {
  const open = pausedStock(world.db).all();
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
