import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { recordChange } from '../../db/writers/history.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(settings: ConstructorParameters<typeof EngineFlow>[0] = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  for (const title of ['Bowl', 'Jug', 'Cup']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
  return flow.link();
}

const CENTS = { woocommerce: 95, shopify: 99 } as const;

/** Calls `change` two seconds after each write to a side, as a plug-in there does; how often that was. */
function withPlugIns(flow: EngineFlow, sides: readonly Side[], change: (side: Side) => void) {
  const count = { writes: 0 };
  for (const side of sides) {
    const write = flow.connector(side).writeProducts;
    flow.hands[side].writeProducts = async (...args) => {
      const answer = await write(...args);
      count.writes += 1;
      void flow.world.clock.sleep(2_000).then(() => change(side));
      return answer;
    };
  }
  return count;
}

function roundUp(flow: EngineFlow): (side: Side) => void {
  return (side) => {
    const regularMinor = Math.floor(priceOf(flow, side) / 100) * 100 + CENTS[side];
    if (regularMinor !== priceOf(flow, side)) setPrice(flow, side, regularMinor);
  };
}

function setPrice(flow: EngineFlow, side: Side, regularMinor: number): void {
  flow.shop(side).outside.editVariant(flow.item(side, 'BOWL'), 'price', { regularMinor, saleMinor: null });
}

function priceOf(flow: EngineFlow, side: Side): number {
  return flow.product(side, 'Bowl').variants[0]?.fields.price.regularMinor ?? 0;
}

const prices = (flow: EngineFlow) => SIDES.map((side) => priceOf(flow, side));

test('[R19] a plug-in in each shop rounds prices its own way: both are left as they are, a person is told, and once an hour it is tried', async () => {
  const flow = await linked();
  const count = withPlugIns(flow, SIDES, roundUp(flow));
  setPrice(flow, 'woocommerce', 2_400);
  await flow.rest(10);
  assert.deepEqual([prices(flow), flow.problems()], [[2_495, 2_499], ['BACK_AND_FORTH']]);
  assert.match(flow.words('BACK_AND_FORTH').message, /^Price of "Bowl" goes back and forth/);
  assert.ok(count.writes <= 8, `${count.writes} writes`);

  const before = count.writes;
  for (let minutes = 0; minutes < 180; minutes += 10) {
    await flow.lookAt('Bowl');
    await flow.poll(10);
  }
  assert.ok(count.writes - before > 1 && count.writes - before <= 8, `${count.writes - before} writes in some hours`);
  assert.deepEqual([prices(flow), flow.problems()], [[2_495, 2_499], ['BACK_AND_FORTH']]);
  const told = flow.rows<{ state: string; count: number }>(
    "SELECT state, count FROM problem WHERE code = 'BACK_AND_FORTH'",
  );
  assert.deepEqual(
    [told.length, told[0]?.state],
    [1, 'open'],
    'a try that changes nothing ends nothing, and is not told anew',
  );
  assert.ok((told[0]?.count ?? 0) > 3);
  assert.equal(flow.rows("SELECT 1 FROM event WHERE type = 'problem'").length, 1);
});

test('[R19, P1] what is tried once an hour ends it only when the programs are quiet: by then it is over, though nobody tells of anything', async () => {
  const flow = await linked();
  let isOn = true;
  withPlugIns(flow, SIDES, (side) => {
    if (isOn) roundUp(flow)(side);
  });
  setPrice(flow, 'woocommerce', 2_400);
  await flow.rest(10);
  await flow.rest(60);
  isOn = false;
  await flow.lookAt('Bowl', 5);
  assert.deepEqual([prices(flow), flow.problems()], [[2_499, 2_499], ['BACK_AND_FORTH']]);
  await flow.rest(10);
  assert.deepEqual(flow.problems(), []);
});

test('[R19] both sides are held: each is left with what it shows, is tried once its hour is over, and what is typed is carried', async () => {
  for (const isTyped of [false, true]) {
    const flow = await linked({ conflictResolution: 'manual' });
    const made = { woocommerce: 1_095, shopify: 1_099 } as const;
    const { row, variants } = flow.hub('Bowl');
    const variantId = [...variants.keys()][0] ?? null;
    const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });
    const before = row.data.variants[variantId!]?.price;
    transact(flow.world.db, (tx) => {
      for (const origin of SIDES)
        recordChange(tx, {
          ...{ pairId: PAIR_ID, runId: null, productId: row.id, variantId, field: 'price', origin, target: null },
          ...{ from: price(made[origin]), to: before, cause: 'enforced', at: flow.world.clock.now() },
        });
    });
    for (const side of SIDES) setPrice(flow, side, made[side]);
    await flow.rest();
    assert.deepEqual([prices(flow), flow.problems()], [[1_095, 1_099], ['BACK_AND_FORTH']]);
    if (isTyped) setPrice(flow, 'shopify', 3_000);
    else {
      await flow.rest(50);
      await flow.lookAt('Bowl');
    }
    await flow.rest();
    const wanted = isTyped ? 3_000 : (before?.regularMinor ?? 0);
    assert.deepEqual([prices(flow), flow.conflicts(), flow.problems()], [[wanted, wanted], [], []]);
  }
});

for (const policy of ['newest', 'oldest', 'woocommerce', 'shopify', 'manual'] as const)
  test(`[R19] what a person types into either shop meanwhile goes through at once, and asks nobody (${policy})`, async () => {
    const flow = await linked({ conflictResolution: policy });
    let isOn = true;
    withPlugIns(flow, SIDES, (side) => {
      if (isOn) roundUp(flow)(side);
    });
    for (const side of SIDES)
      for (const waits of [20, 200]) {
        isOn = true;
        setPrice(flow, 'woocommerce', 2_400 + waits);
        await flow.rest(waits);
        assert.deepEqual(flow.problems(), ['BACK_AND_FORTH']);
        isOn = false;
        setPrice(flow, side, 3_000 + waits);
        await flow.rest();
        assert.deepEqual([prices(flow), flow.problems()], [[3_000 + waits, 3_000 + waits], []], `${side}, ${waits}`);
        assert.deepEqual(flow.conflicts(), []);
        await flow.rest(60);
      }
  });

test('[R19] both round up, and drive the price ever higher: it is held and told all the same, and what a person types goes through', async () => {
  const flow = await linked();
  const count = withPlugIns(flow, SIDES, (side) => {
    const regularMinor = Math.ceil((priceOf(flow, side) - CENTS[side]) / 100) * 100 + CENTS[side];
    if (regularMinor !== priceOf(flow, side)) setPrice(flow, side, regularMinor);
  });
  setPrice(flow, 'woocommerce', 2_400);
  await flow.rest(30);
  assert.deepEqual(flow.problems(), ['BACK_AND_FORTH']);
  assert.ok(count.writes <= 13 && Math.max(...prices(flow)) < 3_200, `${count.writes} writes, ${prices(flow)}`);
  for (const [index, side] of ([...SIDES, ...SIDES] as const).entries()) {
    const before = count.writes;
    const price = 5_000 + index * 1_000;
    setPrice(flow, side, price);
    await flow.rest(5);
    assert.equal(priceOf(flow, side), price);
    assert.ok(Math.abs(priceOf(flow, otherSide(side)) - price) < 100, `${prices(flow)}`);
    assert.deepEqual([flow.problems(), count.writes - before], [['BACK_AND_FORTH'], 1]);
  }
});

test('[R19] the plug-in is switched off: what is tried an hour later stays, and the problem is over; so it is when both are given one value', async () => {
  const flow = await linked();
  let isOn = true;
  withPlugIns(flow, SIDES, (side) => {
    if (isOn) roundUp(flow)(side);
  });
  setPrice(flow, 'woocommerce', 2_400);
  await flow.rest(20);
  isOn = false;
  await flow.rest(70);
  await flow.scan();
  assert.deepEqual([prices(flow), flow.problems()], [[2_499, 2_499], []]);
  isOn = true;
  setPrice(flow, 'woocommerce', 2_600);
  await flow.rest(20);
  assert.deepEqual(flow.problems(), ['BACK_AND_FORTH']);
  setPrice(flow, 'woocommerce', 2_699);
  await flow.rest(20);
  assert.deepEqual([prices(flow), flow.problems()], [[2_699, 2_699], []]);
});

test('[R19] fields of the product as well, tags too: a plug-in in each shop has its own idea', async () => {
  const flow = await linked();
  const own = { woocommerce: 'Bowl (sale)', shopify: 'Bowl' } as const;
  const count = withPlugIns(flow, SIDES, (side) => {
    const { id, fields } =
      [...flow.shop(side).shelf.products.values()].find(({ variants }) => variants[0]?.fields.sku === 'BOWL') ?? {};
    assert.ok(id !== undefined && fields !== undefined);
    const { outside } = flow.shop(side);
    if (fields.title !== own[side]) outside.editProduct(id, 'title', own[side]);
    const tags = fields.tags.filter((tag) => tag !== 'promo');
    if (fields.tags.includes('promo') !== (side === 'shopify'))
      outside.editProduct(id, 'tags', side === 'shopify' ? [...tags, 'promo'] : tags);
  });
  const bowl = flow.product('woocommerce', 'Bowl').id;
  flow.shop('woocommerce').outside.editProduct(bowl, 'title', own.woocommerce);
  await flow.rest(60);
  assert.deepEqual(flow.problems(), ['BACK_AND_FORTH', 'BACK_AND_FORTH']);
  assert.ok(count.writes <= 20, `${count.writes} writes within an hour`);
});

test('[R19] a price that a person changes again and again, to and fro in one shop or once in the other too, is carried each time', async () => {
  const flow = await linked();
  for (const price of [2_000, 2_100, 2_000, 2_100, 2_000, 2_100, 2_000, 2_100, 2_000]) {
    setPrice(flow, 'woocommerce', price);
    await flow.rest(3);
    assert.deepEqual(prices(flow), [price, price]);
  }
  for (const [side, price] of [
    ['shopify', 2_100],
    ['woocommerce', 2_000],
    ['shopify', 2_100],
    ['woocommerce', 2_300],
  ] as const) {
    setPrice(flow, side, price);
    await flow.rest(3);
    assert.deepEqual(prices(flow), [price, price]);
  }
  assert.deepEqual(flow.problems(), []);
});

for (const side of SIDES)
  test(`[R19] the plug-ins are switched off, the right price is typed, and corrected in ${side} within the hour: that is a person's, too`, async () => {
    const flow = await linked();
    let isOn = true;
    withPlugIns(flow, SIDES, (own) => {
      const regularMinor = Math.ceil((priceOf(flow, own) - CENTS[own]) / 100) * 100 + CENTS[own];
      if (isOn && regularMinor !== priceOf(flow, own)) setPrice(flow, own, regularMinor);
    });
    setPrice(flow, 'woocommerce', 2_400);
    await flow.rest(10);
    assert.deepEqual(flow.problems(), ['BACK_AND_FORTH']);
    isOn = false;
    setPrice(flow, 'shopify', 5_000);
    await flow.rest(20);
    assert.deepEqual([prices(flow), flow.problems()], [[5_000, 5_000], []]);
    setPrice(flow, side, 4_500);
    await flow.rest(5);
    assert.deepEqual([prices(flow), flow.problems()], [[4_500, 4_500], []]);
  });

test('[R19] the very value that a program made, typed by a person within the hour: it is told, in words that help, and typed into the other shop it is carried', async () => {
  const flow = await linked();
  let isOn = true;
  withPlugIns(flow, SIDES, (side) => {
    if (isOn) roundUp(flow)(side);
  });
  setPrice(flow, 'woocommerce', 2_400);
  await flow.rest(10);
  isOn = false;
  setPrice(flow, 'woocommerce', 2_499);
  await flow.rest(10);
  assert.deepEqual([prices(flow), flow.problems()], [[2_499, 2_499], []]);
  setPrice(flow, 'woocommerce', 2_495);
  await flow.rest(10);
  assert.deepEqual([prices(flow), flow.problems()], [[2_495, 2_499], ['BACK_AND_FORTH']]);
  assert.match(flow.words('BACK_AND_FORTH').remedy, /type that one into the other shop/);
  setPrice(flow, 'shopify', 2_495);
  await flow.rest(10);
  assert.deepEqual([prices(flow), flow.problems()], [[2_495, 2_495], []]);
});
