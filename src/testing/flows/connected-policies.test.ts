import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import type { ConflictPolicy } from '../../model/pair.ts';
import { Refusal } from '../../model/refusal.ts';
import { Story } from './depth/story.ts';

async function bothEdit(story: Story, sku: string): Promise<void> {
  story.woo.updateProduct(sku, { title: `${sku} of Woo` });
  story.shop.updateProduct(story.item('shopify', sku).productId, { title: `${sku} of Shopify` });
  await story.rest();
}

const titles = (story: Story, sku: string) => [story.item('woocommerce', sku).title, story.item('shopify', sku).title];

test('a conflict under "manual" waits for a person, and is settled each way', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B', 'C', 'D']) story.addBoth(sku);
    await story.link({ conflictResolution: 'manual' });
    for (const sku of ['A', 'B', 'C', 'D']) {
      await bothEdit(story, sku);
      assert.deepEqual(titles(story, sku), [`${sku} of Woo`, `${sku} of Shopify`], 'neither side is written');
      assert.equal(story.conflicts(sku).length, 1);
    }
    // Other fields of the record still go through.
    story.woo.setPrice('A', '11.00');
    story.shop.placeOrder([{ variant: 'A', quantity: 1 }]);
    await story.rest();
    assert.equal(story.item('shopify', 'A').price, 1100);
    assert.deepEqual(story.stock('A'), [9, 9]);

    const resolve = async (sku: string, choice: 'hub' | 'remote' | 'value', value?: unknown) => {
      const [conflict] = story.conflicts(sku);
      assert.ok(conflict);
      resolveConflict(story.world.ctx, {
        conflictId: conflict.id,
        choice,
        expectedVersion: conflict.version,
        ...(value === undefined ? {} : { value }),
      });
      await story.rest();
      assert.equal(story.conflicts(sku).length, 0);
      return conflict;
    };
    const a = await resolve('A', 'hub');
    assert.deepEqual(titles(story, 'A'), [a.hub, a.hub]);
    const b = await resolve('B', 'remote');
    assert.deepEqual(titles(story, 'B'), [b.remote, b.remote]);
    await resolve('C', 'value', 'C of a person');
    assert.deepEqual(titles(story, 'C'), ['C of a person', 'C of a person']);
    // The values meet by themselves.
    story.shop.updateProduct(story.item('shopify', 'D').productId, { title: 'D of Woo' });
    await story.rest();
    assert.equal(story.conflicts('D').length, 0);
    assert.deepEqual(titles(story, 'D'), ['D of Woo', 'D of Woo']);
  }));

test('a conflict that moved while a person was deciding is not settled blindly', () =>
  Story.play(async (story) => {
    story.addBoth('A');
    await story.link({ conflictResolution: 'manual' });
    await bothEdit(story, 'A');
    const [seen] = story.conflicts('A');
    assert.ok(seen);
    const side = seen.side;
    if (side === 'shopify') story.shop.updateProduct(story.item('shopify', 'A').productId, { title: 'A moved' });
    else story.woo.updateProduct('A', { title: 'A moved' });
    await story.rest();
    assert.throws(
      () => resolveConflict(story.world.ctx, { conflictId: seen.id, choice: 'remote', expectedVersion: seen.version }),
      (error: unknown) => error instanceof Refusal && error.code === 'CONFLICT_MOVED',
    );
    const [now] = story.conflicts('A');
    assert.deepEqual([now?.version, now?.remote], [seen.version + 1, 'A moved']);
  }));

const WINNERS: readonly (readonly [ConflictPolicy, string])[] = [
  ['woocommerce', 'A of Woo'],
  ['shopify', 'A of Shopify'],
];

for (const [policy, winner] of WINNERS)
  test(`under "${policy}" its value wins, and the other stands in the history`, () =>
    Story.play(async (story) => {
      story.addBoth('A');
      await story.link({ conflictResolution: policy });
      await bothEdit(story, 'A');
      assert.deepEqual(titles(story, 'A'), [winner, winner]);
      const rows = story.world.db.connection.prepare("SELECT * FROM change WHERE field = 'title'").all();
      const told = JSON.stringify(rows);
      assert.ok(told.includes('A of Woo') && told.includes('A of Shopify'), 'nothing is lost in silence');
    }));

test('a one-way pair never writes to its source; stock stays two-way', () =>
  Story.play(async (story) => {
    story.addBoth('A', { price: '20.00' });
    story.shop.addProduct({ title: 'Only in Shopify', sku: 'ONLY-S', price: '5.00', stock: 1 });
    await story.link({ syncDirection: 'woocommerce_to_shopify' });
    assert.deepEqual(
      story.shelf('woocommerce').map(({ sku }) => sku),
      ['A'],
    );
    story.woo.updateProduct('A', { title: 'From the source' });
    await story.rest();
    assert.equal(story.item('shopify', 'A').title, 'From the source');
    story.shop.updateProduct(story.item('shopify', 'A').productId, { title: 'Drifted' });
    story.shop.setPrice('A', '21.00');
    story.shop.placeOrder([{ variant: 'A', quantity: 4 }]);
    await story.rest();
    assert.deepEqual(titles(story, 'A'), ['From the source', 'Drifted'], 'left alone, and shown');
    assert.deepEqual(
      story.codes().filter((code) => code === 'DRIFT'),
      ['DRIFT', 'DRIFT'],
    );
    assert.deepEqual(story.stock('A'), [6, 6]);
    assert.equal(story.ledger.writes.woocommerce.product, 0);
    story.woo.updateProduct('A', { title: 'From the source again' });
    await story.rest();
    assert.equal(story.ledger.writes.woocommerce.product, 0);
  }));

test('a one-way pair that enforces writes drift over', () =>
  Story.play(async (story) => {
    story.addBoth('A');
    await story.link({ syncDirection: 'shopify_to_woocommerce', enforce: true });
    story.woo.updateProduct('A', { title: 'Drifted' });
    await story.rest();
    assert.deepEqual(titles(story, 'A'), ['Thing A', 'Thing A']);
    assert.equal(story.ledger.writes.shopify.product, 0);
  }));

test('[R11] a plug-in that rounds prices at a target which is enforced: told after three tries, and not written for ever', () =>
  Story.play(async (story) => {
    story.addBoth('A');
    await story.link({ syncDirection: 'shopify_to_woocommerce', enforce: true });
    const host = story.world.shops.hosts.woocommerce;
    const { inject } = host;
    const rounded = (body: string) => body.replace(/"regular_price":"(\d+)\.\d\d"/g, '"regular_price":"$1.99"');
    Object.assign(host, {
      inject: (request: Parameters<typeof inject>[0]) =>
        inject({ ...request, ...(request.body === undefined ? {} : { body: rounded(String(request.body)) }) }),
    });
    story.shop.setPrice('A', '12.50');
    await story.rest(60_000);
    assert.equal(story.ledger.writes.woocommerce.product, 4);
    assert.deepEqual(story.codes(), ['DRIFT']);
    assert.match(story.problems()[0]?.message ?? '', /does not stay on WooCommerce as it is written/);
    story.woo.updateProduct('A', { title: 'Drifted' });
    await story.rest();
    assert.deepEqual(titles(story, 'A'), ['Thing A', 'Thing A'], 'all else is enforced still');
    Object.assign(host, { inject });
    story.shop.setPrice('A', '13.50');
    await story.rest();
    assert.equal(story.item('woocommerce', 'A').price, 1350);
    assert.deepEqual(story.codes(), []);
  }));

/** While we are away: one side deletes for good what the other edits. */
async function deleteAndEdit(story: Story, sku: string): Promise<void> {
  story.world.process?.kill();
  story.woo.updateProduct(sku, { title: `${sku} edited` });
  story.ledger.person(() => story.shop.deleteProduct(story.item('shopify', sku).productId));
  story.world.boot();
  await story.sync();
  await story.sync();
}

test('a delete against an unseen edit: the edit wins, but under "manual"', () =>
  Story.play(async (story) => {
    for (const sku of ['A', 'B']) story.addBoth(sku);
    await story.link({ conflictResolution: 'woocommerce' });
    await deleteAndEdit(story, 'A');
    assert.deepEqual(titles(story, 'A'), ['A edited', 'A edited'], 'made again, once');
    assert.deepEqual(story.stock('A'), [10, 10]);
  }));

for (const choice of ['hub', 'remote'] as const)
  test(`a delete against an unseen edit under "manual": a person says ${choice === 'hub' ? 'keep it' : 'it is gone'}`, () =>
    Story.play(async (story) => {
      for (const sku of ['A', 'B']) story.addBoth(sku);
      await story.link({ conflictResolution: 'manual' });
      await deleteAndEdit(story, 'A');
      assert.equal(story.item('woocommerce', 'A').title, 'A edited');
      const [conflict] = story.conflicts('A');
      assert.equal(conflict?.field, 'deleted');
      resolveConflict(story.world.ctx, { conflictId: conflict.id, choice, expectedVersion: conflict.version });
      await story.rest();
      await story.sync();
      const there = story.shelf('shopify').filter(({ sku }) => sku === 'A');
      assert.deepEqual(
        there.map(({ title }) => title),
        choice === 'hub' ? ['A edited'] : [],
      );
      assert.equal(story.item('woocommerce', 'A').isForSale, choice === 'hub');
      assert.equal(story.conflicts('A').length, 0);
    }));

test('[R11, R12, P2] the target of a one-way pair is given options by hand: it drifts, and its source goes on', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'BOWL']) story.addBoth(sku);
    await story.link({ syncDirection: 'shopify_to_woocommerce' });
    const { productId } = story.item('woocommerce', 'MUG');
    const attributes = [{ name: 'Size', visible: true, variation: true, options: ['S'] }];
    await story.wooApi('PUT', `/products/${productId}`, { type: 'variable', sku: '', attributes });
    const variation = { sku: 'MUG', regularPrice: '10.00', stock: 10, options: { Size: 'S' } };
    story.woo.addVariation(Number(productId), variation);
    await story.rest(90_000);
    story.shop.setPrice('MUG', '33.00', null);
    story.shop.updateProduct(story.item('shopify', 'MUG').productId, { title: 'Better mug' });
    await story.rest();
    const { price, title } = story.item('woocommerce', 'MUG');
    assert.deepEqual([price, title], [3300, 'Better mug - S']);
    assert.deepEqual([...new Set(story.codes())], ['DRIFT']);
  }));
