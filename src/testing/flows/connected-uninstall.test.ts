import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signBase64 } from '../../connectors/shared/hmac.ts';
import { findStore } from '../../db/readers/pairs.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { PUBLIC_URL } from './depth/process.ts';
import { SHOP_DOMAIN, SHOP_SECRET } from './depth/shops.ts';
import { Story } from './depth/story.ts';

/** All topics that we act on in any way, and one that we don't know. */
const TOPICS = [
  ...['app/uninstalled', 'app/scopes_update', 'shop/update', 'bulk_operations/finish', 'locations/delete'],
  ...['products/create', 'products/update', 'products/delete', 'inventory_items/update'],
  ...['inventory_levels/update', 'inventory_levels/connect', 'inventory_levels/disconnect', 'nonsense'],
];

const statusOf = (story: Story) => findStore(story.world.ctx.db, story.world.stores.shopify)?.status;

function eventsOf(story: Story, type: string): number {
  const row = story.world.db.connection.prepare('SELECT count(*) AS n FROM event WHERE type = ?').get(type);
  return (row as { n: number }).n;
}

let sent = 0;

/** A signature is over the body alone: whoever has seen one delivery can send its bytes again under another topic and id. */
async function sendAs(story: Story, topic: string, { headers, body }: RawDelivery): Promise<void> {
  const { world } = story;
  sent += 1;
  const forged = { ...headers, 'x-shopify-topic': topic, 'x-shopify-webhook-id': `again-${sent}` };
  const url = `${PUBLIC_URL}/api/webhooks/${world.stores.shopify}`;
  assert.equal(await world.clock.run(world.receive('shopify', url, { headers: forged, body })), 'stored');
}

function signed(text: string): RawDelivery {
  const body = new TextEncoder().encode(text);
  return {
    headers: { 'x-shopify-shop-domain': SHOP_DOMAIN, 'x-shopify-hmac-sha256': signBase64(body, SHOP_SECRET) },
    body,
  };
}

test('[A2] news that our app was removed is no more than a reason to ask: a shop that lets us in is not paused for a moment', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const before = eventsOf(story, 'store_health_changed');
    await sendAs(story, 'app/uninstalled', signed('{"id":1}'));
    assert.deepEqual([statusOf(story), story.codes()], ['connected', []]);
    story.shop.placeOrder([{ variant: 'MUG', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('MUG'), [9, 9]);
    assert.deepEqual([statusOf(story), story.codes()], ['connected', []]);
    assert.equal(eventsOf(story, 'store_health_changed'), before, 'nobody was told that it is shut');
  }));

test('[A2] an app that was removed is told of within seconds, by what the shop itself says', () =>
  Story.play(
    async (story) => {
      story.addBoth('MUG');
      await story.link();
      story.shop.uninstallApp();
      await story.rest();
      assert.equal(statusOf(story), 'error');
      assert.deepEqual(story.codes(), ['STORE_NO_ACCESS']);
      assert.match(story.problems()[0]?.message ?? '', /no longer accepts the access token/);
    },
    { isRestless: true },
  ));

test('[A2] ... also where its token is good for a moment yet, and nothing else is asked of the shop', () =>
  Story.play(
    async (story) => {
      const { world } = story;
      story.addBoth('MUG');
      await story.link();
      await sendAs(story, 'app/uninstalled', signed('{"id":1}'));
      await world.clock.runFor(10_000);
      assert.equal(statusOf(story), 'connected', 'the first question was answered');
      // Nothing that recurs asks in its place.
      world.db.connection.prepare("DELETE FROM job WHERE key LIKE 'poll:%'").run();
      story.shop.revokeToken();
      await world.clock.runFor(70_000);
      assert.equal(statusOf(story), 'error');
      assert.deepEqual(story.codes(), ['STORE_NO_ACCESS']);
    },
    { isRestless: true },
  ));

test('[C22, G7] a delivery that is sent again under any other topic leads to a look at most', () =>
  Story.play(async (story) => {
    for (const sku of ['MUG', 'CUP', 'POT']) story.addBoth(sku);
    await story.link();
    const seen = story.world.received.length;
    story.shop.updateProduct(story.item('shopify', 'MUG').productId, { title: 'Mug of the house' });
    story.shop.placeOrder([{ variant: 'CUP', quantity: 1 }]);
    story.shop.updateShop({ name: 'Renamed' });
    await story.rest();
    const captured = story.world.received.slice(seen).filter(({ side }) => side === 'shopify');
    const bodies = new Map(captured.map(({ delivery }) => [delivery.headers['x-shopify-topic'], delivery]));
    assert.ok(bodies.has('products/update') && bodies.has('inventory_levels/update'), [...bodies.keys()].join());
    const shelves = JSON.stringify([story.shelf('woocommerce'), story.shelf('shopify')]);
    const writes = story.ledger.landedWrites();
    const told = eventsOf(story, 'store_health_changed');
    for (const topic of TOPICS)
      for (const delivery of bodies.values()) {
        await sendAs(story, topic, delivery);
        assert.equal(statusOf(story), 'connected', topic);
      }
    await story.rest(120_000);
    assert.deepEqual(story.codes(), []);
    assert.equal(story.ledger.landedWrites() - writes, 0);
    assert.equal(JSON.stringify([story.shelf('woocommerce'), story.shelf('shopify')]), shelves);
    assert.equal(eventsOf(story, 'store_health_changed'), told);
  }));
