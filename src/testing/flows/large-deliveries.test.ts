// What was sent to the address of a store's webhooks and is larger than what is taken in: by the store or by a stranger.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { setStoreStatus } from '../../db/writers/stores.ts';
import { watchLargeDeliveries } from '../../engine/signals/large-deliveries.ts';
import { enqueueStoreCheck } from '../../engine/stores/check-store.ts';
import type { StoreId } from '../../model/ids.ts';
import type { PairSettings } from '../../model/pair.ts';
import { SIDES } from '../../model/platform.ts';
import { STORE_IDS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const HOUR = 60;

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  return flow.link();
}

/** The daily look at the store. */
async function look(flow: EngineFlow): Promise<void> {
  transact(flow.world.life().ctx.db, (tx) => enqueueStoreCheck(tx, STORE_IDS.shopify, flow.world.clock.now()));
  await flow.rest();
}

const inFeed = (flow: EngineFlow) =>
  flow.rows("SELECT 1 FROM event WHERE type = 'problem' AND payload LIKE '%WEBHOOK_TOO_LARGE%'").length;

test('[P1] a webhook that is too large is told of in words, once a day at most, until none came for two days', async () => {
  const flow = await linked();
  const note = watchLargeDeliveries(flow.world.life().ctx);
  note(STORE_IDS.shopify);
  const words = flow.words('WEBHOOK_TOO_LARGE');
  assert.match(words.message, /larger than 5 MB came to the address for Shopify's webhooks.*not taken.*asked at once/);
  assert.match(words.remedy, /pictures.*Webhook sources/);
  const stored = () => JSON.stringify(flow.rows('SELECT * FROM problem'));
  const before = stored();
  for (let i = 0; i < 23; i += 1) {
    note(STORE_IDS.shopify);
    await flow.rest(HOUR);
  }
  assert.equal(stored(), before, 'whoever sends one an hour has no row written, and none changed');
  await flow.rest(2 * HOUR);
  note(STORE_IDS.shopify);
  assert.notEqual(stored(), before);
  // One that is told of no more, since the last telling is less than a day ago.
  await flow.rest(20 * HOUR);
  note(STORE_IDS.shopify);
  await flow.rest(47 * HOUR);
  await look(flow);
  assert.deepEqual([flow.problems(), inFeed(flow)], [['WEBHOOK_TOO_LARGE'], 1]);
  await flow.rest(9 * HOUR);
  await look(flow);
  assert.deepEqual([flow.problems(), inFeed(flow)], [[], 1]);
});

test('a webhook that is too large is no matter of a pair that hears of nothing by webhooks, nor of a store that is not there', async () => {
  const flow = await linked({ syncSchedule: 'daily' });
  const note = watchLargeDeliveries(flow.world.life().ctx);
  note(STORE_IDS.shopify);
  note('str_unknown' as StoreId);
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('a store is asked once a minute at most because of them, however many come', async () => {
  const flow = await linked();
  const note = watchLargeDeliveries(flow.world.life().ctx);
  const { visits } = flow.shop('shopify');
  const polls = () => visits.all.filter(({ operation }) => operation === 'list_changed').length;
  const before = polls();
  for (let i = 0; i < 6; i += 1) {
    note(STORE_IDS.shopify);
    await flow.world.clock.runFor(9_000);
  }
  assert.equal(polls() - before, 1);
  await flow.world.clock.runFor(9_000);
  note(STORE_IDS.shopify);
  await flow.world.clock.runFor(9_000);
  assert.equal(polls() - before, 2);
});

test('a webhook that is too large is no matter of a store that lets nobody in: its probe asks for all', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => setStoreStatus(tx, STORE_IDS.shopify, 'error', 'no access'));
  watchLargeDeliveries(ctx)(STORE_IDS.shopify);
  assert.deepEqual(flow.problems(), []);
});

test('a webhook that is too large is no matter of a pair that is not linked yet', async () => {
  const flow = new EngineFlow();
  watchLargeDeliveries(flow.world.life().ctx)(STORE_IDS.shopify);
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('one that could not be written down is told of by the next', async () => {
  const flow = await linked();
  const { ctx } = flow.world.life();
  const note = watchLargeDeliveries(ctx);
  ctx.db.connection.exec(
    "CREATE TEMP TRIGGER full BEFORE INSERT ON main.problem BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  assert.throws(() => note(STORE_IDS.shopify), /disk full/);
  ctx.db.connection.exec('DROP TRIGGER full');
  note(STORE_IDS.shopify);
  assert.deepEqual(flow.problems(), ['WEBHOOK_TOO_LARGE']);
});
