import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDemoWorkspaces } from '../db/readers/workspaces.ts';
import type { PairRow } from '../db/schema/pair.ts';
import type { PlanRow, RunRow } from '../db/schema/run.ts';
import type { StoreRow } from '../db/schema/store.ts';
import { Refusal } from '../model/refusal.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestAccounts } from '../testing/support/test-accounts.ts';
import { makeTestClock } from '../testing/support/test-clock.ts';
import { makeTestLog } from '../testing/support/test-log.ts';
import { makeTestRandom } from '../testing/support/test-random.ts';
import { demoCatalogue } from './catalogue.ts';
import { createDemoService } from './create-demo-service.ts';
import type { DemoEngine } from './demo-engine.ts';
import { DEMO_SESSIONS_MAX } from './demo-service.ts';

const DEVICE = { ip: '127.0.0.1', userAgent: 'test', isLocal: true };

function setUp(change: Partial<DemoEngine> = {}) {
  const db = openMemoryDatabase();
  const clock = makeTestClock();
  const random = makeTestRandom();
  const log = makeTestLog();
  const { accounts } = makeTestAccounts({ db, clock, random, log });
  const trusted = new Set<string>();
  const engine: DemoEngine = {
    connectStore: async () => ({ store: { id: random.id('str_') } as StoreRow }),
    createPair: () => ({ id: random.id('pair_') }) as PairRow,
    requestPlan: () => ({ id: random.id('plan_') }) as PlanRow,
    applyPlan: () => ({ id: random.id('run_') }) as RunRow,
    ...change,
  };
  const service = createDemoService({
    accounts,
    engine,
    connectors: { forget: () => undefined },
    trustOrigin: (origin) => {
      trusted.add(origin);
      return () => trusted.delete(origin);
    },
  });
  return { db, clock, service, trusted };
}

test('twenty sessions fit; the next is told how long to wait, and gets the place of one that was idle', async () => {
  const { clock, service, trusted, db } = setUp();
  const first = await service.open(DEVICE);
  for (let n = 1; n < DEMO_SESSIONS_MAX; n += 1) await service.open(DEVICE);
  assert.equal(trusted.size, 3 * DEMO_SESSIONS_MAX);
  clock.advance(10 * 60_000);
  service.touch(first.workspace.id);
  const refusal = await service.open(DEVICE).then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(refusal instanceof Refusal && refusal.code === 'DEMO_FULL');
  // Whoever has it may use it again: nobody can be promised that it is free by then.
  assert.equal(
    refusal.message,
    'All 20 demo places are taken. One is free in 20 minutes if nobody uses it until then.',
  );
  assert.equal(refusal.details['retryAfterMs'], 20 * 60_000);
  clock.advance(20 * 60_000);
  await service.open(DEVICE);
  assert.equal(listDemoWorkspaces(db).length, 2, 'the one that was used, and the new one');
  assert.ok(service.shelves(first.workspace.id) !== null);
  await service.close();
  assert.equal(trusted.size, 0);
  assert.equal(listDemoWorkspaces(db).length, 0);
});

test('a source has a share of the places, an IPv6 network a larger one; others still get theirs', async () => {
  const { clock, service } = setUp();
  const from = (ip: string) => ({ ip, userAgent: 'test', isLocal: false });
  const refusalOf = (opened: Promise<unknown>) =>
    opened.then(
      () => null,
      (error: unknown) => error as Refusal,
    );
  // At once: what is only being made ready is counted too.
  const outcomes = await Promise.all(
    Array.from({ length: 7 }, (_, n) => refusalOf(service.open(from(`2001:db8:1:1::${n}`)))),
  );
  const refused = outcomes.filter((outcome) => outcome !== null);
  assert.deepEqual(
    refused.map(({ code }) => code),
    ['DEMO_FULL', 'DEMO_FULL'],
  );
  clock.advance(10 * 60_000);
  const again = await refusalOf(service.open(from('2001:db8:1:1:ffff::')));
  assert.equal(
    again?.message,
    'Your network has 5 demo places already; the others are for other people. One is free in 20 minutes if nobody uses it until then.',
  );
  assert.equal(again?.details['retryAfterMs'], 20 * 60_000);
  for (let n = 2; n < 7; n += 1) await service.open(from(`2001:db8:1:${n}::1`));
  const neighbour = await refusalOf(service.open(from('2001:db8:1:9::1')));
  assert.match(neighbour?.message ?? '', /^Your network has 10 demo places already/);
  for (const ip of ['2001:db8:2::1', '203.0.113.7', '::ffff:203.0.113.8']) await service.open(from(ip));
  await service.close();
});

test('a demo that could not be opened leaves nothing behind and takes no place', async () => {
  const { service, trusted, db } = setUp({
    createPair: () => {
      throw new Refusal('PAIR_EXISTS', 'no');
    },
  });
  await assert.rejects(service.open(DEVICE), /no/);
  assert.equal(trusted.size, 0);
  assert.equal(listDemoWorkspaces(db).length, 0);
  await service.close();
});

test('the shelves are full and small, and no stock is zero, which would need consent', () => {
  for (const side of ['woocommerce', 'shopify'] as const) {
    const products = demoCatalogue(side);
    assert.ok(products.length >= 10 && products.length <= 50);
    const skus = products.flatMap((product) => product.variants.map((variant) => variant.sku));
    assert.equal(new Set(skus).size, skus.length);
    assert.ok(products.every((product) => product.variants.every((variant) => variant.stock > 0)));
  }
});
