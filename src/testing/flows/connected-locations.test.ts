// The place whose stock is kept the same, when a shop changes its places.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPair } from '../../db/readers/pairs.ts';
import { createPair, deletePair, updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { retryProblem } from '../../engine/runs/retry-problem.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { Refusal } from '../../model/refusal.ts';
import { Story } from './depth/story.ts';

const SKUS = ['MUG', 'BOWL'];

/** Linked with the first of two places; the other one holds far more. */
async function linkedAtHome(story: Story): Promise<{ readonly home: string; readonly shed: string }> {
  for (const sku of SKUS) story.addBoth(sku, { stock: 4 });
  const shed = story.shop.addLocation('Shed');
  for (const sku of SKUS) story.shop.recount(sku, 90, shed);
  const home = story.shop.levelsOf('MUG').find(({ locationId }) => locationId !== shed)?.locationId;
  assert.ok(home);
  await story.link();
  return { home, shed };
}

function placeOf(story: Story): string | null | undefined {
  return findPair(story.world.db, story.world.pairId)?.settings.shopifyLocationId;
}

function openStockProblems(story: Story): readonly { readonly id: string }[] {
  const query = "SELECT id FROM problem WHERE state = 'open' AND code LIKE 'STOCK%'";
  return story.world.db.connection.prepare(query).all() as { id: string }[];
}

test('[S12] a place that becomes the shop’s first one later is not counted in the place of the one that was linked', () =>
  Story.play(
    async (story) => {
      const { home, shed } = await linkedAtHome(story);
      story.shop.deactivateLocation(home);
      story.world.process?.kill();
      story.world.boot();
      // Its stock was carried away before, as Shopify wants it.
      for (const sku of SKUS) story.shop.recount(sku, 0, home);
      await story.rest(HOUR_MS);
      for (const sku of SKUS) assert.equal(story.item('woocommerce', sku).stock, 4);
      assert.equal(placeOf(story), home);
      assert.deepEqual(story.codes(), ['STORE_NEEDS_CARE', 'STORE_REFUSES']);
      assert.match(story.problems()[1]?.message ?? '', /is switched off/);
      assert.throws(
        () => updatePairSettings(story.world.ctx, story.world.pairId, { shopifyLocationId: shed }),
        (error: unknown) => error instanceof Refusal && error.code === 'LOCATION_IN_USE',
      );
    },
    { isRestless: true },
  ));

test('a place that the shop does not have, or has switched off, is refused with those that it has', () =>
  Story.play(
    async (story) => {
      const attic = story.shop.addLocation('Attic');
      story.shop.deactivateLocation(attic);
      const { shed } = await linkedAtHome(story);
      const { ctx, pairId, db } = story.world;
      const pair = findPair(db, pairId) ?? assert.fail();
      deletePair(ctx, pairId);
      const create = (shopifyLocationId: string) => createPair(ctx, { ...pair, settings: { shopifyLocationId } });
      for (const [named, words] of [
        ['gid://nonsense', /^shopifyLocationId: .* has no such location\. Use one of gid:.*\(Shed\), .*or null/],
        ['gid://shopify/Location/9', /has no such location/],
        [attic, /Attic is switched off/],
      ] as const) {
        assert.throws(
          () => create(named),
          (error: unknown) => {
            assert.ok(error instanceof Refusal && error.code === 'VALIDATION');
            assert.match(error.message, words);
            assert.deepEqual(error.details['fields'], [{ field: 'shopifyLocationId', message: error.message }]);
            return true;
          },
        );
      }
      const made = create(shed.split('/').at(-1) ?? '');
      assert.equal(made.settings.shopifyLocationId, shed, 'the number alone is enough');
      assert.throws(() => updatePairSettings(ctx, made.id, { shopifyLocationId: attic }), /Attic is switched off/);
    },
    // The pair of the story is gone.
    { isRestless: true },
  ));

test('[S12] a pair that was linked before places were kept keeps the one that is the first at its store’s next check', () =>
  Story.play(async (story) => {
    const { home, shed } = await linkedAtHome(story);
    const { db, pairId } = story.world;
    db.connection
      .prepare("UPDATE pair SET settings = json_set(settings, '$.shopifyLocationId', NULL) WHERE id = ?")
      .run(pairId);
    story.world.process?.kill();
    story.world.boot();
    story.shop.deactivateLocation(shed);
    await story.rest(5 * MINUTE_MS);
    assert.equal(placeOf(story), home);
    story.shop.placeOrder([{ variant: 'MUG', quantity: 1 }]);
    await story.rest();
    assert.equal(story.item('woocommerce', 'MUG').stock, 3);
  }));

test('[S12] an item that is taken off the linked place is not sold out: its stock stands still, a person is told, and it is linked anew once it is there again', () =>
  Story.play(
    async (story) => {
      const { home } = await linkedAtHome(story);
      await story.rest();
      story.shop.unstock('MUG', home);
      await story.rest();
      const stocks = () => SKUS.map((sku) => story.item('woocommerce', sku).stock);
      assert.deepEqual(stocks(), [4, 4]);
      assert.match(
        story.problems()[0]?.message ?? '',
        /MUG.* is not stocked at the linked location of Shopify any more/,
      );
      assert.match(story.problems()[0]?.remedy ?? '', /^Stock it there again/);
      await story.sync();
      assert.deepEqual(stocks(), [4, 4], 'nor by a full look');
      assert.equal(story.shop.levelsOf('MUG').find(({ locationId }) => locationId === home)?.isActive, false);

      // What is counted there now is what counts once a person has said so.
      story.shop.recount('MUG', 4, home);
      await story.rest();
      for (const { id } of openStockProblems(story)) retryProblem(story.world.ctx, id);
      await story.rest();
      assert.deepEqual(story.codes(), []);
      story.shop.placeOrder([{ variant: 'BOWL', quantity: 1 }]);
      story.shop.recount('MUG', 3, home);
      await story.rest();
      assert.deepEqual(stocks(), [3, 3]);
    },
    { isRestless: true },
  ));

test('[S12] what Shopify keeps at other places only is made in WooCommerce with nothing to sell, and a person is told', () =>
  Story.play(async (story) => {
    await linkedAtHome(story);
    const home = placeOf(story) ?? '';
    const shed = story.shop.levelsOf('MUG').find(({ locationId }) => locationId !== home)?.locationId;
    story.shop.addProduct({ title: 'Vase', sku: 'VASE', price: '5.00', stock: 0 });
    story.shop.recount('VASE', 9, shed);
    story.shop.unstock('VASE', home);
    await story.rest();
    assert.equal(story.item('woocommerce', 'VASE').stock, 0);
    assert.match(
      story.problems().find(({ code }) => code === 'STOCK_LIMITED')?.message ?? '',
      /"Vase" \(VASE\) is stocked in Shopify at other places than the linked location.*WooCommerce sells what it counts itself/,
    );
  }));
