// What becomes of the variants that were removed on the other side, told in the history.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { updatePair } from '../../db/writers/stores.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { haltPair, resumePair } from '../../engine/pairs/halt-pair.ts';
import { ConnectorError } from '../../model/connector-error.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES } from '../../model/platform.ts';
import type { Connector } from '../../ports/connector.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { variant } from '../support/products.ts';
import { EngineFlow } from './engine-flow.ts';
import { faultOnce } from './fault-once.ts';

for (const [answer, fault] of [
  ['is answered', null],
  ['landed and has no answer', { type: 'timeout', when: 'after' }],
  ['did not land and has no answer', { type: 'timeout', when: 'before' }],
] as const)
  test(`[V4, W6] a removed variant is put away with a write that ${answer}: the history and the activity tell of it, once`, async () => {
    const flow = new EngineFlow();
    const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    if (fault !== null) faultOnce(flow.shop('woocommerce'), 'write_variants', fault);
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
    await flow.rest();
    const away = flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M');
    assert.equal(away?.isArchived, true);
    const lines = flow.rows(
      'SELECT sku, "from", "to", cause FROM change JOIN variant ON variant.id = variant_id WHERE target = \'woocommerce\'',
    );
    assert.deepEqual(lines, [{ sku: 'M', from: '"active"', to: '"archived"', cause: 'written' }]);
    const told = flow.rows("SELECT 1 FROM event WHERE type = 'product_written' AND payload LIKE '%archived%'");
    assert.equal(told.length, 1);
  });

for (const [why, off, on] of [
  ['policy says keep', { deletePolicy: 'keep' }, { deletePolicy: 'archive' }],
  ['products are not synced', { syncProducts: false }, { syncProducts: true }],
] as const)
  test(`[V4, T1, P1] a variant that was removed while the ${why} stays and is told, and is put away once the settings allow it`, async () => {
    const flow = new EngineFlow(off);
    const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    const isAway = () =>
      flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M')?.isArchived;
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
    await flow.rest();
    assert.equal(isAway(), false);
    assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
    updatePairSettings(flow.world.life().ctx, PAIR_ID, on);
    await flow.rest();
    assert.equal(isAway(), true);
    assert.deepEqual(flow.problems(), []);
  });

test('[V4, P1] a problem closes with the write that puts the variant away, whatever comes after', async () => {
  const flow = new EngineFlow({ deletePolicy: 'keep' });
  const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  await flow.link();
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
  await flow.rest();
  const { woocommerce } = flow.world.shops;
  const calm = woocommerce.faults;
  woocommerce.faults = { ...calm, delivery: () => ({ delaysMs: [], isLate: false }) };
  transact(flow.world.db, (tx) =>
    updatePair(tx, PAIR_ID, { settings: { ...flow.world.settings, deletePolicy: 'archive' } }),
  );
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Shirt').id, 'title', 'Shirt 2');
  await flow.rest(5);
  assert.deepEqual(flow.problems(), []);
});

test('[V4] a variant that a shop shows again as soon as it is put away is put away once, and not for ever', async () => {
  const { flow, writes } = await answering((all, plain) =>
    plain(all.map((write) => (write.type === 'update' ? { ...write, archiveVariants: [] } : write))),
  );
  await flow.rest(60);
  await flow.scan();
  assert.equal(writes(), 1);
});

test('[V4, P1] a put-away that is refused is a problem for as long as the variant is on sale', async () => {
  const error = new ConnectorError('rejected', 'no', { platformMessage: 'no' });
  const { flow } = await answering(async (all) => all.map(() => ({ ok: false, error })));
  for (let look = 0; look < 2; look += 1) {
    assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
    await flow.scan();
  }
  assert.equal(flow.rows('SELECT 1 FROM problem').length, 1);
  delete flow.hands.woocommerce.writeProducts;
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'M'));
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
});

test('[V4] ... and is tried again with each full look, until it is put away', async () => {
  const error = new ConnectorError('rejected', 'no', { platformMessage: 'no' });
  const { flow, writes } = await answering(async (all) => all.map(() => ({ ok: false, error })));
  assert.equal(writes(), 1);
  await flow.scan();
  assert.equal(writes(), 2);
  await flow.rest(60);
  assert.equal(writes(), 2, 'and not in between');
  delete flow.hands.woocommerce.writeProducts;
  await flow.scan();
  assert.equal(
    flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M')?.isArchived,
    true,
  );
  assert.deepEqual(flow.problems(), []);
});

for (const [how, answer] of [
  ['halted', null],
  ['killed', null],
  ['no answer', { type: 'server_error', when: 'before' }],
  ['too many requests', { type: 'rate_limited', retryAfterMs: 2_000 }],
  ['shut out', { type: 'unauthorized' }],
  ['a page instead of an answer', { type: 'html_404' }],
] as const)
  test(`[V4] a removed variant whose write is cut off (${how}) is put away afterwards, by its signal alone`, async () => {
    const flow = new EngineFlow();
    const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
    await flow.link();
    const { ctx } = flow.world.life();
    let isCut = false;
    const cut = () => {
      if (isCut || flow.rows(`SELECT 1 FROM product_binding WHERE intent LIKE '%"archived":["%'`).length === 0) return;
      isCut = true;
      if (how === 'killed') throw new Error('killed between the transaction and what follows it');
      const at = ctx.clock.now();
      haltPair(ctx, PAIR_ID, { reason: 'mass_delete', side: 'shopify', count: 11, limit: 10, at });
    };
    if (answer === null) ctx.db.hooks.afterCommit.add(cut);
    else faultOnce(flow.shop('woocommerce'), 'write_variants', answer);
    flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
    await flow.rest();
    if (how === 'halted') {
      assert.equal(flow.status(), 'halted');
      resumePair(ctx, PAIR_ID);
    }
    await flow.rest();
    const away = flow.product('woocommerce', 'Shirt').variants.find(({ fields }) => fields.sku === 'M');
    assert.equal(away?.isArchived, true);
  });

for (const side of SIDES)
  test(`[V4] a variant is removed before it is known that it was made in ${side}: it is put away there, or a person is told`, async () => {
    const flow = new EngineFlow();
    flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, [{ sku: 'S', optionValues: ['S'] }]);
    await flow.link();
    faultOnce(flow.shop(side), 'write_variants', { type: 'timeout', when: 'after' });
    const other = flow.shop(otherSide(side));
    const added = { fields: variant({ sku: 'M', optionValues: ['M'] }), stock: { tracked: true, quantity: 3 } };
    other.outside.addVariant(flow.product(otherSide(side), 'Shirt').id, added);
    await flow.world.clock.runFor(20_000);
    other.outside.deleteVariant(flow.item(otherSide(side), 'M'));
    await flow.rest();
    const made = flow.product(side, 'Shirt').variants.find(({ fields }) => fields.sku === 'M');
    assert.ok(made);
    if (side === 'woocommerce') assert.equal(made.isArchived, true);
    else assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
  });

type Writes = Parameters<Connector['writeProducts']>[0];

/** A shirt whose size M was removed in Shopify; how WooCommerce answers to writes that put it away, and how many it got. */
async function answering(
  answer: (all: Writes, plain: Connector['writeProducts']) => ReturnType<Connector['writeProducts']>,
) {
  const flow = new EngineFlow();
  const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  await flow.link();
  const { writeProducts } = flow.connector('woocommerce');
  let count = 0;
  flow.hands.woocommerce.writeProducts = (all, ...rest) => {
    const isPuttingAway = all.some((write) => write.type === 'update' && write.archiveVariants.length > 0);
    if (!isPuttingAway) return writeProducts(all, ...rest);
    count += 1;
    return answer(all, (own) => writeProducts(own, ...rest));
  };
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
  await flow.rest();
  return { flow, writes: () => count };
}

for (const side of SIDES)
  for (const how of ['bin', 'hard'] as const)
    test(`[T3, G8] a delete on ${side} (${how}) whose counterpart could not be put away yet leaves it as it is once the policy is keep`, async () => {
      const flow = new EngineFlow();
      flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
      flow.stock(SIDES, { title: 'Witness' }, [{ sku: 'WITNESS' }]);
      await flow.link();
      const other = otherSide(side);
      flow.hands[other].writeProducts = async (writes) =>
        writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no drafts here') }));
      flow.shop(side).outside.deleteProduct(flow.product(side, 'Mug').id, how);
      await flow.rest(5);
      assert.deepEqual(flow.problems(), ['WRITE_REJECTED']);
      updatePairSettings(flow.world.life().ctx, PAIR_ID, { deletePolicy: 'keep' });
      delete flow.hands[other].writeProducts;
      await flow.rest(60);
      await flow.scan();
      assert.equal(flow.product(other, 'Mug').fields.status, 'active');
      assert.deepEqual(flow.problems(), []);
    });

/** A shirt whose size M was removed in WooCommerce and left in Shopify, which can't put a variant away. */
async function left(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  flow.stock(SIDES, { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.link();
  flow.shop('woocommerce').outside.deleteVariant(flow.item('woocommerce', 'M'));
  await flow.rest();
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
  return flow;
}

test('[V4, P1] a variant that was left is put away with its whole product: that it is on sale is told again once it is', async () => {
  const flow = await left();
  const { id } = flow.product('woocommerce', 'Shirt');
  for (let i = 0; i < 2; i += 1) {
    flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
    await flow.rest();
    assert.equal(flow.product('shopify', 'Shirt').fields.status, 'archived');
    assert.deepEqual(flow.problems(), []);
    await flow.scan();
    assert.deepEqual(flow.problems(), []);
    flow.shop('woocommerce').outside.restore(id);
    await flow.rest();
    assert.equal(flow.product('shopify', 'Shirt').fields.status, 'active');
    assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
  }
  const events = flow.rows("SELECT 1 FROM event WHERE type = 'problem'");
  await flow.scan();
  assert.equal(
    flow.rows("SELECT 1 FROM event WHERE type = 'problem'").length,
    events.length,
    'told, and not each time',
  );
});

test('[V4, P1] ... and stays told where the shop refuses to put the product away, or the policy keeps it', async () => {
  const refusing = await left();
  refusing.hands.shopify.writeProducts = async (writes) =>
    writes.map(() => ({ ok: false, error: new ConnectorError('rejected', 'no') }));
  const keeping = await left({ deletePolicy: 'keep' });
  for (const flow of [refusing, keeping]) {
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Shirt').id, 'bin');
    await flow.rest();
    await flow.scan();
    assert.equal(flow.product('shopify', 'Shirt').fields.status, 'active');
    assert.ok(flow.problems().includes('VARIANT_REMOVED'));
  }
  updatePairSettings(refusing.world.life().ctx, PAIR_ID, { deletePolicy: 'keep' });
  await refusing.rest(60);
  assert.deepEqual(refusing.problems(), ['VARIANT_REMOVED'], 'it is left on sale');
});

test('[V4, P1] ... and where it goes into the bin of the shop that it was left in', async () => {
  const flow = new EngineFlow({ deletePolicy: 'keep' });
  const sizes = ['S', 'M'].map((size) => ({ sku: size, optionValues: [size] }));
  flow.stock(SIDES, { title: 'Shirt', optionNames: ['Size'] }, sizes);
  flow.stock(SIDES, { title: 'Cup' }, [{ sku: 'CUP' }]);
  await flow.link();
  flow.shop('shopify').outside.deleteVariant(flow.item('shopify', 'M'));
  await flow.rest();
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
  const { id } = flow.product('woocommerce', 'Shirt');
  flow.shop('woocommerce').outside.deleteProduct(id, 'bin');
  await flow.rest();
  assert.deepEqual(flow.problems(), []);
  flow.shop('woocommerce').outside.restore(id);
  await flow.rest();
  assert.deepEqual(flow.problems(), ['VARIANT_REMOVED']);
});
