// What happens between a reading, the write that was decided on it, and its answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '../../connectors/memory/fault-plan.ts';
import { snapshotOf } from '../../connectors/memory/records.ts';
import { transact } from '../../db/database.ts';
import { enqueueProductSync } from '../../engine/enqueue.ts';
import { productLock } from '../../engine/locks.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import type { SearchKey } from '../../model/search-key.ts';
import { PAIR_ID, SHOPS } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const name = (i: number) => `Mug ${i}`;

async function linked(count: number): Promise<EngineFlow> {
  const flow = new EngineFlow({ conflictResolution: 'newest' });
  for (let i = 0; i < count; i += 1) flow.stock(SIDES, { title: name(i) }, [{ sku: `MUG-${i}` }]);
  return flow.link();
}

/** From now on requests of this kind take this long there, and tell nobody. */
function slowDown(flow: EngineFlow, side: Side, operation: Operation, latencyMs: number): void {
  const shop = flow.shop(side);
  const calm = shop.faults;
  shop.faults = {
    request: (facts) =>
      facts.operation === operation
        ? { latencyMs, handledAfterMs: latencyMs - 10, isSlow: true, fault: null }
        : calm.request(facts),
    delivery: () => ({ delaysMs: [], isLate: false }),
  };
}

function all(flow: EngineFlow) {
  return [...flow.shop('shopify').shelf.products.values()];
}

function editAll(flow: EngineFlow, count: number, side: Side, text: string): void {
  for (let i = 0; i < count; i += 1)
    flow.shop(side).outside.editProduct(flow.product(side, name(i)).id, 'descriptionHtml', text);
}

test('[W1] a product that somebody edits while earlier batches of the pass are still being sent is not written over', async () => {
  const flow = await linked(60);
  slowDown(flow, 'shopify', 'update_product', 20_000);
  editAll(flow, 60, 'woocommerce', '<p>from the batch</p>');
  await flow.world.clock.runFor(25_000);
  const last = all(flow).filter(({ fields }) => fields.descriptionHtml !== '<p>from the batch</p>');
  assert.ok(last.length > 0 && last.length < 60, `in the midst of it: ${last.length} wait`);
  const typed = last.at(-1);
  assert.ok(typed);
  const { title } = typed.fields;
  flow.shop('shopify').outside.editProduct(typed.id, 'descriptionHtml', '<p>typed meanwhile</p>');
  await flow.rest(5);
  const texts = SIDES.map((side) => flow.product(side, title).fields.descriptionHtml);
  assert.deepEqual(texts, ['<p>typed meanwhile</p>', '<p>typed meanwhile</p>']);
  const others = all(flow);
  assert.equal(others.filter((each) => each.fields.descriptionHtml === '<p>from the batch</p>').length, 59);
});

test('[W1] an answer that was long on its way is as old as its question: what was typed meanwhile is not written over', async () => {
  const flow = await linked(1);
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  for (const side of SIDES) slowDown(flow, side, 'inspect', 10);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', name(0)).id, 'descriptionHtml', '<p>first</p>');
  shop.faults = {
    request: (facts) => {
      if (facts.operation !== 'read_products') return calm.request(facts);
      shop.faults = calm;
      return { latencyMs: 22_000, handledAfterMs: 10, isSlow: true, fault: null };
    },
    delivery: calm.delivery,
  };
  const typedAfterMs = 15_000;
  const done = flow.lookAt(name(0));
  await flow.world.clock.process().sleep(typedAfterMs);
  shop.outside.editProduct(flow.product('woocommerce', name(0)).id, 'descriptionHtml', '<p>second</p>');
  await done;
  const texts = SIDES.map((side) => flow.product(side, name(0)).fields.descriptionHtml);
  assert.deepEqual(texts, ['<p>second</p>', '<p>second</p>']);
});

test('[G7, W1] a witness that is itself looked at is decided on as it was last seen', async () => {
  const flow = await linked(2);
  for (const side of SIDES) slowDown(flow, side, 'inspect', 10);
  const ids = [0, 1].map((i) => flow.hub(name(i)).row.id);
  const kept = flow.product('woocommerce', name(0)).id;
  const gone = flow.product('woocommerce', name(1)).id;
  flow.shop('woocommerce').outside.deleteProduct(gone, 'hard');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', name(0)).id, 'descriptionHtml', '<p>first</p>');
  const { woocommerce } = flow.hands;
  const asked: (readonly string[])[] = [];
  Object.assign(woocommerce, {
    async readProducts(externalIds: readonly string[], signal: AbortSignal) {
      asked.push(externalIds);
      if (asked.length === 2) {
        delete woocommerce.readProducts;
        flow.shop('woocommerce').outside.editProduct(kept, 'descriptionHtml', '<p>second</p>');
      }
      return flow.connector('woocommerce').readProducts(externalIds, signal);
    },
  });
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => {
    for (const productId of ids)
      enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now());
  });
  await flow.rest(5);
  assert.deepEqual(asked[1], [gone, kept], 'the one that is gone, and its witness');
  const texts = SIDES.map((side) => flow.product(side, name(0)).fields.descriptionHtml);
  assert.deepEqual(texts, ['<p>second</p>', '<p>second</p>']);
});

test('[W1] a record that a search shows otherwise than it was read is read again before it is written', async () => {
  const flow = await linked(2);
  for (const side of SIDES) slowDown(flow, side, 'inspect', 10);
  flow.stock(SIDES, { title: 'Cup' }, [{ sku: 'CUP' }]);
  const { id } = flow.product('shopify', 'Cup');
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Cup').id, 'title', 'Tea cup');
  for (const side of SIDES) for (const each of flow.shop(side).shelf.products.values()) each.searchableAt = 0;
  const { shopify } = flow.hands;
  Object.assign(shopify, {
    async findByKeys(keys: readonly SearchKey[], signal: AbortSignal) {
      delete shopify.findByKeys;
      flow.shop('shopify').outside.editProduct(id, 'title', 'Typed meanwhile');
      return flow.connector('shopify').findByKeys(keys, signal);
    },
  });
  const { ctx } = flow.world.life();
  const ref = { side: 'shopify', externalId: id } as const;
  transact(ctx.db, (tx) => enqueueProductSync(tx, PAIR_ID, { ref, observe: ['shopify'] }, ctx.clock.now()));
  await flow.rest();
  assert.equal(shopify.findByKeys, undefined, 'it was searched for');
  const known = flow.changes('title').flatMap(({ from, to }) => [from, to]);
  assert.ok(known.includes('Typed meanwhile'), 'the history knows what was typed');
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, 'Typed meanwhile').fields.title),
    ['Typed meanwhile', 'Typed meanwhile'],
  );
});

test('[W1] a record that a listing shows otherwise while a pass is at work on it is read again before it is written', async () => {
  const flow = await linked(2);
  for (const side of SIDES) slowDown(flow, side, 'inspect', 10);
  const shop = flow.shop('shopify');
  const calm = shop.faults;
  shop.faults = {
    request: (facts) => {
      if (facts.operation !== 'read_products') return calm.request(facts);
      shop.faults = calm;
      return { latencyMs: 5_000, handledAfterMs: 10, isSlow: true, fault: null };
    },
    delivery: calm.delivery,
  };
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', name(0)).id, 'descriptionHtml', '<p>1</p>');
  const { ctx } = flow.world.life();
  const productId = flow.hub(name(0)).row.id;
  transact(ctx.db, (tx) => enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now()));
  await flow.world.clock.runFor(100);
  shop.outside.editProduct(flow.product('shopify', name(0)).id, 'descriptionHtml', '<p>2</p>');
  await flow.scan();
  const known = flow.changes('descriptionHtml').flatMap(({ from, to }) => [from, to]);
  assert.ok(known.includes('<p>2</p>'), 'the history knows what was typed');
  assert.deepEqual(
    SIDES.map((side) => flow.product(side, name(0)).fields.descriptionHtml),
    ['<p>2</p>', '<p>2</p>'],
  );
});

test('[G9] an edit that a listing shows while the delete of its other half is being proven is an edit against that delete', async () => {
  const flow = await linked(3);
  for (const side of SIDES) slowDown(flow, side, 'inspect', 10);
  const shop = flow.shop('woocommerce');
  const calm = shop.faults;
  let readings = 0;
  shop.faults = {
    request: (facts) => {
      if (facts.operation !== 'read_products') return calm.request(facts);
      readings += 1;
      if (readings < 2) return calm.request(facts);
      shop.faults = calm;
      return { latencyMs: 5_000, handledAfterMs: 10, isSlow: true, fault: null };
    },
    delivery: calm.delivery,
  };
  shop.outside.deleteProduct(flow.product('woocommerce', name(0)).id, 'hard');
  const { ctx } = flow.world.life();
  const { id } = flow.product('shopify', name(0));
  const productId = flow.hub(name(0)).row.id;
  transact(ctx.db, (tx) => enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now()));
  await flow.world.clock.runFor(100);
  flow.shop('shopify').outside.editProduct(id, 'descriptionHtml', '<p>2</p>');
  await flow.scan();
  assert.deepEqual(
    SIDES.map((side) => [
      flow.product(side, name(0)).fields.descriptionHtml,
      flow.product(side, name(0)).fields.status,
    ]),
    [
      ['<p>2</p>', 'active'],
      ['<p>2</p>', 'active'],
    ],
  );
});

test('[M1, W1] what is typed into the other shop while a pass searches for many is joined, and not made a second time', async () => {
  const flow = await linked(1);
  slowDown(flow, 'shopify', 'find_by_keys', 25_000);
  for (const title of ['Cup', 'Bowl', 'Pan']) flow.stock(['woocommerce'], { title }, [{ sku: title.toUpperCase() }]);
  const { ctx } = flow.world.life();
  transact(ctx.db, (tx) => {
    for (const title of ['Cup', 'Bowl', 'Pan']) {
      const ref = { side: 'woocommerce', externalId: flow.product('woocommerce', title).id } as const;
      enqueueProductSync(tx, PAIR_ID, { ref, observe: ['woocommerce'] }, ctx.clock.now());
    }
  });
  await flow.world.clock.runFor(30_000);
  flow.stock(['shopify'], { title: 'Cup' }, [{ sku: 'CUP' }]);
  flow.product('shopify', 'Cup').searchableAt = 0;
  await flow.rest(30);
  assert.equal(flow.count('shopify'), 4, 'each is there once');
  assert.deepEqual(flow.problems(), []);
  const { bindings } = flow.hub('Cup');
  assert.equal(bindings.shopify?.externalId, flow.product('shopify', 'Cup').id);
});

/** One product that is added to one shop, and a while later to the other, is one in the end. */
async function addApart(flow: EngineFlow, first: Side, apartMs: number): Promise<void> {
  flow.stock([first], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.world.clock.runFor(apartMs);
  flow.stock([otherSide(first)], { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.rest(30);
  const words = `${apartMs} ms apart`;
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify'), flow.problems()], [2, 2, []], words);
  assert.equal(flow.hub('Cup').bindings.shopify?.externalId, flow.product('shopify', 'Cup').id, words);
}

test('[M1] what is typed into both shops at once is one product, though a search shows it only seconds later', async () => {
  for (const apartMs of [0, 30, 60]) await addApart(await linked(1), 'shopify', apartMs);
});

test('[M1] what is added to both shops within seconds is one product, though the webhook of one of them never arrives', async () => {
  for (const apartMs of [0, 2_000, 5_000]) {
    const flow = await linked(1);
    const shop = flow.shop('shopify');
    shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
    await addApart(flow, 'woocommerce', apartMs);
  }
});

test('[M1] a plan that was applied has made what it said when its run ends; a scan says of what is new that it is made soon', async () => {
  for (const how of ['plan', 'scan'] as const) {
    const flow = new EngineFlow({ syncSchedule: 'manual' });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.link();
    flow.stock(['woocommerce'], { title: 'Cup' }, [{ sku: 'CUP' }]);
    if (how === 'plan') {
      await flow.plan();
      await flow.apply();
    } else await flow.scan();
    const [item] = flow.rows<{ outcome: string; detail: string | null }>("SELECT * FROM run_item WHERE title = 'Cup'");
    assert.equal(item?.outcome, how === 'plan' ? 'written' : 'skipped');
    if (how === 'scan') assert.match(item?.detail ?? '', /made there some seconds after this run/);
    assert.equal(flow.count('shopify'), 2, how);
  }
});

test('[W1] stock that is written blindly: a sale during an earlier batch of the pass is counted', async () => {
  const flow = new EngineFlow();
  const skus = Array.from({ length: 120 }, (_, i) => `MUG-${i}`);
  flow.stock(
    SIDES,
    { title: 'Mug', optionNames: ['No.'] },
    skus.map((sku) => ({ sku, quantity: 10, optionValues: [sku] })),
  );
  await flow.link();
  slowDown(flow, 'woocommerce', 'write_stock', 20_000);
  for (const sku of skus) flow.shop('shopify').outside.sell(flow.item('shopify', sku), 1);
  await flow.world.clock.runFor(15_000);
  const waiting = skus.filter((sku) => flow.quantity('woocommerce', sku) === 10);
  assert.ok(waiting.length > 0, 'in the midst of it');
  for (const sku of skus) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 1);
  await flow.rest(10);
  await flow.scan();
  // Only what was on its way at that moment is inside its window.
  const lost = skus.filter((sku) => flow.hubQuantity(sku) !== 8);
  assert.ok(lost.length <= 100, `${lost.length} of 120 lost a sale: more than one batch`);
});

test('[W2] a fault in the midst of a push leaves no fences behind but that of what was sent', async () => {
  const flow = await linked(60);
  let isBroken = true;
  const { shopify } = flow.hands;
  Object.assign(shopify, {
    async writeProducts() {
      isBroken = false;
      delete shopify.writeProducts;
      throw new TypeError('a fault of the connector');
    },
  });
  editAll(flow, 60, 'woocommerce', '<p>new</p>');
  await flow.world.clock.runFor(20_000);
  const fences = flow.rows<{ wait: number }>(
    'SELECT fenced_until - ? AS wait FROM product_binding WHERE intent IS NOT NULL',
    flow.world.clock.now(),
  );
  assert.ok(fences.length <= 20, `${fences.length} are fenced: more than one batch`);
  assert.ok(fences.every(({ wait }) => wait <= 60_000));
  await flow.rest(3);
  assert.equal(isBroken, false);
  const done = all(flow);
  assert.ok(done.every(({ fields }) => fields.descriptionHtml === '<p>new</p>'));
});

test('[W2] a fault in the midst of a stock write leaves the fence of a lost answer', async () => {
  const flow = await linked(3);
  const { shopify } = flow.hands;
  Object.assign(shopify, {
    async writeStock() {
      delete shopify.writeStock;
      throw new TypeError('a fault of the connector');
    },
  });
  for (let i = 0; i < 3; i += 1) flow.shop('woocommerce').outside.sell(flow.item('woocommerce', `MUG-${i}`), 1);
  await flow.rest(3);
  assert.equal(shopify.writeStock, undefined);
  for (let i = 0; i < 3; i += 1) assert.deepEqual(flow.quantities(`MUG-${i}`), [9, 9]);
});

test('[W2] a write that was stored and never sent is decided anew at once after a crash', async () => {
  const flow = await linked(60);
  slowDown(flow, 'shopify', 'update_product', 5_000);
  editAll(flow, 60, 'woocommerce', '<p>new</p>');
  await flow.world.clock.runFor(6_000);
  flow.world.process?.kill();
  const stored = flow.rows<{ sent: number | null }>(
    "SELECT json_extract(intent, '$.sentAt') AS sent FROM product_binding WHERE intent IS NOT NULL",
  );
  const unsent = stored.filter(({ sent }) => sent === null).length;
  assert.ok(unsent >= 20, `${unsent} were stored and not sent`);
  flow.world.boot();
  await flow.world.clock.runFor(50_000);
  const done = all(flow);
  const left = done.filter(({ fields }) => fields.descriptionHtml !== '<p>new</p>').length;
  assert.ok(left <= 20, `${left} still wait: only what was under way has a fence`);
});

test('[W3] when one side of a push throws, the locks are held until the other side has its answers', async () => {
  const flow = await linked(3);
  const { ctx } = flow.world.life();
  for (const side of SIDES) slowDown(flow, side, 'inspect', 10);
  const slow = flow.product('shopify', name(0)).id;
  let wasFree: boolean | null = null;
  const forStore = ctx.connectors.forStore.bind(ctx.connectors);
  Object.assign(flow.hands.woocommerce, {
    async writeProducts() {
      delete flow.hands.woocommerce.writeProducts;
      throw new TypeError('a fault of the connector');
    },
  });
  Object.assign(flow.hands.shopify, {
    async writeProducts(writes: never) {
      delete flow.hands.shopify.writeProducts;
      await flow.world.clock.process().sleep(20_000);
      const release = ctx.locks.tryAcquire([productLock(SHOPS.shopify, slow)]);
      wasFree = release !== null;
      release?.();
      const store = flow.rows<never>("SELECT * FROM store WHERE platform = 'shopify'")[0] as never;
      return forStore(store, null).writeProducts(writes);
    },
  });
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', name(0)).id, 'descriptionHtml', '<p>w</p>');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', name(1)).id, 'descriptionHtml', '<p>s</p>');
  const ids = [0, 1].map((i) => flow.hub(name(i)).row.id);
  transact(ctx.db, (tx) => {
    for (const productId of ids)
      enqueueProductSync(tx, PAIR_ID, { ref: { productId }, observe: SIDES }, ctx.clock.now());
  });
  await flow.rest(5);
  assert.equal(wasFree, false);
  assert.deepEqual(
    SIDES.map((side) => [0, 1].map((i) => flow.product(side, name(i)).fields.descriptionHtml)),
    [
      ['<p>w</p>', '<p>s</p>'],
      ['<p>w</p>', '<p>s</p>'],
    ],
  );
});

test('[W1, W6] what a listing shows to have been typed into a variant between the two requests of one write stands in the history', async () => {
  const flow = await linked(1);
  const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });
  const shop = flow.shop('woocommerce');
  const before = shop.shelf.items.get(flow.item('woocommerce', 'MUG-0'))?.variant.fields.price;
  const calm = shop.faults;
  shop.faults = {
    ...calm,
    request: (facts) => {
      const [product] = shop.shelf.products.values();
      if (facts.operation === 'write_variants' && product !== undefined) {
        shop.outside.editVariant(flow.item('woocommerce', 'MUG-0'), 'price', price(777));
        const key = productLock(SHOPS.woocommerce, product.id);
        const at = flow.world.clock.now();
        flow.world.life().ctx.locks.noteSight(key, { at, snapshot: snapshotOf(product) });
      }
      return calm.request(facts);
    },
  };
  const { outside } = flow.shop('shopify');
  outside.editProduct(flow.product('shopify', name(0)).id, 'descriptionHtml', '<p>Both</p>');
  outside.editVariant(flow.item('shopify', 'MUG-0'), 'price', price(888));
  await flow.rest();
  shop.faults = calm;
  const [, lost, written, ...more] = flow.changes('price');
  assert.deepEqual(lost, { from: price(777), to: price(888), cause: 'kept_hub', target: null });
  assert.deepEqual(written, { from: before, to: price(888), cause: 'written', target: 'woocommerce' });
  assert.deepEqual(more, []);
});

test('[W1, W6] ... and where that was typed after the write had landed, so does what the write took the place of', async () => {
  const flow = await linked(1);
  const price = (regularMinor: number) => ({ regularMinor, saleMinor: null });
  const shop = flow.shop('woocommerce');
  const item = flow.item('woocommerce', 'MUG-0');
  const before = shop.shelf.items.get(item)?.variant.fields.price;
  flow.hands.woocommerce.writeProducts = async (...request) => {
    delete flow.hands.woocommerce.writeProducts;
    const answer = await flow.connector('woocommerce').writeProducts(...request);
    const [product] = shop.shelf.products.values();
    assert.ok(product);
    shop.outside.editVariant(item, 'price', price(777));
    const key = productLock(SHOPS.woocommerce, product.id);
    flow.world.life().ctx.locks.noteSight(key, { at: flow.world.clock.now(), snapshot: snapshotOf(product) });
    return answer;
  };
  flow.shop('shopify').outside.editVariant(flow.item('shopify', 'MUG-0'), 'price', price(888));
  await flow.rest();
  const written = flow.changes('price').filter(({ target }) => target === 'woocommerce');
  assert.deepEqual(written, [{ from: before, to: price(888), cause: 'written', target: 'woocommerce' }]);
  assert.equal(shop.shelf.items.get(item)?.variant.fields.price.regularMinor, 777);
  assert.equal(
    flow.shop('shopify').shelf.items.get(flow.item('shopify', 'MUG-0'))?.variant.fields.price.regularMinor,
    777,
  );
});
