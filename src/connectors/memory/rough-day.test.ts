import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../lib/hash.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { createOf, simpleProduct, sizedProduct, stockWrite } from '../../testing/contract/fixtures.ts';
import { SeededRandom } from '../../testing/simulator/random.ts';
import { VirtualClock } from '../../testing/simulator/virtual-clock.ts';
import { MemoryConnector } from './connector.ts';
import { FAULT_NAMES, randomPlan } from './fault-plan.ts';
import { PERSONALITIES, type PersonalityName } from './personality.ts';
import { MemoryPlatform } from './platform.ts';

const STEPS = 2_000;

/** A busy shop on a bad day: outside changes and calls of ours, one after the other, all drawn from the seed. */
async function roughDay(seed: string, name: PersonalityName) {
  const random = new SeededRandom(seed);
  const clock = new VirtualClock();
  const plan = randomPlan(random.fork('faults'), { rates: { unauthorized: 0.01 } });
  const platform = new MemoryPlatform({
    name: 'shop.example',
    personality: { ...PERSONALITIES[name], pageSize: 10 },
    clock,
    random: random.fork('platform'),
    faults: plan,
    deliver: () => random.chance(0.7),
  });
  const connector = new MemoryConnector(platform);
  for (let count = 0; count < 50; count += 1)
    platform.outside.addProduct(count % 5 === 0 ? sizedProduct(3) : simpleProduct());
  await clock.run(connector.ensureWebhooks('https://us.example/hook').catch(() => undefined));
  const stockIds = [...platform.shelf.items.keys()];
  const tolerate = (error: unknown): void => assert.ok(error instanceof ConnectorError, String(error));
  const calls: Promise<unknown>[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    const stockId = random.pick(stockIds);
    const productId = platform.shelf.items.get(stockId)?.product.id ?? '';
    const action = random.weighted({
      sell: 30,
      restock: 5,
      edit: 10,
      read: 20,
      write: 20,
      create: 3,
      scan: 2,
      poll: 5,
      wait: 20,
    });
    if (action === 'sell') platform.outside.sell(stockId, 1);
    if (action === 'restock') platform.outside.restock(stockId, 5);
    if (action === 'edit') platform.outside.editProduct(productId, 'title', `Title ${step}`);
    if (action === 'read') calls.push(connector.readStock([stockId]).catch(tolerate));
    if (action === 'write')
      calls.push(connector.writeStock([stockWrite(stockId, 10, step, `k${step}`)]).catch(tolerate));
    if (action === 'create') calls.push(connector.writeProducts([createOf(simpleProduct())]).catch(tolerate));
    if (action === 'poll') calls.push(connector.listChanged(null).catch(tolerate));
    if (action === 'scan') {
      const scanning = async (): Promise<void> => {
        for await (const page of connector.scan({ resume: null })) if (page.isComplete) return;
      };
      calls.push(scanning().catch(tolerate));
    }
    if (action === 'wait') await clock.runFor(random.int(2_000));
  }
  plan.setIntensity(0);
  await clock.run(Promise.all(calls));
  await clock.runFor(3 * 3_600_000);
  return platform;
}

/** The ledger without the texts that the fixtures make unique for each run. */
const trace = (platform: MemoryPlatform): string =>
  fingerprint(
    platform.shelf.ledger.entries.map(({ seq, at, by, kind, productId, stockId, write }) => [
      seq,
      at,
      by,
      kind,
      productId,
      stockId,
      write?.requestId,
      write?.knownSeq,
    ]),
  );

test('the same seed gives the same ledger to the last entry, another seed another one', async () => {
  for (const name of Object.keys(PERSONALITIES) as PersonalityName[]) {
    const first = trace(await roughDay('one', name));
    assert.equal(trace(await roughDay('one', name)), first, name);
    assert.notEqual(trace(await roughDay('two', name)), first, name);
  }
});

test('over a few seeds every fault fires', async () => {
  const fired = new Map<string, number>();
  for (let seed = 0; seed < 4; seed += 1) {
    const platform = await roughDay(`faults ${seed}`, 'woo');

    for (const [name, count] of platform.fired) fired.set(name, (fired.get(name) ?? 0) + count);
  }
  // Our connector keeps to the rate, so that the platform's own limit never has to speak; the others are somebody's doing.
  const apart = new Set(['own_throttle', 'revoked', 'spotty_listing', 'forgetful']);
  const never = FAULT_NAMES.filter((name) => !fired.has(name) && !apart.has(name));
  assert.deepEqual(never, []);
  assert.equal(fired.get('own_throttle') ?? 0, 0);
});
