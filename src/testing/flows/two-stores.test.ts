import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionReply } from '../../contracts/auth.ts';
import type { PlanWithItemsReply } from '../../contracts/plans.ts';
import type { ConnectStoreReply, Store } from '../../contracts/stores.ts';
import type { HistoryReply, RunReply } from '../../contracts/sync.ts';
import { createShopifySandbox } from '../../sandbox/shopify/create-shopify-sandbox.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { eventually, startTestApp } from './start-test-app.ts';

const FORM = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  password: 'Secret-12',
  confirmPassword: 'Secret-12',
  agreeToTerms: true,
};

test('sign up, connect two local stores, pair, plan, apply, sell on both sides, restart, sell again', async () => {
  using dir = makeTempDir();
  const woo = createWooSandbox({ currency: 'USD' });
  const shopify = createShopifySandbox({ allowHttpWebhooks: true });
  woo.controls.addProduct({ title: 'Mug', sku: 'MUG', regularPrice: '12.00', stock: 10 });
  woo.controls.addProduct({ title: 'Bowl', sku: 'BOWL', regularPrice: '20.00', stock: 5 });
  shopify.controls.addProduct({ title: 'Mug', sku: 'MUG', price: '12.00', stock: 10 });
  const { url } = await woo.listen();
  const { origin } = await shopify.listen();
  const wooStock = (sku: string) => woo.controls.listShelf().find((row) => row.sku === sku)?.stock;
  const shopStock = (sku: string) => shopify.controls.listShelf().find((row) => row.sku === sku)?.available;
  const becomes = (what: string, read: () => unknown, want: unknown) =>
    eventually(`${what} = ${want} (is ${String(read())})`, () => (read() === want ? true : null));

  let running = await startTestApp(dir.path);
  try {
    const session = await running.call<SessionReply>('POST', '/api/auth/signup', FORM);
    assert.equal(session.status, 201);
    let token = session.body.accessToken;
    const connect = async (form: object) => {
      const reply = await running.call<ConnectStoreReply>('POST', '/api/stores/connect', form, token);
      assert.equal(reply.status, 201, JSON.stringify(reply.body));
      return reply.body.store;
    };
    const form = { name: 'Woo', platform: 'woocommerce', url, consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
    const wooStore = await connect(form);
    const shopStore: Store = await connect({
      name: 'Shop',
      platform: 'shopify',
      shopDomain: new URL(origin).host,
      accessToken: 'shpat_sandbox_token',
      apiSecret: 'sandbox-client-secret',
    });
    const again = await running.call('POST', '/api/stores/connect', form, token);
    assert.equal(again.status, 409);
    const wrong = await running.call('POST', '/api/stores/connect', { ...form, consumerSecret: 'cs_wrong' }, token);
    assert.equal(wrong.status, 422, JSON.stringify(wrong.body));

    const pair = await running.call<{ pair: { _id: string } }>(
      'POST',
      '/api/pairs',
      { woocommerceStoreId: wooStore._id, shopifyStoreId: shopStore._id, syncDirection: 'bidirectional' },
      token,
    );
    assert.equal(pair.status, 201, JSON.stringify(pair.body));
    const pairId = pair.body.pair._id;
    const early = await running.call('POST', '/api/sync/manual', { pairId }, token);
    assert.equal(early.status, 409);
    const planned = await running.call<PlanWithItemsReply>('POST', `/api/pairs/${pairId}/plan`, null, token);
    assert.equal(planned.status, 202);
    const plan = await eventually('the plan', async () => {
      const reply = await running.call<PlanWithItemsReply>('GET', `/api/plans/${planned.body.plan._id}`, null, token);
      return reply.body.plan.status === 'planning' ? null : reply.body.plan;
    });
    assert.equal(plan.status, 'ready', JSON.stringify(plan));
    assert.equal(plan.counts.shopify.create, 1);
    const mismatch = await running.call('POST', `/api/plans/${plan._id}/apply`, { hash: 'other' }, token);
    assert.equal(mismatch.status, 409);
    const applied = await running.call<RunReply>('POST', `/api/plans/${plan._id}/apply`, { hash: plan.hash }, token);
    assert.equal(applied.status, 202);
    const run = await finished(applied.body.run._id);
    assert.equal(run.status, 'completed', JSON.stringify(run));
    assert.equal(shopStock('BOWL'), 5);

    await eventually('webhooks on both sides', () =>
      woo.controls.webhooks().length >= 4 && shopify.controls.snapshot().subscriptions.length >= 3 ? true : null,
    );
    woo.controls.placeOrder([{ ref: 'MUG', quantity: 2 }]);
    await becomes('Shopify mugs', () => shopStock('MUG'), 8);
    shopify.controls.placeOrder([{ variant: 'BOWL', quantity: 1 }]);
    await becomes('WooCommerce bowls', () => wooStock('BOWL'), 4);

    await running.app.stop();
    assert.equal((await fetch(running.app.url).catch(() => null)) === null, true, 'nobody listens any more');
    woo.controls.placeOrder([{ ref: 'MUG', quantity: 1 }]);
    running = await startTestApp(dir.path);
    const login = await running.call<SessionReply>('POST', '/api/auth/login', {
      username: FORM.email,
      password: FORM.password,
    });
    token = login.body.accessToken;
    const manual = await running.call<RunReply>('POST', '/api/sync/manual', { pairId }, token);
    assert.equal(manual.status, 202, JSON.stringify(manual.body));
    assert.equal((await finished(manual.body.run._id)).status, 'completed');
    await becomes('Shopify mugs after the outage', () => shopStock('MUG'), 7);
    const history = await running.call<HistoryReply>('GET', '/api/sync/history', null, token);
    assert.deepEqual(
      history.body.syncLogs.map((log) => log.trigger),
      ['manual', 'initial'],
    );
    for (const path of [
      '/api/dashboard/overview',
      '/api/records',
      '/api/activity',
      '/api/stores',
      '/api/pairs',
      '/api/sync/queue/status',
    ]) {
      assert.equal((await running.call('GET', path, null, token)).status, 200, path);
    }
    const text = running.log.text();
    for (const secret of ['cs_sandbox', 'shpat_sandbox_token', 'sandbox-client-secret', FORM.password, token]) {
      assert.ok(!text.includes(secret), `${secret} is in the log`);
    }

    async function finished(runId: string) {
      return eventually('the run', async () => {
        const reply = await running.call<RunReply>('GET', `/api/sync/status/${runId}`, null, token);
        return reply.body.run.status === 'running' ? null : reply.body.run;
      });
    }
  } finally {
    await running.app.stop();
    await woo.close();
    await shopify.close();
  }
});
