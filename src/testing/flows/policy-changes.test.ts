// Settings that say what waits for a person: where they change, that goes on without anything else happening.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveConflict } from '../../engine/conflicts/resolve-conflict.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { pausePair, resumePair } from '../../engine/pairs/halt-pair.ts';
import type { PairSettings } from '../../model/pair.ts';
import { otherSide, SIDES, type Side } from '../../model/platform.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, { title: 'Mug', status: 'active' }, [{ sku: 'MUG' }]);
  flow.stock(SIDES, { title: 'Bowl', status: 'active' }, [{ sku: 'BOWL' }]);
  return flow.link();
}

async function change(flow: EngineFlow, patch: Partial<PairSettings>): Promise<void> {
  updatePairSettings(flow.world.life().ctx, PAIR_ID, patch);
  await flow.rest();
}

test('[R6, T1] what is held for a person is decided by the policy that takes the place of manual', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  for (const [i, side] of SIDES.entries()) {
    flow.shop(side).outside.editProduct(flow.product(side, 'Mug').id, 'descriptionHtml', `<p>${side}</p>`);
    if (i === 0) flow.world.clock.advance(1_000);
  }
  await flow.rest();
  assert.equal(flow.conflicts().length, 1);
  await change(flow, { conflictResolution: 'manual', rateLimit: 3 });
  assert.equal(flow.conflicts().length, 1);
  await change(flow, { conflictResolution: 'shopify' });
  assert.deepEqual(flow.conflicts(), []);
  for (const side of SIDES) assert.match(flow.product(side, 'Mug').fields.descriptionHtml, /shopify/);
});

test('[G9, T1] a delete against an edit that waits for a person is decided by the policy that takes the place of manual', async () => {
  const flow = await linked({ conflictResolution: 'manual' });
  const id = flow.product('shopify', 'Mug').id;
  flow.shop('shopify').outside.deleteProduct(id, 'hard');
  flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'title', 'Cup');
  await flow.rest();
  assert.equal(flow.conflicts().length, 1);
  await change(flow, { conflictResolution: 'newest' });
  assert.deepEqual(flow.conflicts(), []);
  assert.equal(flow.product('woocommerce', 'Cup').fields.status, 'active');
  assert.equal(flow.product('shopify', 'Cup').fields.title, 'Cup');
});

test('[S8, T1] the setting that zero may be linked to stock is the consent for what waits for it', async () => {
  const flow = new EngineFlow({ stockLinkRule: 'shopify' });
  flow.stock(['woocommerce'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 0 }]);
  flow.stock(['shopify'], { title: 'Mug' }, [{ sku: 'MUG', quantity: 8 }]);
  await flow.link();
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [['STOCK_ZERO_CONSENT'], [0, 8]]);
  await change(flow, { allowZeroStockLink: true });
  assert.deepEqual([flow.problems(), flow.quantities('MUG')], [[], [8, 8]]);
});

test('[G1, G10] a pause gives the guard no new budget', async () => {
  const flow = new EngineFlow();
  const titles = Array.from({ length: 12 }, (_, i) => `Mug ${i + 1}`);
  for (const title of titles) flow.stock(SIDES, { title, status: 'active' }, [{ sku: title }]);
  await flow.link();
  const draft = (title = '') =>
    flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', title).id, 'status', 'draft');
  for (const title of titles.slice(0, 10)) draft(title);
  await flow.rest();
  const { ctx } = flow.world.life();
  pausePair(ctx, PAIR_ID);
  await flow.rest();
  resumePair(ctx, PAIR_ID);
  draft(titles[10]);
  await flow.rest();
  assert.equal(flow.product('shopify', 'Mug 11').fields.status, 'active');
  assert.deepEqual(flow.rows("SELECT json_extract(halt, '$.reason') AS reason FROM pair"), [{ reason: 'mass_draft' }]);
});

for (const linkRule of ['shopify', 'woocommerce'] as const)
  test(`[L1] two texts that only blanks were to be filled between: the link rule becomes "${linkRule}", and a person is asked still`, async () => {
    const flow = new EngineFlow({ linkRule: 'fill_blanks' });
    for (const side of SIDES) flow.stock([side], { title: 'Mug', descriptionHtml: `<p>${side}</p>` }, [{ sku: 'MUG' }]);
    await flow.link();
    await change(flow, { linkRule });
    await flow.scan();
    await flow.lookAt('Mug');
    assert.equal(flow.conflicts().length, 1);
    for (const side of SIDES) assert.equal(flow.product(side, 'Mug').fields.descriptionHtml, `<p>${side}</p>`);
    flow
      .shop('shopify')
      .outside.editProduct(flow.product('shopify', 'Mug').id, 'descriptionHtml', '<p>Shopify, newer</p>');
    await flow.rest();
    assert.deepEqual(flow.conflicts(), []);
    for (const side of SIDES)
      assert.equal(flow.product(side, 'Mug').fields.descriptionHtml, '<p>Shopify, newer</p>', side);
  });

for (const choice of ['hub', 'remote'] as const)
  test(`[R13, R9] a delete on what is the target by now is not decided any more ("${choice}"): nothing would come of it`, async () => {
    const flow = await linked({ conflictResolution: 'manual', syncSchedule: 'manual' });
    flow.shop('shopify').outside.deleteProduct(flow.product('shopify', 'Mug').id, 'hard');
    flow.shop('woocommerce').outside.editProduct(flow.product('woocommerce', 'Mug').id, 'title', 'Cup');
    await flow.scan();
    await change(flow, { syncDirection: 'woocommerce_to_shopify' });
    assert.throws(() => decide(flow, choice), /goes one way by now/);
    await flow.scan();
    assert.deepEqual([flow.conflicts(), flow.problems()], [[], ['DELETED_ON_TARGET']]);
  });

for (const target of SIDES)
  for (const how of ['bin', 'hard'] as const)
    test(`[R9, P1, T1] a person is asked about a delete (${how}) on ${target}, which only receives by now: the question closes at once, and what is so is told`, async () => {
      const flow = await linked({ conflictResolution: 'manual' });
      const source = otherSide(target);
      flow.shop(target).outside.deleteProduct(flow.product(target, 'Mug').id, how);
      flow.shop(source).outside.editProduct(flow.product(source, 'Mug').id, 'title', 'Cup');
      await flow.rest();
      assert.equal(flow.conflicts().length, 1);
      const syncDirection = source === 'shopify' ? 'shopify_to_woocommerce' : 'woocommerce_to_shopify';
      await change(flow, { syncDirection });
      assert.deepEqual([flow.conflicts(), flow.problems()], [[], ['DELETED_ON_TARGET']]);
    });

for (const [what, settings] of [
  ['the pair goes one way by now', { syncDirection: 'woocommerce_to_shopify' }],
  ['details are switched off by now', { syncProducts: false }],
] as const)
  test(`[R13, G12] a product is put on sale again against its delete, and ${what}: no choice is taken that nothing would come of`, async () => {
    const flow = await linked({ conflictResolution: 'manual', syncSchedule: 'manual' });
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
    await flow.scan();
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'status', 'active');
    await flow.scan();
    await change(flow, settings);
    for (const choice of ['hub', 'remote'] as const)
      assert.throws(() => decide(flow, choice), { code: 'CONFLICT_CLOSED' });
    await flow.scan();
    assert.deepEqual(flow.conflicts(), []);
  });

for (const how of ['bin', 'hard'] as const)
  test(`[R13, R9, G9] a product whose delete (${how}) was on what is the source by now is to be kept: its counterpart is left as it is`, async () => {
    const flow = await linked({ conflictResolution: 'manual', syncSchedule: 'manual' });
    const { id } = flow.product('woocommerce', 'Mug');
    flow.shop('woocommerce').outside.deleteProduct(id, how);
    flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'title', 'Cup');
    await flow.scan();
    await change(flow, { syncDirection: 'woocommerce_to_shopify' });
    decide(flow, 'hub');
    await flow.rest();
    await flow.scan();
    assert.equal(flow.product('shopify', 'Cup').fields.status, 'active');
    assert.deepEqual([flow.conflicts(), flow.problems()], [[], []]);
    if (how === 'hard') return;
    flow.shop('woocommerce').outside.restore(id);
    await flow.scan();
    for (const side of SIDES) assert.equal(flow.product(side, 'Mug').fields.status, 'active', side);
  });

test('[R13, R9, G12] a product that is on sale again, against its delete, in what is the source by now can be kept, and not be put away: nothing is written there', async () => {
  const flow = await linked({ conflictResolution: 'manual', syncSchedule: 'manual' });
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
  await flow.scan();
  flow.shop('shopify').outside.editProduct(flow.product('shopify', 'Mug').id, 'status', 'active');
  await flow.scan();
  await change(flow, { syncDirection: 'shopify_to_woocommerce' });
  assert.throws(() => decide(flow, 'remote'), /by hand/);
  decide(flow, 'hub');
  await flow.rest();
  await flow.scan();
  for (const side of SIDES) assert.equal(flow.product(side, 'Mug').fields.status, 'active', side);
  assert.deepEqual([flow.conflicts(), flow.problems()], [[], []]);
});

test('[R13, G8] a conflict of the status of what is left as it is, since its other half was deleted: what puts it on sale is not taken, since it is not done', async () => {
  const flow = await linked({ deletePolicy: 'keep', conflictResolution: 'manual', syncSchedule: 'manual' });
  const edit = (side: Side, status: 'draft' | 'unlisted') =>
    flow.shop(side).outside.editProduct(flow.product(side, 'Mug').id, 'status', status);
  edit('woocommerce', 'unlisted');
  edit('shopify', 'draft');
  await flow.scan();
  flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'bin');
  await flow.scan();
  assert.deepEqual(
    flow.conflicts().map(({ field, side }) => [field, side]),
    [['status', 'shopify']],
  );
  assert.throws(() => decide(flow, 'hub'), /by hand/);
  decide(flow, 'remote');
  await flow.rest();
  assert.equal(flow.product('shopify', 'Mug').fields.status, 'draft');
  assert.deepEqual([flow.conflicts(), flow.problems()], [[], []]);
});

function decide(flow: EngineFlow, choice: 'hub' | 'remote'): void {
  const [conflict] = flow.conflicts();
  assert.ok(conflict);
  const { id, version } = conflict;
  resolveConflict(flow.world.life().ctx, { conflictId: id, expectedVersion: version, choice });
}
