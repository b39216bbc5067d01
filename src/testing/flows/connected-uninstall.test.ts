import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signBase64 } from '../../connectors/shared/hmac.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { MINUTE_MS } from '../../lib/time.ts';
import { PUBLIC_URL } from './depth/process.ts';
import { SHOP_DOMAIN, SHOP_SECRET } from './depth/shops.ts';
import { Story } from './depth/story.ts';

test('[A2] an app that was removed is told of; news of it that are a day late hold nothing up', () =>
  Story.play(async (story) => {
    story.addBoth('MUG');
    await story.link();
    const { ctx, stores } = story.world;
    const status = () => findStore(ctx.db, stores.shopify)?.status;
    const body = new TextEncoder().encode('{"id":1}');
    const headers = {
      'x-shopify-topic': 'app/uninstalled',
      'x-shopify-shop-domain': SHOP_DOMAIN,
      'x-shopify-webhook-id': 'late-one',
      'x-shopify-hmac-sha256': signBase64(body, SHOP_SECRET),
    };
    assert.equal(
      await story.world.clock.run(
        story.world.receive('shopify', `${PUBLIC_URL}/api/webhooks/${stores.shopify}`, { headers, body }),
      ),
      'stored',
    );
    assert.equal(status(), 'error');
    assert.deepEqual(story.codes(), ['STORE_NO_ACCESS']);
    await story.rest(5 * MINUTE_MS);
    assert.equal(status(), 'connected', 'it lets us in: it was installed again meanwhile');
    assert.deepEqual(story.codes(), []);
    story.shop.placeOrder([{ variant: 'MUG', quantity: 1 }]);
    await story.rest();
    assert.deepEqual(story.stock('MUG'), [9, 9]);
  }));
