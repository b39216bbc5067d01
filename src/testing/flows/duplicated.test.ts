import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import { SIDES } from '../../model/platform.ts';
import { EngineFlow, record } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';

// WooCommerce's "Duplicate" copies all that is noted on a product, our mark too.

async function copied({ isTold = true } = {}): Promise<EngineFlow> {
  const flow = new EngineFlow();
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const made = flow.product('woocommerce', 'Mug');
  assert.equal(made.marks.length, 1, 'made by us');
  const shop = flow.shop('woocommerce');
  if (!isTold) shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  assert.equal(shop.outside.duplicateProduct(made.id)?.marks.length, 1);
  return flow;
}

test('[M1] a product that we made is duplicated in its shop: the copy is a product of its own, and carried over', async () => {
  const flow = await copied();
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
  const copy = flow.product('shopify', 'Mug (Copy)');
  assert.deepEqual([copy.fields.status, copy.variants[0]?.fields.sku], ['draft', 'MUG-1']);
  for (const [title, sku] of [
    ['Mug', 'MUG'],
    ['Mug (Copy)', 'MUG-1'],
  ] as const) {
    flow
      .shop('woocommerce')
      .outside.editProduct(flow.product('woocommerce', title).id, 'descriptionHtml', `<p>${sku}</p>`);
    const [item] = flow.product('shopify', title).variants;
    flow.shop('shopify').outside.sell(item?.stockId ?? '', 3);
  }
  await flow.rest();
  for (const [title, sku] of [
    ['Mug', 'MUG'],
    ['Mug (Copy)', 'MUG-1'],
  ] as const) {
    assert.equal(flow.product('shopify', title).fields.descriptionHtml, `<p>${sku}</p>`);
    assert.deepEqual(flow.quantities(sku), [7, 7]);
  }
});

test('[M1] a plan takes the copy for a product of its own, too', async () => {
  const flow = await copied({ isTold: false });
  const items = await flow.plan();
  const [, ...second] = items.map(({ action, title }) => [action, title]);
  assert.deepEqual(second, [['create', 'Mug (Copy)']]);
  await flow.apply();
  assert.equal(flow.product('shopify', 'Mug (Copy)').fields.status, 'draft');
  assert.deepEqual(flow.problems(), []);
});

test('[M1, W1] a create without an answer is not taken for the copy that bears the same mark', async () => {
  const flow = await copied();
  await flow.rest();
  const copy = flow.hub('Mug (Copy)').bindings.woocommerce?.externalId;
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Cup');
  const isMet = faultOnce(flow.shop('woocommerce'), 'create_product', { type: 'timeout', when: 'after' });
  await flow.scan();
  await flow.rest();
  assert.ok(isMet());
  assert.equal(flow.hub('Mug (Copy)').bindings.woocommerce?.externalId, copy);
  assert.equal(flow.hub('Cup').bindings.woocommerce?.externalId, flow.product('woocommerce', 'Cup').id);
  assert.deepEqual([flow.count('woocommerce'), flow.count('shopify')], [2, 2]);
  assert.deepEqual(flow.rows('SELECT 1 FROM product_binding WHERE intent IS NOT NULL'), []);
});

for (const isTold of [true, false])
  test(`[M1] a product that we made is deleted and imported anew with our mark (${isTold ? 'told' : 'not told'}): it is the same one, and not made twice`, async () => {
    const flow = new EngineFlow();
    for (const i of [1, 2, 3]) flow.stock(['shopify'], { title: `Bowl ${i}` }, [{ sku: `BOWL-${i}` }]);
    flow.stock(['shopify'], { title: 'Mug' }, [{ sku: '' }]);
    await flow.link();
    const shop = flow.shop('woocommerce');
    const { id, fields, marks } = flow.product('woocommerce', 'Mug');
    const calm = shop.faults;
    if (!isTold) shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
    shop.outside.deleteProduct(id, 'hard');
    const again = shop.shelf.addProduct(record(fields, [{ sku: '' }]), null);
    for (const mark of marks) shop.shelf.addMark(again, mark, null);
    shop.faults = calm;
    shop.outside.editProduct(again.id, 'tags', ['again']);
    await flow.rest(60);
    for (let i = 0; i < 2; i += 1) await flow.scan();
    const mugs = [...flow.shop('shopify').shelf.products.values()].filter(({ fields: own }) => own.title === 'Mug');
    assert.deepEqual(
      mugs.map((own) => [own.fields.status, own.fields.tags.includes('again')]),
      [['active', true]],
    );
    assert.deepEqual(flow.problems(), []);
  });

test('[M1] whether the one that bears the mark by right is there is not said: nothing is made of the other until it is', async () => {
  const flow = new EngineFlow();
  for (const i of [1, 2, 3]) flow.stock(['shopify'], { title: `Bowl ${i}` }, [{ sku: `BOWL-${i}` }]);
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: '' }]);
  await flow.link();
  const shop = flow.shop('woocommerce');
  const { id, fields, marks } = flow.product('woocommerce', 'Mug');
  const calm = shop.faults;
  shop.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.deleteProduct(id, 'hard');
  shop.faults = calm;
  let left = 3;
  flow.hands.woocommerce.readProducts = async (ids, signal) => {
    const outcomes = await flow.connector('woocommerce').readProducts(ids, signal);
    if (!ids.includes(id) || left === 0) return outcomes;
    left -= 1;
    const error = new ConnectorError('unavailable', 'not this one, not now');
    return outcomes.map((outcome, i) => (ids[i] === id ? { ok: false as const, error } : outcome));
  };
  const again = shop.shelf.addProduct(record(fields, [{ sku: '' }]), null);
  for (const mark of marks) shop.shelf.addMark(again, mark, null);
  shop.outside.editProduct(again.id, 'tags', ['again']);
  await flow.rest(60);
  assert.equal(left, 0);
  const mugs = [...flow.shop('shopify').shelf.products.values()].filter(({ fields: own }) => own.title === 'Mug');
  assert.equal(mugs.length, 1);
});

/** The mug of Shopify as it was before somebody duplicated what we had made of it, and what became of the copy. */
function isApart(flow: EngineFlow, status: string, copy: string, sku: string): void {
  const shown = (title: string) => {
    const { fields, variants } = flow.product('shopify', title);
    return [fields.status, variants[0]?.fields.sku];
  };
  assert.deepEqual(shown('Mug'), [status, 'MUG']);
  assert.deepEqual(shown(copy), ['draft', sku]);
  assert.notEqual(flow.hub(copy).row.id, flow.product('woocommerce', copy).marks[0]?.hubId);
  assert.deepEqual(flow.problems(), []);
}

for (const deletePolicy of ['archive', 'keep'] as const) {
  const status = deletePolicy === 'keep' ? 'active' : 'archived';

  for (const isTold of [true, false])
    test(`[M1] a product that we made is duplicated, and deleted at once (${deletePolicy}, ${isTold ? 'told' : 'not told'}): the copy is no product that was made again`, async () => {
      const flow = await copied({ isTold: false });
      flow.change({ deletePolicy });
      flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
      const { id } = flow.product('woocommerce', 'Mug');
      const shop = flow.shop('woocommerce');
      if (isTold) shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [1_000], isLate: false }) };
      shop.outside.deleteProduct(id, 'hard');
      for (let i = 0; i < 3; i += 1) await flow.scan();
      isApart(flow, status, 'Mug (Copy)', 'MUG-1');
    });

  test(`[M1] ... and so is what is made of the copy once the first is deleted (${deletePolicy})`, async () => {
    const flow = await copied();
    flow.change({ deletePolicy });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.rest();
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
    await flow.rest(30);
    flow.shop('woocommerce').outside.duplicateProduct(flow.product('woocommerce', 'Mug (Copy)').id);
    await flow.rest(30);
    isApart(flow, status, 'Mug (Copy)', 'MUG-1');
    isApart(flow, status, 'Mug (Copy) (Copy)', 'MUG-1-1');
  });
}

test('[M1] a plan takes a copy of what was deleted for a product of its own, too', async () => {
  const flow = await copied();
  await flow.rest();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  await flow.rest();
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
  await flow.rest(30);
  const shop = flow.shop('woocommerce');
  shop.faults = { ...shop.faults, delivery: () => ({ delaysMs: [], isLate: false }) };
  shop.outside.duplicateProduct(flow.product('woocommerce', 'Mug (Copy)').id);
  const items = await flow.plan();
  const [, ...second] = items.map(({ action, title }) => [action, title]);
  assert.deepEqual(second, [['create', 'Mug (Copy) (Copy)']]);
  await flow.apply();
  isApart(flow, 'archived', 'Mug (Copy) (Copy)', 'MUG-1-1');
});
