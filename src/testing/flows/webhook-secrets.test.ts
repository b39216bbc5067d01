import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { SessionReply } from '../../contracts/auth.ts';
import type { ConnectStoreReply } from '../../contracts/stores.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { createCipher } from '../../system/cipher.ts';
import { makeTempDir } from '../support/temp-dir.ts';
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
    db.prepare("UPDATE job SET run_at = 0 WHERE task = 'retire_secret'").run();
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

function secretOf(dir: string, storeId: string): string {
  const db = new Database(join(dir, 'twinshelf.db'), { readonly: true });
  const sealed = String(db.prepare('SELECT webhook_secret FROM store WHERE id = ?').pluck().get(storeId));
  db.close();
  const key = Buffer.from(readFileSync(join(dir, 'encryption.key'), 'utf8').trim(), 'hex');
  return createCipher([key]).open(sealed, `store.webhook_secret:${storeId}`);
}

function countDeliveries(dir: string): number {
  const db = new Database(join(dir, 'twinshelf.db'), { readonly: true });
  const count = Number(db.prepare('SELECT count(*) FROM delivery').pluck().get());
  db.close();
  return count;
}
