import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPair } from '../../db/readers/pairs.ts';
import { LINK_RULES, type PairSettings } from '../../model/pair.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import type { BackorderRule } from '../../model/product.ts';
import { PAIR_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

/** What WooCommerce, Shopify and the hub hold. */
function rules(flow: EngineFlow): readonly (BackorderRule | undefined)[] {
  const shown = SIDES.map((side) => flow.shop(side).shelf.items.get(flow.item(side, 'MUG'))?.variant.fields.backorders);
  return [...shown, Object.values(flow.hub('Mug').row.data.variants)[0]?.backorders];
}

async function linked(settings: Partial<PairSettings> = {}): Promise<EngineFlow> {
  const flow = new EngineFlow(settings);
  flow.stock(SIDES, {}, [{ sku: 'MUG', backorders: 'yes' }]);
  return flow.link();
}

const count = (flow: EngineFlow, side: Side, isTracked: boolean) =>
  flow.shop(side).outside.setTracked(flow.item(side, 'MUG'), isTracked);

const allow = (flow: EngineFlow, side: Side, backorders: BackorderRule) =>
  flow.shop(side).outside.editVariant(flow.item(side, 'MUG'), 'backorders', backorders);

const written = (flow: EngineFlow) => SIDES.map((side) => flow.ours(side));

test('[R17] WooCommerce stops counting an item: its rule for backorders stays in the hub and in Shopify, and is back with the counting', async () => {
  for (const change of [{}, { conflictResolution: 'manual' }, { syncInventory: false }] as const) {
    const flow = await linked(change);
    const before = written(flow);
    count(flow, 'woocommerce', false);
    await flow.rest();
    await flow.lookAt('Mug');
    await flow.scan();
    assert.deepEqual(rules(flow), ['no', 'yes', 'yes']);
    assert.deepEqual(written(flow), before, 'neither shop is written');
    assert.deepEqual([flow.conflicts(), flow.changes('backorders')], [[], []]);
    const { compared, equal } = findPair(flow.world.db, PAIR_ID)?.accuracy ?? {};
    assert.equal(equal, compared, 'it counts as kept the same');
    count(flow, 'woocommerce', true);
    await flow.rest();
    assert.deepEqual(rules(flow), ['yes', 'yes', 'yes']);
    assert.deepEqual(
      flow.changes('backorders').map(({ to, cause, target }) => [to, cause, target]),
      [['yes', 'written', 'woocommerce']],
    );
  }
});

test('[R17] a rule that is changed in Shopify meanwhile is kept, and written once WooCommerce counts the item', async () => {
  const flow = await linked();
  count(flow, 'woocommerce', false);
  await flow.rest();
  allow(flow, 'shopify', 'no');
  await flow.rest();
  allow(flow, 'shopify', 'yes');
  await flow.rest();
  assert.deepEqual(rules(flow), ['no', 'yes', 'yes']);
  assert.equal(flow.ours('woocommerce', 'set_field'), 0);
  count(flow, 'woocommerce', true);
  await flow.rest();
  assert.deepEqual(rules(flow), ['yes', 'yes', 'yes']);
});

test('[R17] Shopify shows its rule whether it counts the item or not', async () => {
  const flow = await linked();
  count(flow, 'shopify', false);
  await flow.rest();
  assert.deepEqual(rules(flow), ['yes', 'yes', 'yes']);
  allow(flow, 'woocommerce', 'no');
  await flow.rest();
  assert.deepEqual(rules(flow), ['no', 'no', 'no']);
});

test('[R17] a first link by any rule, in either direction, leaves Shopify the rule that WooCommerce cannot show', async () => {
  const changes: readonly Partial<PairSettings>[] = [
    ...LINK_RULES.map((linkRule) => ({ linkRule })),
    { linkRule: 'fill_blanks', conflictResolution: 'manual' },
    { syncDirection: 'woocommerce_to_shopify' },
    { syncDirection: 'woocommerce_to_shopify', enforce: true },
    { syncDirection: 'shopify_to_woocommerce' },
  ];
  for (const change of changes) {
    const flow = new EngineFlow(change);
    flow.stock(['woocommerce'], {}, [{ sku: 'MUG', tracked: false }]);
    flow.stock(['shopify'], {}, [{ sku: 'MUG', backorders: 'yes' }]);
    await flow.link();
    await flow.scan();
    assert.deepEqual(rules(flow), ['no', 'yes', 'yes'], JSON.stringify(change));
    assert.deepEqual([flow.conflicts(), flow.problems()], [[], ['STOCK_TRACKING_DIFFERS']], JSON.stringify(change));
  }
});

test('[R17] what is made anew on a side that does not count it begins without a rule, and gets it with the counting', async () => {
  const flow = new EngineFlow();
  flow.stock(['shopify'], {}, [{ sku: 'MUG', tracked: false, backorders: 'yes' }]);
  await flow.link();
  assert.deepEqual(rules(flow), ['no', 'yes', 'yes']);
  const before = written(flow);
  await flow.scan();
  assert.deepEqual(written(flow), before);
  count(flow, 'woocommerce', true);
  await flow.rest();
  assert.deepEqual(rules(flow), ['yes', 'yes', 'yes']);
});

test('[R17, G9] what a side cannot show is no edit that a delete on it had not seen', async () => {
  for (const change of [{}, { syncInventory: false }]) {
    const flow = await linked(change);
    flow.stock(SIDES, { title: 'Bowl' }, [{ sku: 'BOWL' }]);
    await flow.scan();
    count(flow, 'woocommerce', false);
    await flow.rest();
    flow.shop('woocommerce').outside.deleteProduct(flow.product('woocommerce', 'Mug').id, 'hard');
    await flow.scan();
    await flow.scan();
    assert.equal(flow.product('shopify', 'Mug').fields.status, 'archived', JSON.stringify(change));
  }
});
