import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { watchLargeDeliveries } from '../../engine/signals/large-deliveries.ts';
import type { Side } from '../../model/platform.ts';
import type { RawDelivery } from '../../ports/connector.ts';
import { PUBLIC_URL } from './depth/process.ts';
import { SHOP_SECRET } from './depth/shops.ts';
import { Story } from './depth/story.ts';

const urlOf = (story: Story, side: Side) => `${PUBLIC_URL}/api/webhooks/${story.world.stores[side]}`;

function last(story: Story, side: Side): RawDelivery {
  const delivery = story.world.received.findLast((each) => each.side === side && each.result === 'stored')?.delivery;
  assert.ok(delivery, `a webhook of ${side}`);
  return delivery;
}

function receive(story: Story, side: Side, delivery: RawDelivery): Promise<string | null> {
  return story.world.clock.run(story.world.receive(side, urlOf(story, side), delivery));
}

/** Requests that reached a store while `act` and what follows from it went on. */
async function requestsDuring(story: Story, act: () => Promise<unknown>): Promise<number> {
  const count = () => story.world.shops.woo.stats.total + story.world.shops.shopify.stats.requests;
  const before = count();
  await act();
  await story.rest(5_000);
  return count() - before;
}

async function linked(story: Story): Promise<void> {
  story.addBoth('A');
  await story.link();
  story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
  story.shop.placeOrder([{ variant: 'A', quantity: 1 }]);
  await story.rest();
  assert.deepEqual(story.stock('A'), [8, 8]);
}

test('a webhook with a wrong signature, or none, or changed on the way, causes nothing', () =>
  Story.play(async (story) => {
    await linked(story);
    for (const side of ['woocommerce', 'shopify'] as const) {
      const good = last(story, side);
      const header = side === 'woocommerce' ? 'x-wc-webhook-signature' : 'x-shopify-hmac-sha256';
      const forged = createHmac('sha256', 'a stranger').update(good.body).digest('base64');
      const { [header]: _signature, ...unsigned } = good.headers;
      const changed = new TextEncoder().encode(`${new TextDecoder().decode(good.body)} `);
      const requests = await requestsDuring(story, async () => {
        assert.equal(
          await receive(story, side, { ...good, headers: { ...good.headers, [header]: forged } }),
          'not_authentic',
        );
        assert.equal(await receive(story, side, { ...good, headers: unsigned }), 'not_authentic');
        assert.equal(await receive(story, side, { ...good, body: changed }), 'not_authentic');
      });
      assert.equal(requests, 0);
    }
    const elsewhere = { ...last(story, 'shopify') };
    assert.equal(
      await story.world.clock.run(story.world.receive('shopify', `${PUBLIC_URL}/api/webhooks/str_unknown`, elsewhere)),
      'unknown_store',
    );
    assert.equal(await receive(story, 'woocommerce', elsewhere), 'not_authentic', "one store's secret opens no other");
  }));

test('five webhooks in a row with a wrong signature are told of, until one is right: a mistyped secret shows nowhere else', () =>
  Story.play(async (story) => {
    await linked(story);
    const told = () => story.problems().filter(({ code }) => code === 'WEBHOOKS_REFUSED');
    const good = last(story, 'shopify');
    const forge = async () => {
      const headers = { ...good.headers, 'x-shopify-hmac-sha256': 'bm8=' };
      assert.equal(await receive(story, 'shopify', { ...good, headers }), 'not_authentic');
    };
    for (let i = 0; i < 4; i += 1) await forge();
    await receive(story, 'shopify', good);
    for (let i = 0; i < 4; i += 1) await forge();
    assert.deepEqual(told(), [], 'not in a row');
    for (let i = 0; i < 3; i += 1) await forge();
    assert.equal(told().length, 1);
    assert.match(told()[0]?.message ?? '', /Webhooks of Shopify come signed with another secret.*minutes late/);
    assert.match(told()[0]?.remedy ?? '', /API secret key.*New keys/);
    await receive(story, 'shopify', good);
    assert.deepEqual(told(), []);
  }));

test('what a webhook that was too large told of is found by asking at once, and a thousand of them are one look', () =>
  Story.play(async (story) => {
    await linked(story);
    const note = watchLargeDeliveries(story.world.ctx);
    const { shopify } = story.world.stores;
    story.world.fate = () => 'lost';
    story.shop.updateProduct(story.item('shopify', 'A').productId, { title: 'Large by now' });
    note(shopify);
    await story.rest();
    story.world.fate = () => 'arrives';
    assert.equal(story.item('woocommerce', 'A').title, 'Large by now');
    const requests = await requestsDuring(story, async () => {
      for (let i = 0; i < 1_000; i += 1) note(shopify);
    });
    assert.ok(requests <= 10, `one look, not ${requests} requests`);
  }));

test('a doubled webhook is one look', () =>
  Story.play(async (story) => {
    await linked(story);
    for (const side of ['woocommerce', 'shopify'] as const) {
      const again = last(story, side);
      const requests = await requestsDuring(story, async () => {
        for (let i = 0; i < 3; i += 1) assert.equal(await receive(story, side, again), 'duplicate');
      });
      assert.equal(requests, 0);
    }
    assert.deepEqual(story.stock('A'), [8, 8]);
  }));

test("yesterday's webhook names a record, and its numbers are never used", () =>
  Story.play(async (story) => {
    await linked(story);
    const old = { woocommerce: last(story, 'woocommerce'), shopify: last(story, 'shopify') };
    story.woo.placeOrder([{ ref: 'A', quantity: 5 }]);
    await story.rest();
    assert.deepEqual(story.stock('A'), [3, 3]);
    await story.rest(26 * 3_600_000);
    // As if it had been on its way since yesterday: never seen before, properly signed, and out of date.
    for (const side of ['woocommerce', 'shopify'] as const) {
      const id = side === 'woocommerce' ? 'x-wc-webhook-delivery-id' : 'x-shopify-webhook-id';
      const event = side === 'woocommerce' ? {} : { 'x-shopify-event-id': 'late' };
      assert.equal(
        await receive(story, side, { ...old[side], headers: { ...old[side].headers, [id]: 'late', ...event } }),
        'stored',
      );
    }
    const before = story.ledger.landedWrites();
    await story.rest();
    assert.deepEqual(story.stock('A'), [3, 3]);
    assert.equal(story.ledger.landedWrites(), before);
  }));

test('a webhook of 10 MB, of nonsense, and with ids beyond 2^53', () =>
  Story.play(async (story) => {
    await linked(story);
    const sign = (body: Uint8Array, topic: string): RawDelivery => ({
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': 'shelf.myshopify.com',
        'x-shopify-webhook-id': `id-${body.byteLength}`,
        'x-shopify-event-id': `event-${body.byteLength}`,
        'x-shopify-hmac-sha256': createHmac('sha256', SHOP_SECRET).update(body).digest('base64'),
      },
      body,
    });
    const text = (value: string) => new TextEncoder().encode(value);
    const big = text(
      `{"id":1,"admin_graphql_api_id":"gid://shopify/Product/1","body_html":"${'x'.repeat(10 * 1024 * 1024)}"}`,
    );
    assert.equal(
      await receive(story, 'shopify', sign(big, 'products/update')),
      'stored',
      'the limit on size is the route’s: what gets in does no harm',
    );
    assert.equal(await receive(story, 'shopify', sign(text('{"id":'), 'products/update')), 'stored');
    assert.equal(await receive(story, 'shopify', sign(text('[null,3]'), 'inventory_levels/update')), 'stored');
    const huge = '{"id":9007199254740993,"admin_graphql_api_id":"gid://shopify/Product/9007199254740993"}';
    assert.equal(await receive(story, 'shopify', sign(text(huge), 'products/update')), 'stored');
    await story.rest();
    const jobs = story.world.db.connection.prepare("SELECT key FROM job WHERE key LIKE '%9007199254740992%'").all();
    assert.deepEqual(jobs, [], 'never rounded');
    story.woo.placeOrder([{ ref: 'A', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('A'), [7, 7], 'all goes on');
  }));

test('a store that is told too often that we are down switches webhooks off; they are made anew', () =>
  Story.play(async (story) => {
    await linked(story);
    story.world.fate = () => 'refused';
    for (let i = 0; i < 10; i += 1) {
      story.woo.updateProduct('A', { title: `Title ${i}` });
      await story.rest(2_000);
    }
    assert.ok(story.woo.webhooks().some(({ status }) => status === 'disabled'));
    story.world.fate = () => 'arrives';
    await story.rest(65 * 60_000);
    assert.ok(story.woo.webhooks().every(({ status }) => status === 'active'));
    assert.equal(story.item('shopify', 'A').title, 'Title 9', 'what was missed is polled');
  }));
