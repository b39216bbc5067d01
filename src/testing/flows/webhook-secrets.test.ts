import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { SessionReply } from '../../contracts/auth.ts';
import type { ConnectStoreReply } from '../../contracts/stores.ts';
import { findStore } from '../../db/readers/pairs.ts';
import { renewCredentials } from '../../engine/stores/renew-credentials.ts';
import { HOUR_MS } from '../../lib/time.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { createCipher } from '../../system/cipher.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { SHOP_DOMAIN, SHOP_SECRET, SHOP_TOKEN } from './depth/shops.ts';
import { DepthWorld } from './depth/world.ts';
import { eventually, startTestApp } from './start-test-app.ts';

const FORM = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ...{ password: 'Secret-12', confirmPassword: 'Secret-12', agreeToTerms: true },
};

test('after a rotation the store signs with the new secret, and what waits under the old one is still taken', async () => {
  using dir = makeTempDir();
  const woo = createWooSandbox({ currency: 'USD' });
  woo.controls.addProduct({ title: 'Mug', sku: 'MUG', regularPrice: '12.00', stock: 10 });
  const { url } = await woo.listen();
  let running = await startTestApp(dir.path);
  try {
    const { accessToken } = (await running.call<SessionReply>('POST', '/api/auth/signup', FORM)).body;
    const form = { name: 'Woo', platform: 'woocommerce', url, consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
    const { store } = (await running.call<ConnectStoreReply>('POST', '/api/stores/connect', form, accessToken)).body;
    const hooks = () => woo.controls.webhooks().filter((hook) => hook.status === 'active').length;
    await eventually('webhooks', () => (hooks() >= 4 ? true : null));
    const oldSecret = secretOf(dir.path, store._id);
    const path = `/api/stores/${store._id}/rotate-webhook-secret`;
    assert.equal((await running.call('POST', path, null, accessToken)).status, 200);
    const newSecret = secretOf(dir.path, store._id);
    assert.notEqual(newSecret, oldSecret);
    // The store itself signs with it: a sale is told, and taken.
    const delivered = () => countDeliveries(dir.path);
    const before = delivered();
    await eventually('a delivery under the new secret', () => {
      woo.controls.placeOrder([{ ref: 'MUG', quantity: 1 }]);
      return delivered() > before ? true : null;
    });
    const deliver = async (secret: string, id: string) => {
      const body = JSON.stringify({ id: 1, type: 'simple' });
      const headers = {
        'content-type': 'application/json',
        'x-wc-webhook-topic': 'product.updated',
        'x-wc-webhook-resource': 'product',
        'x-wc-webhook-event': 'updated',
        'x-wc-webhook-delivery-id': id,
        'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
      };
      const reply = await fetch(`${running.app.url}/api/webhooks/${store._id}`, { method: 'POST', headers, body });
      return reply.status;
    };
    assert.equal(await deliver(newSecret, 'a'), 200);
    assert.equal(await deliver(oldSecret, 'b'), 200, 'it was on its way');
    assert.equal(await deliver('another', 'c'), 401);
    const again = await running.call<{ error: { code: string } }>('POST', path, null, accessToken);
    assert.equal(again.body.error.code, 'ROTATION_UNDER_WAY');
    const db = new Database(join(dir.path, 'twinshelf.db'));
    const job = db.prepare("SELECT run_at FROM job WHERE task = 'retire_secret'").pluck().get();
    assert.ok(Math.abs(Number(job) - Date.now() - 86_400_000) < 60_000, 'the old one is dropped in a day');
    // As if a day had passed.
    db.prepare("UPDATE job SET run_at = 0 WHERE task = 'retire_secret'").run();
    const old = JSON.stringify([{ secret: oldSecret, until: 0 }]);
    const sealed = cipherOf(dir.path).seal(old, `store.webhook_secret:${store._id}`);
    db.prepare('UPDATE store SET webhook_secret_previous = ?').run(sealed);
    db.close();
    // The next start takes up what is due.
    await running.app.stop();
    running = await startTestApp(dir.path);
    await eventually('the end of the old secret', async () =>
      (await deliver(oldSecret, `e${Date.now()}`)) === 401 ? true : null,
    );
    assert.equal(await deliver(newSecret, 'f'), 200);
  } finally {
    await running.app.stop();
    await woo.close();
  }
});

test('an app whose secret is renewed twice within a day: each old one is good for a day of its own', async () => {
  const world = await DepthWorld.open();
  try {
    await world.pairUp();
    const { shopify: storeId } = world.stores;
    const renew = (apiSecret: string) => {
      const auth = { type: 'token', accessToken: SHOP_TOKEN, apiSecret } as const;
      const credentials = { platform: 'shopify', shopDomain: SHOP_DOMAIN, auth } as const;
      return world.clock.run(renewCredentials(world.ctx, storeId, credentials));
    };
    const goodOf = () => {
      const store = findStore(world.db, storeId);
      assert.ok(store !== null);
      const connector = world.ctx.connectors.forStore(store, null);
      const body = Buffer.from('{"id":1}');
      return [SHOP_SECRET, 'second', 'third'].filter((secret) => {
        const signature = createHmac('sha256', secret).update(body).digest('base64');
        const headers = { 'x-shopify-topic': 'products/update', 'x-shopify-hmac-sha256': signature };
        return connector.verifyDelivery({ headers, body }) !== null;
      });
    };
    await renew('second');
    await world.clock.runFor(20 * HOUR_MS);
    await renew('third');
    assert.deepEqual(goodOf(), [SHOP_SECRET, 'second', 'third']);
    await world.clock.runFor(4 * HOUR_MS + 60_000);
    assert.deepEqual(goodOf(), ['second', 'third'], 'a day after the first renewal');
    await world.clock.runFor(19 * HOUR_MS);
    assert.deepEqual(goodOf(), ['second', 'third']);
    await world.clock.runFor(HOUR_MS);
    assert.deepEqual(goodOf(), ['third'], 'a day after the second');
    await renew('fourth');
    await renew('third');
    assert.deepEqual(goodOf(), ['third'], 'one that is good again is not old');
    await world.clock.runFor(25 * HOUR_MS);
    assert.deepEqual(goodOf(), ['third']);
  } finally {
    await world.close();
  }
});

function secretOf(dir: string, storeId: string): string {
  const db = new Database(join(dir, 'twinshelf.db'), { readonly: true });
  const sealed = String(db.prepare('SELECT webhook_secret FROM store WHERE id = ?').pluck().get(storeId));
  db.close();
  return cipherOf(dir).open(sealed, `store.webhook_secret:${storeId}`);
}

function cipherOf(dir: string) {
  return createCipher([Buffer.from(readFileSync(join(dir, 'encryption.key'), 'utf8').trim(), 'hex')]);
}

function countDeliveries(dir: string): number {
  const db = new Database(join(dir, 'twinshelf.db'), { readonly: true });
  const count = Number(db.prepare('SELECT count(*) FROM delivery').pluck().get());
  db.close();
  return count;
}
