// A shop that has no room for our writes for hours, and is asked all else as before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { endWrite, type ProductSubject } from '../../engine/products/product-subject.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { HOUR_MS, SECOND_MS } from '../../lib/time.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { JobOutcome } from '../../model/job.ts';
import { SIDES } from '../../model/platform.ts';
import type { ProductFields } from '../../model/product.ts';
import type { ProductWrite } from '../../ports/connector.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';

const isNew = (write: ProductWrite) => write.type === 'create' || write.newVariants.length > 0;

/** A linked bowl; what `isLimited` is answered that there is no room for it, for so long. */
async function limited(
  isLimited: (write: ProductWrite) => boolean,
  retryAfterMs: number,
  bowl: Partial<ProductFields> = {},
): Promise<{ readonly flow: EngineFlow; readonly refusals: { count: number } }> {
  const flow = new EngineFlow();
  const optionValues = bowl.optionNames === undefined ? [] : ['S'];
  flow.stock(SIDES, { title: 'Bowl', ...bowl }, [{ sku: 'BOWL', optionValues }]);
  await flow.link();
  const refusals = { count: 0 };
  const { writeProducts } = flow.connector('shopify');
  flow.hands.shopify.writeProducts = async (writes, ...rest) => {
    if (!writes.some(isLimited)) return writeProducts(writes, ...rest);
    refusals.count += 1;
    const error = new ConnectorError('rate_limited', 'Shopify takes no more new variants today', { retryAfterMs });
    return writes.map(() => ({ ok: false, error }));
  };
  return { flow, refusals };
}

function addTwo(flow: EngineFlow): void {
  for (const title of ['Mug', 'Cup']) flow.stock(['woocommerce'], { title }, [{ sku: title.toUpperCase() }]);
}

function editBowl(flow: EngineFlow, text: string): void {
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Bowl').id, 'descriptionHtml', text);
}

test('[A1] what a shop has no room for is told once for the pair, and until it takes such a thing', async () => {
  const { flow } = await limited(isNew, 2 * HOUR_MS);
  addTwo(flow);
  await flow.rest(5);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED'], 'one, and not one for each product');
  assert.match(flow.words('WRITES_LIMITED').message, /takes no more new variants today/);
  editBowl(flow, 'New');
  await flow.rest(5);
  assert.equal(flow.product('shopify', 'Bowl').fields.descriptionHtml, 'New');
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED'], 'an edit says nothing of it');
  await flow.rest(5 * 60);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED'], 'also between two tries');
  delete flow.hands.shopify.writeProducts;
  await flow.rest(3 * 60);
  assert.equal(flow.count('shopify'), 3);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] of a product that waits for a new variant all else goes on', async () => {
  const { flow } = await limited(isNew, 2 * HOUR_MS, { optionNames: ['Size'] });
  const { outside } = flow.shop('woocommerce');
  const { id } = flow.product('woocommerce', 'Bowl');
  outside.addVariant(id, {
    fields: variant({ sku: 'BOWL-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 3 },
  });
  await flow.rest(10);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  outside.editProduct(id, 'status', 'draft');
  await flow.rest(10);
  assert.equal(flow.product('shopify', 'Bowl').fields.status, 'draft');
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeProducts;
  await flow.rest(3 * 60);
  assert.deepEqual(flow.quantities('BOWL-L'), [3, 3]);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] of many that there is no room for a few ask for all of them', async () => {
  const { flow, refusals } = await limited(isNew, 2 * HOUR_MS);
  const looks = { count: 0 };
  const { findByMark } = flow.connector('shopify');
  flow.hands.shopify.findByMark = (...args) => {
    looks.count += 1;
    return findByMark(...args);
  };
  addTwo(flow);
  await flow.rest(5);
  for (let i = 1; i <= 200; i += 1) flow.stock(['woocommerce'], { title: `Plate ${i}` }, [{ sku: `PLATE-${i}` }]);
  await flow.rest(9 * 60);
  // A pass of a hundred asks each time, and not all.
  assert.ok(refusals.count <= 30, `${refusals.count} refused calls`);
  assert.ok(looks.count <= 450, `${looks.count} looks for a mark`);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeProducts;
  await flow.rest(3 * 60);
  assert.equal(flow.count('shopify'), 203);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] while the pair is paused nothing is tried, and nothing of it is over', async () => {
  const { flow } = await limited(isNew, 2 * HOUR_MS);
  addTwo(flow);
  await flow.rest(5);
  const { ctx } = flow.world.life();
  pausePair(ctx, PAIR_ID);
  await flow.rest(5 * 60);
  await flow.poll();
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeProducts;
  resumePair(ctx, PAIR_ID);
  await flow.rest();
  assert.equal(flow.count('shopify'), 3);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] a person who knows that there is room need not wait', async () => {
  const { flow } = await limited(isNew, 2 * HOUR_MS);
  addTwo(flow);
  await flow.rest(5);
  delete flow.hands.shopify.writeProducts;
  const [problem] = flow.rows<{ id: string }>("SELECT id FROM problem WHERE code = 'WRITES_LIMITED'");
  retryProblem(flow.world.life().ctx, problem?.id ?? '');
  await flow.rest(1);
  assert.equal(flow.count('shopify'), 3);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] where any write waits, any that goes through ends it', async () => {
  const { flow } = await limited(() => true, HOUR_MS);
  editBowl(flow, 'New');
  await flow.rest(5);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeProducts;
  await flow.rest(60);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] it is over as well when nothing of it waits any more', async () => {
  const { flow, refusals } = await limited(isNew, 2 * HOUR_MS);
  addTwo(flow);
  await flow.rest(5);
  flow.change({ createOn: { woocommerce: true, shopify: false } });
  await flow.rest(3 * 60);
  const { count } = refusals;
  await flow.rest(60);
  assert.equal(refusals.count, count);
  await flow.poll();
  assert.deepEqual(flow.problems(), []);
});

test('[A1] a shop that asks for some seconds is no problem', async () => {
  const { flow, refusals } = await limited(isNew, 30 * SECOND_MS);
  addTwo(flow);
  await flow.rest(30);
  assert.ok(refusals.count > 5);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] stock that has no room for hours is told of likewise', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.link();
  const error = new ConnectorError('rate_limited', 'no more today', { retryAfterMs: HOUR_MS });
  flow.hands.shopify.writeStock = async (writes) => writes.map(() => ({ outcome: 'failed', error }));
  flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'BOWL'), 1);
  await flow.rest(5);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeStock;
  await flow.rest(70);
  assert.deepEqual(flow.quantities('BOWL'), [9, 9]);
  assert.deepEqual(flow.problems(), []);
});

test('[A1] [S3] as soon as a shop takes such a write again, all that waits for it is tried: its people are told of it no longer', async () => {
  const flow = new EngineFlow();
  for (const sku of ['BOWL', 'MUG']) flow.stock(SIDES, { title: sku }, [{ sku }]);
  await flow.link();
  const error = new ConnectorError('rate_limited', 'no more today', { retryAfterMs: HOUR_MS });
  flow.hands.shopify.writeStock = async (writes) => writes.map(() => ({ outcome: 'failed', error }));
  const sell = (sku: string) => flow.shop('woocommerce').outside.sell(flow.item('woocommerce', sku), 1);
  sell('BOWL');
  await flow.rest(2);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeStock;
  sell('MUG');
  await flow.rest(2);
  assert.deepEqual([flow.quantities('MUG'), flow.problems()], [[9, 9], []]);
  assert.deepEqual(flow.quantities('BOWL'), [9, 9], 'nobody is told that it waits, and it waits no more');
});

test('[A1] as soon as a shop takes a new variant again, what is to be made there is made', async () => {
  const { flow } = await limited(isNew, 2 * HOUR_MS, { optionNames: ['Size'] });
  addTwo(flow);
  await flow.rest(5);
  assert.deepEqual(flow.problems(), ['WRITES_LIMITED']);
  delete flow.hands.shopify.writeProducts;
  flow.shop('woocommerce').outside.addVariant(flow.product('woocommerce', 'Bowl').id, {
    fields: variant({ sku: 'BOWL-L', optionValues: ['L'] }),
    stock: { tracked: true, quantity: 3 },
  });
  await flow.rest(5);
  assert.deepEqual([flow.quantities('BOWL-L'), flow.problems()], [[3, 3], []]);
  assert.equal(flow.count('shopify'), 3, 'nobody is told that the others wait, and they wait no more');
});

test('[A1] a product that one shop has no room for is tried as soon as the other shop, which was away for a moment, wants it', () => {
  const forHours: JobOutcome = { type: 'snooze', ms: 2 * HOUR_MS };
  const soon: JobOutcome = { type: 'retry', reason: 'unavailable: maintenance' };
  const refused: JobOutcome = { type: 'cancel', reason: 'rejected: no such value' };
  for (const [outcomes, expected] of [
    [[forHours, soon], soon],
    [[soon, forHours], soon],
    [[forHours, { ...soon, afterMs: 60_000 }], { ...soon, afterMs: 60_000 }],
    [[refused, forHours, soon], soon],
    [[refused, refused], refused],
  ] as const) {
    const subject: Pick<ProductSubject, 'outcome' | 'refused'> = { outcome: null, refused: null };
    for (const outcome of outcomes) endWrite(subject, outcome);
    assert.deepEqual(subject.outcome, expected);
  }
});
