import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestFacts, RequestFault } from '../../connectors/memory/fault-plan.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { type CapabilitySet, PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';
import { untold } from './untold.ts';

async function linked(
  settings: ConstructorParameters<typeof EngineFlow>[0] = {},
  quantity = 10,
  set: CapabilitySet = 'real',
): Promise<EngineFlow> {
  const flow = new EngineFlow(settings, set);
  flow.stock(SIDES, {}, [{ sku: 'MUG', quantity }]);
  return flow.link();
}

/** The first stock write to a side meets `fault`; `before` runs as it is sent. */
function upset(flow: EngineFlow, side: Side, before: (facts: RequestFacts) => void, fault: RequestFault | null): void {
  const shop = flow.shop(side);
  const calm = shop.faults;
  let isDone = false;
  shop.faults = {
    ...calm,
    request: (facts) => {
      if (isDone || facts.operation !== 'write_stock') return calm.request(facts);
      isDone = true;
      before(facts);
      return { ...calm.request(facts), fault };
    },
  };
}

test('[S2, S3] sales on both sides in the same moment both count', async () => {
  for (const set of ['keyed', 'real', 'plain'] as const) {
    const flow = await linked({}, 10, set);
    for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
    await flow.rest();
    assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [8, 8, 8], set);
  }
});

test('every line of the activity about stock names the product', async () => {
  const flow = await linked();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest();
  const lines = flow.rows<{ type: string; title: string | null }>(
    "SELECT type, payload ->> 'title' AS title FROM event WHERE type LIKE 'stock!_%' ESCAPE '!'",
  );
  assert.deepEqual([...new Set(lines.map(({ type }) => type))].sort(), ['stock_changed', 'stock_written']);
  const [{ title } = { title: '' }] = flow.rows<{ title: string }>('SELECT title FROM product');
  assert.notEqual(title, '');
  for (const line of lines) assert.equal(line.title, title, line.type);
});

test('[S3] a write expects what was last known; a refused expectation is just another reading', async () => {
  const flow = await linked();
  upset(flow, 'shopify', () => flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 2), null);
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [7, 7, 7]);
});

test('[S3] what is published is shaped by buffer and cap, and never fed back', async () => {
  const flow = await linked({ stockBuffer: 2, stockCap: 6 }, 10);
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [10, 6, 6]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [7, 5, 5]);
});

test('[S2] what a target sold before its record went into the bin is sold: the source goes on selling', async () => {
  const flow = await linked({ syncDirection: 'shopify_to_woocommerce' });
  const { faults, outside } = flow.shop('woocommerce');
  flow.shop('woocommerce').faults = { ...faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  outside.sell(flow.item('woocommerce', 'MUG'), 3);
  outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
  await flow.lookAt('Mug');
  assert.deepEqual([flow.hubQuantity('MUG'), flow.quantity('shopify', 'MUG')], [7, 7]);
  assert.deepEqual(flow.problems(), ['DELETED_ON_TARGET']);
  await flow.scan();
  assert.deepEqual([flow.hubQuantity('MUG'), flow.quantity('shopify', 'MUG')], [7, 7], 'once');
});

for (const isRefused of [true, false])
  test(`[S2, G8] what was sold before the record went into the bin is sold where its counterpart ${isRefused ? 'refuses to be put away, and goes on selling' : 'is put away, once it is back'}`, async () => {
    const flow = await linked();
    const own = flow.product('woocommerce', 'Mug').id;
    if (isRefused)
      flow.hands.shopify.writeProducts = async (writes) =>
        writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'not now') }));
    untold(flow, 'woocommerce', (outside) => {
      outside.sell(flow.item('woocommerce', 'MUG'), 3);
      outside.deleteProduct(own, 'bin');
    });
    await flow.lookAt('Mug');
    assert.equal(flow.product('shopify', 'Mug').fields.status, isRefused ? 'active' : 'archived');
    if (isRefused) assert.deepEqual([flow.hubQuantity('MUG'), flow.quantity('shopify', 'MUG')], [7, 7]);
    flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 1);
    await flow.rest();
    delete flow.hands.shopify.writeProducts;
    flow.shop('woocommerce').outside.restore(own);
    await flow.rest(30);
    assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [6, 6, 6]);
    assert.deepEqual(flow.problems(), []);
  });

test('[S2, G9] what was sold before the record went into the bin is sold while a person decides about the delete', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  untold(flow, 'woocommerce', (outside) => {
    outside.sell(flow.item('woocommerce', 'MUG'), 3);
    outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
  });
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>New</p>');
  await flow.rest(30);
  assert.deepEqual(
    flow.conflicts().map(({ field }) => field),
    ['deleted'],
  );
  assert.equal(flow.quantity('shopify', 'MUG'), 7);
});

test('[S9] stock that is linked below zero is told like any other, with the number that the shops show', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], {}, [{ sku: 'MUG', quantity: -3, backorders: 'yes' }]);
  flow.stock(['shopify'], {}, [{ sku: 'MUG', quantity: -1, backorders: 'yes' }]);
  await flow.link();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [-3, -3, -3]);
  assert.deepEqual(flow.problems(), ['OVERSOLD']);
  assert.match(flow.words('OVERSOLD').message, /3 times more than there was. Both shops show -3\./);
  assert.equal(flow.words('OVERSOLD').remedy, 'It may be backordered: restock it.');
  assert.equal(flow.rows<{ level: string }>("SELECT level FROM problem WHERE code = 'OVERSOLD'")[0]?.level, 'warning');
  flow.shop('shopify').outside.restock(flow.item('shopify', 'MUG'), 4);
  await flow.rest();
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[1, 1], []]);
});

test('[S4] the intent is stored before the request, and a request is repeated with the same key and expectation', async () => {
  const flow = await linked();
  const seen: unknown[] = [];
  const intents = () =>
    flow.rows(
      'SELECT intent_from AS "from", intent_to AS "to", intent_key AS key FROM variant_binding WHERE intent_key IS NOT NULL',
    );
  upset(flow, 'shopify', () => seen.push(...intents()), { type: 'timeout', when: 'before' });
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.world.clock.runFor(31_000);
  assert.equal(seen.length, 1, 'stored when it was sent');
  assert.deepEqual(intents(), seen, 'and still open, unchanged, after no answer came');
  await flow.rest();
  assert.deepEqual(intents(), []);
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [9, 9, 9]);
});

test('[S4, S5] a write that landed although its answer was lost is not counted again', async () => {
  for (const set of ['keyed', 'real', 'plain'] as const) {
    for (const fault of [
      { type: 'timeout', when: 'after' },
      { type: 'connection_lost', when: 'after' },
      { type: 'late_landing', lateMs: 20_000 },
    ] as const) {
      const flow = await linked({}, 10, set);
      upset(flow, 'shopify', () => undefined, fault);
      flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 5);
      await flow.rest(30);
      assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [15, 15, 15], `${set}, ${fault.type}`);
    }
  }
});

test('[S4, S5] a process that dies right after sending finds its intent and settles it: exactly, or too low and with a word', async () => {
  for (const set of ['keyed', 'real', 'plain'] as const) {
    const flow = await linked({}, 10, set);
    upset(flow, 'shopify', () => flow.world.clock.setTimer(() => flow.world.process?.kill(), 1), null);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 4);
    await flow.world.clock.runFor(5_000);
    flow.world.boot();
    await flow.rest(30);
    // By compare-and-set alone, 10 -> 6 that landed looks like 10 -> 6 that did not, and four sales.
    const end = set === 'real' ? 2 : 6;
    assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [end, end, end], set);
    if (set === 'real') assert.match(flow.words('STOCK_DOUBT').message, /up to 4 units/);
    else assert.deepEqual(flow.problems(), []);
  }
});

test('[S5] where neither key nor stamp decides, the lower value is taken and a person reads how many units are in doubt', async () => {
  const flow = await linked();
  // 10 -> 11 lands, its answer is lost, and two are sold: Shopify reads 9, as if one had been sold and nothing had happened.
  upset(flow, 'shopify', () => undefined, { type: 'timeout', when: 'after' });
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 1);
  await flow.world.clock.runFor(2_000);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 2);
  await flow.rest(30);
  assert.deepEqual(flow.quantities('MUG'), [9, 9], 'the lower');
  assert.equal(flow.hubQuantity('MUG'), 9);
  assert.match(flow.words('STOCK_DOUBT').message, /up to 1 unit sold meanwhile/);
});

test('[S5] until it is settled the other side shows the lower bound', async () => {
  const flow = await linked();
  upset(flow, 'shopify', () => undefined, { type: 'timeout', when: 'before' });
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 5);
  await flow.world.clock.runFor(2_000);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 9);
  await flow.world.clock.runFor(35_000);
  assert.ok(flow.quantity('woocommerce', 'MUG') <= 6, 'what is surely gone is not offered any more');
  await flow.rest(30);
  assert.deepEqual(flow.quantities('MUG'), [flow.hubQuantity('MUG'), flow.hubQuantity('MUG')]);
  assert.ok(flow.hubQuantity('MUG') <= 6);
});

test('[S6] tracking that is turned off on one side pauses the item; no number is made up, and a person is told', async () => {
  const flow = await linked();
  flow.shop('shopify').outside.setTracked(flow.item('shopify', 'MUG'), false);
  await flow.rest();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 3);
  await flow.rest();
  await flow.scan();
  assert.deepEqual(flow.quantities('MUG'), [7, 10], 'neither side is written');
  assert.match(flow.words('STOCK_TRACKING_CHANGED').message, /Shopify/);
});

test('[S7, S8] first link: the smaller of two stocks; zero against stock is left alone until a person agrees', async () => {
  const flow = new EngineFlow();
  for (const [side, mug, bowl] of [
    ['woocommerce', 3, 0],
    ['shopify', 8, 6],
  ] as const) {
    flow.stock([side], {}, [{ sku: 'MUG', quantity: mug }]);
    flow.stock([side], { title: 'Bowl' }, [{ sku: 'BOWL', quantity: bowl }]);
  }
  const plan = await flow.plan();
  const bowl = plan.find(({ title }) => title === 'Bowl');
  assert.equal(bowl?.data.stock[0]?.rule, 'zero against stock: needs your consent');
  await flow.apply();
  assert.deepEqual(
    [flow.quantities('MUG'), flow.quantities('BOWL')],
    [
      [3, 3],
      [0, 6],
    ],
  );
  assert.match(flow.words('STOCK_ZERO_CONSENT').message, /0 in WooCommerce and 6 in Shopify/);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'BOWL'), 1);
  await flow.scan();
  assert.deepEqual(flow.quantities('BOWL'), [0, 5], 'and it stays so');
});

test('[S7] items that a side does not track are not linked', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], {}, [{ sku: 'MUG', quantity: 4 }]);
  flow.stock(['shopify'], {}, [{ sku: 'MUG', quantity: 0, tracked: false }]);
  await flow.link();
  await flow.scan();
  assert.deepEqual(flow.quantities('MUG'), [4, 0]);
  assert.match(flow.words('STOCK_TRACKING_DIFFERS').message, /one side only/);
});

test('[S7] of a product that neither shop counts, a plan says nothing about stock, and one begun on one side waits for a person [S6]', async () => {
  const flow = new EngineFlow();
  flow.stock(['woocommerce'], {}, [{ sku: 'MUG', quantity: 0, tracked: false }]);
  await flow.link();
  const updates = async () => (await flow.plan()).filter(({ action }) => action === 'update');
  assert.deepEqual([await updates(), flow.planStatus().status], [[], 'nothing_to_do']);
  flow.shop('woocommerce').outside.setTracked(flow.item('woocommerce', 'MUG'), true);
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 5);
  const begun = await updates();
  assert.deepEqual(
    begun.flatMap(({ data }) => data.stock.map(({ result, rule }) => [result, rule])),
    [[null, 'paused: a person decides']],
  );
});

test('[S9] both sides sold the last one: both show 0, the hub remembers, and a person is told', async () => {
  const flow = await linked({}, 1);
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 1);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [-1, 0, 0]);
  assert.match(flow.words('OVERSOLD').message, /1 time more than there was/);
  flow.shop('woocommerce').outside.restock(flow.item('woocommerce', 'MUG'), 4);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [3, 3, 3], 'one of the four is owed already');
});

test('[B9] quantities at the limit of the platforms: shown up to a billion, counted beyond', async () => {
  const flow = new EngineFlow({ stockLinkRule: 'sum' });
  flow.stock(['woocommerce'], {}, [{ sku: 'MUG', quantity: 1_000_000_000 }]);
  flow.stock(['shopify'], {}, [{ sku: 'MUG', quantity: 5 }]);
  await flow.link();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [1_000_000_005, 1_000_000_000, 1_000_000_000]);
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 10);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [999_999_995, 999_999_995, 999_999_995]);
});

test('[S11] stock that is one-way: drift on the target is recorded and shown, and left alone until the source moves', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false });
  flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  await flow.scan();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [10, 10, 7]);
  assert.match(flow.words('DRIFT').message, /shows 7 instead of 10/);
  assert.deepEqual(
    flow.changes('stock').map(({ from, to, cause }) => [from, to, cause]),
    [[10, 7, 'drift']],
  );
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [9, 9, 9]);
  assert.deepEqual(flow.problems(), []);
});

test('[S11] with "enforce" the target is put right at once, and the history tells what it had shown', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false, enforce: true });
  flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  flow.shop('shopify').outside.sell(flow.item('shopify', 'MUG'), 3);
  await flow.rest();
  assert.deepEqual([flow.hubQuantity('MUG'), ...flow.quantities('MUG')], [10, 10, 10]);
  assert.deepEqual(
    flow.changes('stock').map(({ from, to, cause }) => [from, to, cause]),
    [
      [10, 7, 'enforced'],
      [7, 10, 'written'],
    ],
  );
  assert.deepEqual(flow.problems(), []);
});

test('[S11] ... and one that something there puts back each time is left alone for an hour, and told', async () => {
  const flow = new EngineFlow({ syncDirection: 'woocommerce_to_shopify', stockTwoWay: false, enforce: true });
  flow.stock(SIDES, {}, [{ sku: 'MUG', quantity: 10 }]);
  await flow.link();
  const { outside } = flow.shop('shopify');
  const putBack = () => outside.recount(flow.item('shopify', 'MUG'), 7);
  flow.hands.shopify.writeStock = async (...request) => {
    const outcomes = await flow.connector('shopify').writeStock(...request);
    putBack();
    return outcomes;
  };
  putBack();
  await flow.rest(30);
  assert.equal(flow.ours('shopify', 'set_stock'), 3);
  assert.deepEqual(flow.problems(), ['DRIFT']);
  assert.match(flow.words('DRIFT').message, /made 7 of 10 again/);
  // The source's sale is another number.
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 1);
  await flow.rest(25);
  assert.equal(flow.ours('shopify', 'set_stock'), 3 + 1 + 3, 'the new number, and put right as often');
  delete flow.hands.shopify.writeStock;
  await flow.rest(20);
  await flow.scan();
  assert.deepEqual(flow.quantities('MUG'), [9, 7], 'the hour is not over');
  await flow.rest(20);
  await flow.scan();
  assert.deepEqual([flow.problems(), ...flow.quantities('MUG')], [[], 9, 9]);
});

test('[S7, S6, V5] stock that was one before is never summed, whatever the rule for strangers', async () => {
  const flow = new EngineFlow({ stockLinkRule: 'sum' });
  flow.stock(['woocommerce'], { optionNames: ['Size'] }, [
    { sku: 'MUG-S', optionValues: ['S'], quantity: 4 },
    { sku: 'MUG-M', optionValues: ['M'], quantity: 4 },
  ]);
  flow.stock(['shopify'], { optionNames: ['Size'] }, [
    { sku: 'MUG-S', optionValues: ['S'], quantity: 6 },
    { sku: 'MUG-M', optionValues: ['M'], quantity: 6 },
  ]);
  await flow.link();
  assert.deepEqual(
    [flow.quantities('MUG-S'), flow.quantities('MUG-M')],
    [
      [10, 10],
      [10, 10],
    ],
    'strangers are',
  );
  const { outside } = flow.shop('shopify');
  outside.setTracked(flow.item('shopify', 'MUG-S'), false);
  await flow.rest();
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG-S'), 2);
  outside.setTracked(flow.item('shopify', 'MUG-S'), true);
  await flow.rest();
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE state = 'open'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-S'), [8, 8]);
  const { id, variants } = flow.product('shopify', 'Mug');
  const own = variants.find(({ fields }) => fields.sku === 'MUG-M');
  outside.deleteVariant(own?.stockId ?? '');
  if (own) outside.addVariant(id, { fields: own.fields, stock: { tracked: true, quantity: 7 } });
  await flow.rest();
  assert.deepEqual(flow.quantities('MUG-M'), [7, 7]);
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  for (const next of ['stock both ways', 'both lead', 'turned round'] as const)
    test(`[S2, S11] ${side} sold while it only received stock, then ${next}: what it sold is sold`, async () => {
      const target = { woocommerce: 'shopify_to_woocommerce', shopify: 'woocommerce_to_shopify' } as const;
      const flow = await linked({ syncDirection: target[side], stockTwoWay: false });
      flow.shop(side).outside.sell(flow.item(side, 'MUG'), 2);
      await flow.rest();
      assert.deepEqual(flow.problems(), ['DRIFT']);
      const patch = {
        'stock both ways': { stockTwoWay: true },
        'both lead': { syncDirection: 'bidirectional' },
        'turned round': { syncDirection: target[otherSide(side)] },
      } as const;
      updatePairSettings(flow.world.life().ctx, PAIR_ID, patch[next]);
      await flow.rest();
      await flow.scan();
      assert.deepEqual([flow.quantities('MUG'), flow.hubQuantity('MUG')], [[8, 8], 8]);
      assert.deepEqual(flow.problems(), []);
    });

test('[S9] what may not be backordered any more is an oversell: the problem says so in words and in weight', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG', quantity: 5, backorders: 'yes' }]);
  await flow.link();
  for (const side of SIDES) flow.shop(side).outside.sell(flow.item(side, 'MUG'), 4);
  await flow.rest();
  const levels = () =>
    flow.rows<{ level: string }>("SELECT level FROM problem WHERE code = 'OVERSOLD' AND state = 'open'");
  assert.deepEqual(levels(), [{ level: 'warning' }]);
  for (const side of SIDES) flow.shop(side).outside.editVariant(flow.item(side, 'MUG'), 'backorders', 'no');
  await flow.rest();
  await flow.scan();
  assert.deepEqual(levels(), [{ level: 'error' }]);
});
