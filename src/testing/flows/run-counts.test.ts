import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIDES } from '../../model/platform.ts';
import type { RunStats } from '../../model/run.ts';
import { EngineFlow } from './engine-flow.ts';

const QUIET = { delivery: () => ({ delaysMs: [], isLate: false }) };

/** Three products in both shops, which tell us nothing; what changes is found by the scan. */
async function linked(): Promise<EngineFlow> {
  const flow = new EngineFlow({ syncSchedule: 'manual' });
  for (const title of ['Bowl', 'Cup', 'Jar']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  await flow.link();
  for (const side of SIDES) flow.shop(side).faults = { ...flow.shop(side).faults, ...QUIET };
  return flow;
}

async function scan(flow: EngineFlow): Promise<RunStats> {
  await flow.scan();
  const [run] = flow.rows<{ stats: string }>('SELECT stats FROM run ORDER BY started_at DESC LIMIT 1');
  return JSON.parse(run?.stats ?? 'null') as RunStats;
}

test('a scan counts a product that is in both shops once', async () => {
  const { totalProcessed, successful, written, skipped, failed } = await scan(await linked());
  assert.deepEqual(
    { totalProcessed, successful, written, skipped, failed },
    {
      ...{ totalProcessed: 3, successful: 3, written: 0, skipped: 0, failed: 0 },
    },
  );
});

test('a scan counts what it wrote once, whichever shop showed it first', async () => {
  for (const side of SIDES) {
    const flow = await linked();
    flow.shop(side).outside.editProduct(flow.product(side, 'Cup').id, 'title', 'Mug');
    const { totalProcessed, successful, written, skipped, failed } = await scan(flow);
    assert.deepEqual(
      { totalProcessed, successful, written, skipped, failed },
      { totalProcessed: 3, successful: 3, written: 1, skipped: 0, failed: 0 },
      side,
    );
    assert.deepEqual(flow.rows('SELECT title, outcome FROM run_item WHERE action = ?', 'sync'), [
      { title: 'Mug', outcome: 'written' },
    ]);
  }
});

test('a scan names what had only its stock apart, though its own job writes that', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'JAR'), 2);
  const { totalProcessed, written } = await scan(flow);
  assert.deepEqual([totalProcessed, written], [3, 0]);
  assert.deepEqual(flow.rows('SELECT title, outcome, detail FROM run_item WHERE action = ?', 'sync'), [
    { title: 'Jar', outcome: 'unchanged', detail: 'its stock was not level: it is written right after' },
  ]);
  assert.equal(flow.quantity('woocommerce', 'JAR'), flow.quantity('shopify', 'JAR'));
});

test('a run keeps the direction and the areas that its pair had when it began', async () => {
  const flow = await linked();
  flow.change({ syncDirection: 'shopify_to_woocommerce', syncInventory: false });
  await flow.scan();
  assert.deepEqual(flow.rows('SELECT direction, area FROM run ORDER BY started_at'), [
    { direction: 'bidirectional', area: 'all' },
    { direction: 'shopify_to_woocommerce', area: 'products' },
  ]);
});
