import { transact } from '../../../db/database.ts';
import { wakeGroup } from '../../../db/writers/jobs.ts';
import { updatePair } from '../../../db/writers/stores.ts';
import { enqueuePoll } from '../../../engine/enqueue.ts';
import { loadHub } from '../../../engine/hub.ts';
import { resumePair } from '../../../engine/pairs/halt-pair.ts';
import { requestRun } from '../../../engine/runs/request-run.ts';
import { enqueueWebhookCheck } from '../../../engine/stores/connect-store.ts';
import { CONFLICT_POLICIES, type PairSettings } from '../../../model/pair.ts';
import { SIDES } from '../../../model/platform.ts';
import { Refusal } from '../../../model/refusal.ts';
import type { Log } from '../../../ports/log.ts';
import type { SeededRandom } from '../../simulator/random.ts';
import { BadLuck } from './bad-luck.ts';
import { allProducts, checkWorld, type Violation } from './check.ts';
import type { Origin } from './check-stock.ts';
import { Ledger } from './ledger.ts';
import { People } from './people.ts';
import { Killed } from './process.ts';
import { DepthWorld } from './world.ts';

export interface DepthSeed {
  readonly seed: number;
  readonly steps: number;
  readonly products: number;
  readonly log?: Log;
}

export interface DepthResult {
  readonly violations: readonly Violation[];
  readonly faults: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  /** What the stores refused of what we asked, by their words. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly problems: Readonly<Record<string, number>>;
  readonly writes: number;
  readonly webhooks: number;
  readonly virtualMs: number;
  readonly settings: Partial<PairSettings>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** One seed: link two stores, live through a bad day with the real connectors, come to rest, and hold the end against every invariant. */
export async function simulateDepth(options: DepthSeed): Promise<DepthResult> {
  const kept: { ledger: Ledger | null } = { ledger: null };
  const dice = (name: string) => world.random.fork(name);
  const isSlowQueue = options.seed % 2 === 1;
  const world = await DepthWorld.open({
    seed: String(options.seed),
    usesClientCredentials: options.seed % 3 === 0,
    woo: { queue: isSlowQueue ? 'action-scheduler' : 'immediate' },
    shopify: { searchIndexLagMs: isSlowQueue ? 4_000 : 500 },
    ...(options.log === undefined ? {} : { log: options.log }),
    witness: (self) => {
      kept.ledger = new Ledger(self);
      return kept.ledger;
    },
  });
  const ledger = kept.ledger as Ledger;
  try {
    const people = new People(world, ledger);
    const luck = new BadLuck(world);
    const startedAt = world.clock.now();
    people.stockShelves(options.products);
    ledger.begin();
    const settings = settingsOf(dice('settings'));
    await world.link(settings);
    await world.clock.runFor(HOUR_MS);
    const origins = originsOf(world, ledger);
    luck.start();
    await live(world, people, luck, options.steps, dice('days'));
    luck.stop();
    await rest(world);
    const violations = [...(await checkWorld(world, ledger, luck, origins))];
    const before = ledger.landedWrites();
    // Everything is level: another look at everything must write nothing at all.
    await lookAgain(world);
    const echoes = ledger.landedWrites() - before;
    if (echoes > 0)
      violations.push({
        invariant: 'I4 no echo',
        message: `a full look at two shelves at rest caused ${echoes} writes`,
      });
    return {
      violations,
      faults: Object.fromEntries(luck.counts),
      actions: Object.fromEntries(people.counts),
      refusals: Object.fromEntries(ledger.refusals),
      problems: problemsOf(world),
      writes: ledger.landedWrites(),
      webhooks: world.received.length,
      virtualMs: world.clock.now() - startedAt,
      settings,
    };
  } finally {
    await world.close();
  }
}

function settingsOf(random: SeededRandom): Partial<PairSettings> {
  return {
    conflictResolution: random.pick(CONFLICT_POLICIES),
    preferredSide: random.pick(SIDES),
    linkRule: random.pick(['woocommerce', 'shopify', 'fill_blanks'] as const),
    stockBuffer: random.chance(0.2) ? 2 : 0,
    syncDirection: random.chance(0.8)
      ? 'bidirectional'
      : random.pick(['woocommerce_to_shopify', 'shopify_to_woocommerce'] as const),
    allowZeroStockLink: true,
  };
}

function originsOf(world: DepthWorld, ledger: Ledger): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const id of allProducts(world))
    for (const variant of loadHub(world.db, id)?.variants.values() ?? [])
      origins.set(variant.id, { quantity: variant.quantity, seq: ledger.seq });
  return origins;
}

async function live(
  world: DepthWorld,
  people: People,
  luck: BadLuck,
  steps: number,
  random: SeededRandom,
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    tick(world, people, luck, random);
    await world.clock.runFor(random.chance(0.1) ? random.int(2 * MINUTE_MS) : random.int(4_000));
  }
}

function tick(world: DepthWorld, people: People, luck: BadLuck, random: SeededRandom): void {
  const event = random.weighted({
    people: 80,
    poll: 4,
    scan: 0.6,
    webhooks: 1,
    kill: 2,
    kill_now: 0.6,
    revoke: 0.3,
    restore: 0.8,
    resume: 1,
  });
  if (!world.isAlive() && random.chance(0.5)) world.boot();
  switch (event) {
    case 'people':
      people.act();
      return;
    case 'poll':
      poll(world);
      return;
    case 'scan':
      if (world.isAlive()) edge(() => requestRun(world.ctx, { pairId: world.pairId, trigger: 'reconcile' }));
      return;
    case 'webhooks': {
      const side = random.pick(SIDES);
      if (world.isAlive())
        edge(() => transact(world.ctx.db, (tx) => enqueueWebhookCheck(tx, world.stores[side], world.clock.now())));
      return;
    }
    case 'kill':
      world.process?.dieAfterEdges(1 + random.int(12));
      luck.counts.set('killed', (luck.counts.get('killed') ?? 0) + 1);
      return;
    case 'kill_now':
      world.process?.kill();
      luck.counts.set('killed', (luck.counts.get('killed') ?? 0) + 1);
      return;
    case 'revoke':
      luck.revoke(random.pick(SIDES));
      return;
    case 'restore':
      luck.restore();
      return;
    case 'resume':
      if (world.isAlive()) edge(() => resumePair(world.ctx, world.pairId));
      return;
  }
}

function poll(world: DepthWorld): void {
  if (!world.isAlive()) return;
  edge(() =>
    transact(world.ctx.db, (tx) => {
      for (const side of SIDES) enqueuePoll(tx, world.stores[side], world.clock.now());
    }),
  );
}

/** A use case may refuse, and the process may die in it: both are part of the day. */
function edge(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof Killed)) throw error;
  }
}

/** Faults and people stop; what is late still arrives; then three looks at everything. */
async function rest(world: DepthWorld): Promise<void> {
  world.process?.dieAfterEdges(Number.POSITIVE_INFINITY);
  world.life();
  await world.clock.runFor(3 * HOUR_MS);
  for (let round = 0; round < 3; round += 1) await lookAgain(world);
}

async function lookAgain(world: DepthWorld): Promise<void> {
  const { ctx } = world;
  resumePair(ctx, world.pairId);
  transact(ctx.db, (tx) => {
    // A person takes note of what was halted meanwhile; the guard itself has tests of its own.
    updatePair(tx, world.pairId, { guardSince: world.clock.now() });
    wakeGroup(tx, world.pairId, world.clock.now());
  });
  poll(world);
  edge(() => requestRun(ctx, { pairId: world.pairId, trigger: 'reconcile' }));
  await world.clock.runFor(20 * MINUTE_MS);
}

function problemsOf(world: DepthWorld): Readonly<Record<string, number>> {
  const rows = world.db.connection.prepare('SELECT code, state, count(*) AS n FROM problem GROUP BY code, state').all();
  return Object.fromEntries(
    (rows as { code: string; state: string; n: number }[]).map(({ code, state, n }) => [`${code} ${state}`, n]),
  );
}
