import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { findPair, findStore } from '../../db/readers/pairs.ts';
import { updatePairSettings } from '../../engine/pairs/create-pair.ts';
import { enqueueStoreCheck } from '../../engine/stores/check-store.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { Story } from './depth/story.ts';

async function look(story: Story): Promise<void> {
  transact(story.world.ctx.db, (tx) => {
    for (const side of SIDES) enqueueStoreCheck(tx, story.world.stores[side], 0);
  });
  await story.rest();
}

test('a permission that was taken away is told before it is missed, and closes by itself within the hour', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    await look(story);
    assert.deepEqual(story.codes(), [], 'sound stores are not told of');
    story.shop.setGrantedScopes(['write_products', 'read_inventory', 'read_locations', 'write_publications']);
    await look(story);
    assert.deepEqual(story.codes(), ['STORE_NEEDS_CARE']);
    assert.match(story.problems()[0]?.message ?? '', /write_inventory, which writes stock/);
    story.shop.setGrantedScopes(['write_products', 'write_inventory', 'read_locations', 'write_publications']);
    await story.rest(HOUR_MS + 60_000);
    assert.deepEqual(story.codes(), []);
  }));

test('a store that changes its currency or tax basis has its prices held at once, and never copied', () =>
  Story.play(async (story) => {
    story.addBoth('MUG', { price: '10.00' });
    await story.link();
    const syncsPrices = () => findPair(story.world.db, story.world.pairId)?.settings.syncPrices;
    const price = (side: Side) => story.item(side, 'MUG').price;
    story.shop.updateShop({ currencyCode: 'JPY' });
    await story.rest();
    assert.equal(findStore(story.world.db, story.world.stores.shopify)?.info?.currency, 'JPY');
    assert.equal(syncsPrices(), false);
    assert.deepEqual(story.codes(), ['PRICES_HELD']);
    story.woo.setPrice('MUG', '12.00');
    await story.rest();
    assert.notEqual(price('shopify'), price('woocommerce'));
    story.shop.updateShop({ currencyCode: 'USD' });
    await story.rest();
    assert.deepEqual(story.codes(), ['PRICES_HELD'], 'until a person has looked');
    updatePairSettings(story.world.ctx, story.world.pairId, { syncPrices: true });
    await story.rest();
    assert.deepEqual([price('woocommerce'), price('shopify')], [1200, 1200]);
    assert.deepEqual(story.codes(), []);
  }));
