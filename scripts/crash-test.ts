// The built server in a process of its own, flooded while a store is down, then killed without a word again and again, under load and while a store is down.
//   node scripts/crash-test.ts --short          100 kills; CI runs this
//   node scripts/crash-test.ts --cycles 10000   and waits at the end until no write can still be under way
import { parseArgs } from 'node:util';
import { pause, until } from './bench/lib/api.ts';
import type { DeliveryMaker } from './bench/lib/deliveries.ts';
import { percentile } from './bench/lib/numbers.ts';
import { type Item, listItems, wooStock } from './bench/lib/shelf.ts';
import { stockUp } from './bench/lib/storm.ts';
import { openWorkshop } from './bench/lib/workshop.ts';
import { openWorld, type World } from './bench/lib/world.ts';
import { burst } from './crash/burst.ts';
import type { Check } from './crash/check.ts';
import { quickCheck } from './crash/database.ts';
import { Ledger } from './crash/ledger.ts';
import { sellers, startLoad } from './crash/load.ts';
import { settle } from './crash/settle.ts';

const SHORT_CYCLES = 100;
const PRODUCTS = 1_000;
/** Of so many SKUs, at most, nothing is asked: or the test would say little. */
const UNASKED_MAX = 250;
/** In the last part of each ten cycles Shopify is down. */
const OUTAGE = { of: 10, last: 3 };
const LIFE_MS = { min: 10, max: 250 };
/** Starts of a server that nothing happened to, which those after a kill are held against: by the clock alone a busy machine is a broken server. */
const CALM_STARTS = 5;
/** After a kill what was under way is gone through first: so many times a calm start, or so long where that is longer. */
const READY = { ofCalm: 2, ms: 1_000 };
/** Many times what any start takes, on a busy machine as well: a server that takes longer after a kill waits for something that does not come. */
const READY_LONGEST_MS = 10_000;
/** A life that has to see a delivery acknowledged lasts so long at most. */
const LONG_LIFE_MS = 10_000;

interface Kills {
  readonly readyMs: number[];
  readonly damaged: string[];
  count: number;
}

async function killAgainAndAgain(
  world: World,
  cycles: number,
  makers: DeliveryMaker,
  items: readonly Item[],
  ledger: Ledger,
): Promise<Kills> {
  const kills: Kills = { readyMs: [], damaged: [], count: 0 };
  // On a slow machine a short life may see nothing acknowledged: then more of them are lived, and longer ones.
  for (let cycle = 1; cycle <= cycles || (ledger.acknowledged <= cycles && cycle <= 2 * cycles); cycle += 1) {
    const isOutage = cycle % OUTAGE.of >= OUTAGE.of - OUTAGE.last;
    await (isOutage ? world.shopifyTap.down() : world.shopifyTap.up());
    const before = ledger.acknowledged;
    const load = startLoad(world, makers, items, ledger);
    if (cycle > cycles) await until(LONG_LIFE_MS, () => ledger.acknowledged > before);
    await pause(LIFE_MS.min + Math.random() * (LIFE_MS.max - LIFE_MS.min));
    await Promise.all([world.kill(), load.stop()]);
    const verdict = quickCheck(world.dataDir);
    if (verdict !== 'ok') kills.damaged.push(`cycle ${cycle}: ${verdict}`);
    kills.readyMs.push((await world.restart()).readyMs);
    kills.count = cycle;
    if (cycle % 500 === 0) console.log(`  ${cycle} kills, ${ledger.acknowledged} deliveries acknowledged`);
  }
  await world.shopifyTap.up();
  return kills;
}

/** The median of starts after a stop in good order, ms. */
async function startCalmly(world: World): Promise<number> {
  const readyMs: number[] = [];
  for (let n = 0; n < CALM_STARTS; n += 1) {
    await world.server.stop();
    readyMs.push((await world.restart()).readyMs);
  }
  return percentile(readyMs, 0.5);
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { short: { type: 'boolean' }, cycles: { type: 'string' } } });
  const cycles = Number(values.cycles ?? SHORT_CYCLES);
  const isPatient = values.short !== true && values.cycles !== undefined;
  const startedAt = performance.now();
  const workshop = await openWorkshop();
  const world = await openWorld(workshop, { products: PRODUCTS, variants: 1 });
  try {
    const items = await listItems(world.woo, world.shopify);
    await stockUp([world.woo, world.shopify], items);
    await world.api.apply(await world.api.plan(world.pairId));
    await world.idle();
    const makers = await world.takeOverWebhooks();
    const burstChecks = await burst(world, makers, items);
    const ledger = new Ledger(sellers(items), await wooStock(world.woo));
    const calmMs = await startCalmly(world);
    const kills = await killAgainAndAgain(world, cycles, makers, items, ledger);
    const verdict = await settle(world, ledger, isPatient);
    const peakMb = world.server.peakMb();
    await world.server.stop();
    const end = quickCheck(world.dataDir);
    const median = percentile(kills.readyMs, 0.5);
    const longest = Math.max(...kills.readyMs);
    const readyMax = Math.max(READY.ms, READY.ofCalm * calmMs);
    const checks: readonly Check[] = [
      ...burstChecks,
      ['kills', `${kills.count}, of which ${OUTAGE.last} in ${OUTAGE.of} with Shopify down`, true],
      [
        'deliveries acknowledged / cut off by a kill',
        `${ledger.acknowledged} / ${ledger.unanswered}`,
        ledger.acknowledged > cycles,
      ],
      ['acknowledged and lost', list(verdict.lost), verdict.lost.length === 0],
      ['wrong after a full sync', list(verdict.notFound), verdict.notFound.length === 0],
      [
        'waiting, because a write was cut off and could still land',
        `${verdict.waiting.length}${verdict.waitingFor}`,
        !isPatient || verdict.waiting.length === 0,
      ],
      [
        'sold in WooCommerce and written there, too: not asked of',
        `${verdict.unasked} of ${PRODUCTS}`,
        verdict.unasked <= UNASKED_MAX,
      ],
      [
        'database damaged',
        kills.damaged.length === 0 && end === 'ok' ? '0' : `${kills.damaged.join(', ')} ${end}`,
        kills.damaged.length === 0 && end === 'ok',
      ],
      [
        'ready after a kill: median / longest / a calm start',
        `${median.toFixed(0)} / ${longest.toFixed(0)} / ${calmMs.toFixed(0)} ms`,
        // The median of a hundred starts beside whatever else runs says nothing of the program; one that does not come does.
        longest < READY_LONGEST_MS && (!isPatient || median < readyMax),
      ],
      ['peak memory of the last process', `${peakMb} MB`, true],
      ['took', `${((performance.now() - startedAt) / 1000).toFixed(0)} s`, true],
    ];
    for (const [what, value, isGood] of checks) console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${what.padEnd(60)} ${value}`);
    return checks.every(([, , isGood]) => isGood);
  } finally {
    await world.close();
    workshop.close();
  }
}

function list(skus: readonly string[]): string {
  return skus.length === 0 ? '0' : `${skus.length}: ${skus.slice(0, 5).join(', ')}`;
}

process.exitCode = (await main()) ? 0 : 1;
