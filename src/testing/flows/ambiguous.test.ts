// Records that more than one could be meant by: told, and settled by whoever makes their keys unique.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherSide, SIDES } from '../../model/platform.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';

/** One mug in WooCommerce, and two with its SKU in Shopify. */
function threeMugs(): EngineFlow {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 5 }]);
  flow.stock(['shopify'], { title: 'Mug one' }, [{ sku: 'MUG', quantity: 5 }]);
  flow.stock(['shopify'], { title: 'Mug two' }, [{ sku: 'MUG', quantity: 5 }]);
  return flow;
}

function rename(flow: EngineFlow, title: string, sku: string): void {
  flow.shop('shopify').outside.renameSku(flow.product('shopify', title).variants[0]?.stockId ?? '', sku);
}

const renameTwo = (flow: EngineFlow) => rename(flow, 'Mug two', 'MUG-2');

test('[M3, P1] what a plan left to a person is told once it is applied; who corrects one of them has the others linked at once', async () => {
  const correct: Record<string, (flow: EngineFlow) => void> = {
    'renamed there': renameTwo,
    'deleted there': (flow) =>
      flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Mug two').id, 'hard'),
  };
  for (const [how, act] of Object.entries(correct)) {
    const flow = threeMugs();
    await flow.link();
    assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH', 'AMBIGUOUS_MATCH'], how);
    act(flow);
    await flow.rest();
    assert.deepEqual(flow.problems(), [], how);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG'), [3, 3], how);
  }
});

for (const when of ['first', 'second'] as const)
  test(`[M3, P1] what was corrected after the ${when} plan was made is not told when it is applied, and linked`, async () => {
    const flow = threeMugs();
    if (when === 'second') await flow.link();
    await flow.plan();
    renameTwo(flow);
    if (when === 'second') await flow.rest();
    await flow.apply();
    await flow.rest();
    assert.deepEqual(flow.problems(), []);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'MUG'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('MUG'), [3, 3]);
  });

for (const corrected of ['A', 'B'])
  test(`[M3] of two that are known on one side only and share a SKU with one of the other shop, ${corrected} is corrected: the others are linked`, async () => {
    const flow = new EngineFlow({ createOn: { woocommerce: false, shopify: false } });
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    flow.stock(['shopify'], { title: 'A' }, [{ sku: 'X', quantity: 5 }]);
    flow.stock(['shopify'], { title: 'B' }, [{ sku: 'Y', quantity: 5 }]);
    await flow.link();
    await flow.scan();
    rename(flow, 'B', 'X');
    await flow.rest();
    flow.stock(['woocommerce'], { title: 'S' }, [{ sku: 'X', quantity: 5 }]);
    flow.change({ createOn: { woocommerce: true, shopify: true } });
    await flow.scan();
    assert.ok(flow.problems().includes('AMBIGUOUS_MATCH'));
    rename(flow, corrected, 'Z');
    await flow.rest(30);
    assert.deepEqual(flow.problems(), []);
    flow.shop('woocommerce').outside.sell(flow.item('woocommerce', 'X'), 2);
    await flow.rest();
    assert.deepEqual(flow.quantities('X'), [3, 3]);
  });

for (const side of SIDES)
  for (const when of ['before', 'after'] as const)
    test(`[M3, V4] a variant that is a product of its own in ${side} is made so in the other shop, where it was removed ${when} that`, async () => {
      const flow = new EngineFlow();
      flow.stock(SIDES, { optionNames: ['Size'] }, [
        { sku: 'MUG-S', optionValues: ['S'] },
        { sku: 'MUG-M', optionValues: ['M'] },
      ]);
      await flow.link();
      const left = flow.item(otherSide(side), 'MUG-M');
      flow.shop(side).outside.deleteVariant(flow.item(side, 'MUG-M'));
      await flow.rest();
      // What is put away in WooCommerce keeps its SKU from nobody, what is left in Shopify does until somebody deletes it.
      const remove = () => flow.shop(otherSide(side)).outside.deleteVariant(left);
      if (when === 'before') remove();
      await flow.rest();
      flow.stock([side], { title: 'Mug M' }, [{ sku: 'MUG-M', quantity: 9 }]);
      await flow.rest();
      if (when === 'after') {
        assert.equal(flow.problems().includes('AMBIGUOUS_MATCH'), side === 'woocommerce');
        if (side === 'shopify') assert.equal(flow.count('woocommerce'), 2);
        remove();
        await flow.rest();
      }
      assert.deepEqual([flow.problems(), flow.count(otherSide(side))], [[], 2]);
      flow.shop(side).outside.sell(flow.item(side, 'MUG-M'), 2);
      await flow.rest();
      assert.deepEqual(flow.quantities('MUG-M'), [7, 7]);
    });

for (const settle of ['deleted for good', 'given another SKU'])
  test(`[M3, P1] two are made one with variants: what was put away with them is named as what stands in the way, and once it is ${settle} the new one is made`, async () => {
    const flow = new EngineFlow();
    for (const title of ['Bowl', 'Jug', 'Cup']) flow.stock(SIDES, { title }, [{ sku: title.toUpperCase() }]);
    await flow.link();
    const kinds = ['Bowl', 'Jug'];
    for (const title of kinds) flow.shop('shopify').outside.deleteProduct(flow.product('shopify', title).id, 'hard');
    await flow.rest(5);
    const variants = kinds.map((kind) => ({ sku: kind.toUpperCase(), optionValues: [kind] }));
    flow.stock(['shopify'], { title: 'Set', optionNames: ['Kind'] }, variants);
    await flow.rest(5);
    const { message, remedy } = flow.words('AMBIGUOUS_MATCH');
    assert.equal(
      message,
      '"Set" on Shopify could be more than one record by its SKU (BOWL, JUG). It is not linked by guessing.',
    );
    assert.equal(
      remedy,
      'What was put away here when its counterpart was deleted still bears it: "Bowl" on WooCommerce, "Jug" on WooCommerce. Delete it there for good, or give it another SKU.',
    );
    for (const title of kinds) {
      const { id, variants: own } = flow.product('woocommerce', title);
      const { outside } = flow.shop('woocommerce');
      if (settle === 'deleted for good') outside.deleteProduct(id, 'hard');
      else outside.renameSku(own[0]?.stockId ?? '', `OLD-${title}`);
    }
    await flow.rest(5);
    await flow.scan();
    assert.deepEqual(flow.problems(), []);
    assert.equal(flow.product('woocommerce', 'Set').variants.length, 2);
  });

test('[M3, M5, P1] who leads to a record that shares its barcode with another is told which one that is, and not to change a barcode that it does not have', async () => {
  const flow = new EngineFlow();
  const barcode = '4006381333931';
  for (const title of ['Bowl', 'Jug']) {
    const sku = title.toUpperCase();
    flow.stock(['woocommerce'], { title }, [{ sku, ...(title === 'Bowl' ? { barcode } : {}) }]);
    flow.stock(['shopify'], { title: `${title} there` }, [{ sku, barcode }]);
  }
  await flow.plan();
  const planned = flow.rows<{ title: string; data: string }>(
    "SELECT title, data FROM plan_item WHERE action = 'ambiguous' ORDER BY title",
  );
  assert.deepEqual(
    new Set(planned.map(({ data }) => (JSON.parse(data) as { reason: string }).reason)),
    new Set(['barcode']),
  );
  await flow.apply();
  const told = () =>
    flow
      .rows<{ message: string }>("SELECT message FROM problem WHERE state = 'open'")
      .map(({ message }) => message)
      .filter((message) => message.startsWith('"Jug" on WooCommerce'));
  const words =
    '"Jug" on WooCommerce leads to "Jug there" on Shopify, which shares its barcode with another record. It is not linked by guessing.';
  assert.deepEqual(told(), [words]);
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Jug').id, 'tags', ['new']);
  await flow.rest(5);
  assert.deepEqual(told(), [words], 'by the live path, too');
});

for (const side of SIDES)
  for (const sku of ['', 'MUG-M-OLD'])
    test(`[M3, V4, V5, P1] the SKU of what was left of a variant that was removed on ${side} is made ${sku === '' ? 'blank' : 'another one'}: the new product with that SKU is made`, async () => {
      const flow = new EngineFlow({ deletePolicy: 'keep' });
      const other = otherSide(side);
      flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
      flow.stock(SIDES, { title: 'Mug', optionNames: ['Size'] }, [
        { sku: 'MUG-S', optionValues: ['S'] },
        { sku: 'MUG-M', optionValues: ['M'] },
      ]);
      await flow.link();
      const left = flow.item(other, 'MUG-M');
      flow.shop(side).outside.deleteVariant(flow.item(side, 'MUG-M'));
      await flow.rest();
      flow.stock([side], { title: 'Beaker' }, [{ sku: 'MUG-M', quantity: 3 }]);
      await flow.rest();
      assert.deepEqual(flow.problems(), ['AMBIGUOUS_MATCH', 'VARIANT_REMOVED']);
      flow.shop(other).outside.renameSku(left, sku);
      await flow.rest();
      assert.deepEqual(flow.problems(), ['VARIANT_REMOVED'], 'without a full look');
      assert.deepEqual(flow.quantities('MUG-M'), [3, 3]);
      assert.equal(flow.product(other, 'Beaker').variants.length, 1);
      assert.equal(flow.shop(other).shelf.items.get(left)?.variant.fields.sku, sku, 'what was typed there stays');

      // What it was known by is not forgotten: its size is added again, and it is the same one.
      const fields = variant({ sku: sku === '' ? '' : 'MUG-M-NEW', optionValues: ['M'] });
      const stock = { tracked: true, quantity: 4 };
      flow.shop(side).outside.addVariant(flow.product(side, 'Mug').id, { fields, stock });
      await flow.rest();
      await flow.scan();
      assert.deepEqual(flow.problems(), []);
      assert.equal(flow.shop(other).shelf.items.get(left)?.variant.quantity, 4);
      assert.equal(flow.product(other, 'Mug').variants.length, 2);
    });

test('[M3, P1] what a person is told of a key follows what becomes of the one that bears it, too', async () => {
  const flow = new EngineFlow();
  const barcode = '4006381333931';
  flow.stock(SIDES, { title: 'Rail', status: 'active' }, [{ sku: 'RAIL', barcode }]);
  flow.stock(SIDES, { title: 'Bowl', status: 'active' }, [{ sku: 'BOWL' }]);
  await flow.link();
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Rail').id, 'bin');
  await flow.rest(5);
  flow.stock(['woocommerce'], { title: 'Rail new', status: 'active' }, [{ sku: 'RAIL-2', barcode }]);
  await flow.rest(5);
  assert.match(flow.words('AMBIGUOUS_MATCH').remedy, /Delete it there for good/);
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Rail').id, 'status', 'active');
  await flow.rest(5);
  assert.doesNotMatch(flow.words('AMBIGUOUS_MATCH').remedy, /Delete it there/, 'it is on sale, and linked');
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Rail').id, 'bin');
  await flow.rest(5);
  assert.match(flow.words('AMBIGUOUS_MATCH').remedy, /Delete it there for good/);
});
