// A platform that takes what is sent in one call whole or not at all: what of a call is not answered is settled as one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFault } from '../../connectors/memory/fault-plan.ts';
import { transact } from '../../db/database.ts';
import { enqueueStockSync } from '../../engine/enqueue.ts';
import { stockLock } from '../../engine/locks.ts';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import { type CapabilitySet, PAIR_ID, SHOPS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';

const SKUS = ['MUG', 'BOWL', 'CUP', 'VASE', 'JUG', 'TRAY', 'POT'];

async function linked(skus: readonly string[], set: CapabilitySet = 'real'): Promise<EngineFlow> {
  const flow = new EngineFlow({}, set);
  for (const sku of skus) flow.stock(SIDES, { title: sku }, [{ sku, quantity: 10 }]);
  return flow.link();
}

/** Every stock write to Shopify meets this fault until `end`. */
function failStockWrites(
  flow: EngineFlow,
  fault: RequestFault,
): { readonly calls: () => number; readonly end: () => void } {
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  let calls = 0;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (facts.operation === 'write_stock') calls += 1;
      return { ...calm.request(facts), fault: facts.operation === 'write_stock' ? fault : null };
    },
  };
  const end = () => {
    shop.faults = calm;
  };
  return { calls: () => calls, end };
}

function sellEach(flow: EngineFlow, skus: readonly string[]): void {
  for (const sku of skus) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 1);
}

/** One of each is sold in WooCommerce, and Shopify's answer to the one call that tells it is lost. Who has keys has asked again by then, in vain. */
async function sellUnanswered(flow: EngineFlow, skus: readonly string[], fault: RequestFault): Promise<void> {
  const { calls, end } = failStockWrites(flow, fault);
  sellEach(flow, skus);
  await flow.world.clock.runFor(32_000);
  const isKeyed = flow.shop('shopify').personality.stockWrite === 'keyed';
  assert.equal(calls(), isKeyed ? 2 : 1, 'all of them in one call');
  end();
}

/** Holds one of the items, so that its job comes apart from the others'. */
function hold(flow: EngineFlow, sku: string): () => void {
  const letGo = flow.world.life().ctx.locks.tryAcquire([stockLock(SHOPS.shopify, flow.item('shopify', sku))]);
  assert.ok(letGo);
  return letGo;
}

const hub = (flow: EngineFlow, skus: readonly string[]) => skus.map((sku) => flow.hubQuantity(sku));
const shown = (flow: EngineFlow, skus: readonly string[]) => skus.map((sku) => flow.quantities(sku));
const both = (quantities: readonly number[]) => quantities.map((quantity) => [quantity, quantity]);

test('[S5] a call that landed is known by its items: nothing is in doubt, not even what was sold meanwhile', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'after' });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'JUG'), 2);
  await flow.rest(30);
  assert.deepEqual(hub(flow, SKUS), [9, 9, 9, 9, 7, 9, 9]);
  assert.deepEqual(shown(flow, SKUS), both([9, 9, 9, 9, 7, 9, 9]));
  assert.deepEqual(flow.problems(), []);
});

test('[S5] a call that did not land is known by its items, although one was sold just as often as was to be told', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'before' });
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
  await flow.rest(30);
  assert.deepEqual(hub(flow, SKUS), [8, 9, 9, 9, 9, 9, 9]);
  assert.deepEqual(shown(flow, SKUS), both([8, 9, 9, 9, 9, 9, 9]));
  assert.deepEqual(flow.problems(), []);
});

for (const when of ['before', 'after'] as const) {
  test(`[S5] what both shops had sold already is not taken for our call: what has not moved since proves that it did not land (lost ${when})`, async () => {
    const flow = await linked(SKUS);
    const shop = flow.shop('shopify');
    const calm = shop.faults;
    // Nobody tells us what was sold there.
    shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
    for (const sku of SKUS) shop.outside.sell(flow.item('shopify', sku), 1);
    await flow.world.clock.runFor(20_000);
    await sellUnanswered(flow, SKUS, { type: 'timeout', when });
    shop.faults = calm;
    // One is all it takes: the others move meanwhile.
    for (const sku of SKUS.slice(1)) {
      shop.outside.restock(flow.item('shopify', sku), 2);
      shop.outside.sell(flow.item('shopify', sku), 2);
    }
    await flow.rest(30);
    assert.deepEqual(hub(flow, SKUS), [8, 8, 8, 8, 8, 8, 8]);
    assert.deepEqual(shown(flow, SKUS), both([8, 8, 8, 8, 8, 8, 8]));
    assert.deepEqual(flow.problems(), []);
  });
}

test('[S5] a call did not land, and all its items are sold to what was to be set, one after the other: that is not taken for the call', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'before' });
  for (const sku of SKUS) {
    flow.shop('shopify').outside.sell(flow.item('shopify', sku), 1);
    await flow.world.clock.runFor(7_000);
  }
  await flow.rest(30);
  assert.deepEqual(hub(flow, SKUS), [8, 8, 8, 8, 8, 8, 8]);
  assert.deepEqual(shown(flow, SKUS), both([8, 8, 8, 8, 8, 8, 8]));
  assert.deepEqual(
    flow.problems(),
    SKUS.map(() => 'STOCK_DOUBT'),
  );
});

test('[S5] landed, and one item is back at what was expected while another moved: nothing is set a second time', async () => {
  const skus = SKUS.slice(0, 2);
  const flow = await linked(skus);
  await sellUnanswered(flow, skus, { type: 'timeout', when: 'after' });
  const { outside } = flow.shop('shopify');
  outside.restock(flow.item('shopify', 'MUG'), 1);
  outside.sell(flow.item('shopify', 'BOWL'), 3);
  await flow.rest(30);
  // People make it 10 and 6. Nobody can tell, so less is shown, and the difference is told.
  assert.deepEqual(hub(flow, skus), [9, 5]);
  assert.deepEqual(shown(flow, skus), both([9, 5]));
  assert.match(flow.words('STOCK_DOUBT').message, /up to 1 unit/);
  assert.deepEqual(flow.problems(), ['STOCK_DOUBT', 'STOCK_DOUBT']);
});

test('[S5, C7] what is withheld for the sake of another leaves at once, in a call and with intents of its own', async () => {
  const flow = await linked(SKUS);
  const keys: (readonly string[])[] = [];
  const { writeStock } = flow.connector('shopify');
  flow.hands.shopify.writeStock = (writes, signal) => {
    keys.push(writes.map(({ key }) => key));
    // Sold in the very moment in which the call leaves.
    if (keys.length === 1) flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
    return writeStock(writes, signal);
  };
  for (const sku of SKUS) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 1);
  await flow.rest(10);
  assert.deepEqual(
    keys.map((call) => call.length),
    [SKUS.length, SKUS.length - 1, 1],
  );
  assert.equal(new Set(keys.flat()).size, keys.flat().length, 'no key is used twice');
  assert.deepEqual(hub(flow, SKUS), [8, 9, 9, 9, 9, 9, 9]);
  assert.deepEqual(shown(flow, SKUS), both([8, 9, 9, 9, 9, 9, 9]));
});

test('[S5] a call is repeated whole or not at all: while somebody else has one of its items it waits', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'before' });
  const calls: number[] = [];
  const { writeStock } = flow.connector('shopify');
  flow.hands.shopify.writeStock = (writes, signal) => {
    calls.push(writes.length);
    return writeStock(writes, signal);
  };
  const letGo = hold(flow, 'CUP');
  await flow.world.clock.runFor(10 * 60_000);
  assert.deepEqual(calls, []);
  letGo();
  await flow.rest(10);
  assert.deepEqual(calls, [SKUS.length]);
  assert.deepEqual(shown(flow, SKUS), both([9, 9, 9, 9, 9, 9, 9]));
  assert.deepEqual(flow.problems(), []);
});

test('[S5] an item of the call is deleted meanwhile: the others are judged by what they hold', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'after' });
  flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'JUG').id, 'hard');
  await flow.rest(30);
  const others = SKUS.filter((sku) => sku !== 'JUG');
  assert.deepEqual(shown(flow, others), both([9, 9, 9, 9, 9, 9]));
  assert.ok(!flow.problems().includes('STOCK_DOUBT'), String(flow.problems()));
});

test('[S5] a store that asks to be left alone for a minute is, whoever of the call came to repeat it', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'before' });
  const letGo = hold(flow, 'CUP');
  await flow.world.clock.runFor(10 * 60_000);
  let calls = 0;
  flow.hands.shopify.writeStock = async (writes) => {
    calls += 1;
    await flow.world.clock.sleep(100);
    const error = new ConnectorError('rate_limited', 'slow down', { retryAfterMs: 60_000 });
    return writes.map(() => ({ outcome: 'failed', error }));
  };
  letGo();
  await flow.world.clock.runFor(50_000);
  assert.ok(calls <= 2, `${calls} calls`);
  delete flow.hands.shopify.writeStock;
  await flow.rest(10);
  assert.deepEqual(shown(flow, SKUS), both([9, 9, 9, 9, 9, 9, 9]));
  assert.deepEqual(flow.problems(), []);
});

for (const [set, what] of [
  ['real', 'call'],
  ['keyed', 'key'],
] as const) {
  test(`[S5] after so long that the platform has forgotten a ${what} it is not repeated: what it holds is weighed, and the doubt told`, async () => {
    const skus = SKUS.slice(0, 1);
    const flow = await linked(skus, set);
    await sellUnanswered(flow, skus, { type: 'timeout', when: 'after' });
    const { ctx } = flow.world.life();
    pausePair(ctx, PAIR_ID);
    await flow.world.clock.runFor(25 * 3_600_000);
    flow.shop('shopify').outside.restock(flow.item('shopify', 'MUG'), 1);
    resumePair(ctx, PAIR_ID);
    await flow.rest(10);
    // People make it 10; a call that is done again would make it 9, and nobody would know.
    assert.deepEqual(hub(flow, skus), [9]);
    assert.deepEqual(shown(flow, skus), both([9]));
    assert.deepEqual(flow.problems(), ['STOCK_DOUBT']);
  });
}

test('[S5, G3] what a call is judged to have become holds for all its items, also where the guard stops the counting between them', async () => {
  const skus = Array.from({ length: 24 }, (_, i) => `SKU-${i + 1}`);
  const flow = await linked(skus);
  await sellUnanswered(flow, skus, { type: 'timeout', when: 'after' });
  for (const sku of skus.slice(13)) flow.shop('shopify').outside.sell(flow.item('shopify', sku), 9);
  await flow.rest(10);
  assert.equal(flow.status(), 'halted');
  resumePair(flow.world.life().ctx, PAIR_ID);
  await flow.rest(10);
  const left = skus.map((_, i) => (i < 13 ? 9 : 0));
  assert.deepEqual(hub(flow, skus), left);
  assert.deepEqual(shown(flow, skus), both(left));
  assert.deepEqual(flow.problems(), []);
});

test('[S4, S5] while a call waits for one of its items, the other side of the others goes on, and shows no more than is certain', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'before' });
  const letGo = hold(flow, 'CUP');
  await flow.world.clock.runFor(5 * 60_000);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 4);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'BOWL'), 2);
  await flow.world.clock.runFor(2 * 60_000);
  assert.equal(flow.quantity('woocommerce', 'MUG'), 5, 'four of the nine may be gone');
  assert.equal(flow.hubQuantity('BOWL'), 7);
  letGo();
  await flow.rest(10);
  assert.deepEqual(hub(flow, SKUS), [5, 7, 9, 9, 9, 9, 9]);
  assert.deepEqual(shown(flow, SKUS), both([5, 7, 9, 9, 9, 9, 9]));
});

test('[S5] a repeat that is refused for one item while another fails for itself: all of them are judged together', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'after' });
  const mug = flow.item('shopify', 'MUG');
  flow.hands.shopify.writeStock = async (writes) => {
    delete flow.hands.shopify.writeStock;
    return writes.map(({ stockId }) =>
      stockId === mug
        ? { outcome: 'failed', error: new ConnectorError('unavailable', 'could not be prepared') }
        : { outcome: 'withheld', cause: null },
    );
  };
  await flow.rest(30);
  assert.deepEqual(hub(flow, SKUS), [9, 9, 9, 9, 9, 9, 9]);
  assert.deepEqual(flow.problems(), []);
});

test('[W2, S5] a repeat without an answer is fenced for all items of its call at once: a process that dies then leaves none as if it were refused', async () => {
  const flow = await linked(SKUS, 'keyed');
  const { calls } = failStockWrites(flow, { type: 'timeout', when: 'before' });
  const { connection } = flow.world.life().ctx.db;
  connection.exec(`CREATE TEMP TABLE fence (until_at INTEGER);
    CREATE TEMP TRIGGER fenced AFTER UPDATE OF fenced_until ON main.variant_binding WHEN NEW.intent_key IS NOT NULL
    BEGIN INSERT INTO fence VALUES (NEW.fenced_until); END`);
  sellEach(flow, SKUS);
  await flow.world.clock.runFor(10 * 60_000);
  assert.ok(calls() >= 3, 'the call was repeated');
  const written = connection.prepare('SELECT until_at FROM fence ORDER BY rowid').all() as { until_at: number }[];
  const fences = written.map(({ until_at }) => until_at).filter((until, i, all) => until !== all[i - 1]);
  assert.equal(written.length, fences.length * SKUS.length, 'all of them have the same');
  assert.equal(new Set(fences).size, fences.length, 'and the one before never comes back');
});

for (const set of ['real', 'plain'] as const) {
  test(`[S4, S5] what a full look finds sold behind a write without an answer is off the other side at once, not when the fence is over (${set})`, async () => {
    const flow = await linked(['MUG'], set);
    faultOnce(flow.shop('shopify'), 'write_stock', { type: 'timeout', when: 'before' });
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
    await flow.world.clock.runFor(35_000);
    const shop = flow.shop('shopify');
    shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.sell(flow.item('shopify', 'MUG'), 4);
    await flow.lookAt('MUG', 0.25);
    assert.equal(flow.rows('SELECT 1 FROM variant_binding WHERE intent_key IS NOT NULL').length, 1, 'it is fenced yet');
    assert.equal(flow.quantity('woocommerce', 'MUG'), 5, 'four of the nine may be gone');
    await flow.rest();
    assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [5, 5, 5]);
  });
}

test('[S5] what the repeat of a call is answered is stored of all its items at once: those that a crash leaves over would be judged without the others', async () => {
  const flow = await linked(SKUS);
  await sellUnanswered(flow, SKUS, { type: 'timeout', when: 'before' });
  const { db } = flow.world.life().ctx;
  const seen: number[] = [];
  db.hooks.afterCommit.add(() => {
    const [row] = flow.rows<{ open: number }>(
      'SELECT count(*) AS open FROM variant_binding WHERE intent_key IS NOT NULL',
    );
    if (row !== undefined && row.open !== seen.at(-1)) seen.push(row.open);
  });
  await flow.rest();
  assert.deepEqual(seen, [SKUS.length, 0]);
});

test('[S4, W4] writes without an answer on both sides: each is settled when its own fence is over', async () => {
  const flow = await linked(['MUG']);
  const ends = () =>
    flow.rows<{ side: string; at: number }>(
      'SELECT side, fenced_until AS at FROM variant_binding WHERE intent_key IS NOT NULL ORDER BY at',
    );
  flow.world.db.connection.exec(
    "UPDATE variant_binding SET intent_key = 'stk_x.1/1', intent_from = 10, intent_to = 10, intent_sent_at = 0",
  );
  const now = flow.world.clock.now();
  for (const [side, ms] of [
    ['woocommerce', 40_000],
    ['shopify', 400_000],
  ] as const)
    flow.world.db.connection.prepare('UPDATE variant_binding SET fenced_until = ? WHERE side = ?').run(now + ms, side);
  const { ctx } = flow.world.life();
  const [row] = flow.rows<{ id: VariantId }>('SELECT id FROM variant');
  transact(ctx.db, (tx) => enqueueStockSync(tx, PAIR_ID, { variantId: row!.id, observe: [] }, now));
  await flow.world.clock.runFor(39_000);
  assert.deepEqual(
    ends().map(({ side }) => side),
    ['woocommerce', 'shopify'],
  );
  await flow.world.clock.runFor(6_000);
  assert.deepEqual(
    ends().map(({ side }) => side),
    ['shopify'],
  );
});
