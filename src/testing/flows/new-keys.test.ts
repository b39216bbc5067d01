import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { ActivityReply } from '../../contracts/activity.ts';
import type { SessionReply } from '../../contracts/auth.ts';
import type { PairReply } from '../../contracts/pairs.ts';
import type { PlanWithItemsReply } from '../../contracts/plans.ts';
import type { ConnectStoreReply, StoreReply } from '../../contracts/stores.ts';
import type { RunReply } from '../../contracts/sync.ts';
import { createShopifySandbox } from '../../sandbox/shopify/create-shopify-sandbox.ts';
import { createWooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { OWNER, startLinkedApp } from './start-linked-app.ts';
import { eventually, startTestApp } from './start-test-app.ts';

interface Refused {
  readonly error: { readonly code: string; readonly message: string };
}

const OLD = { consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
const NEW = { consumerKey: 'ck_new', consumerSecret: 'cs_new' };

test('keys that were replaced in the shop are replaced here: the pair stays, and what waited goes on', async () => {
  using dir = makeTempDir();
  const woo = createWooSandbox({ currency: 'USD' });
  const shopify = createShopifySandbox({ allowHttpWebhooks: true });
  woo.controls.addProduct({ title: 'Mug', sku: 'MUG', regularPrice: '12.00', stock: 10 });
  shopify.controls.addProduct({ title: 'Mug', sku: 'MUG', price: '12.00', stock: 10 });
  const { url } = await woo.listen();
  const { origin } = await shopify.listen();
  const running = await startTestApp(dir.path);
  let session = '';
  const call = <T>(method: 'GET' | 'POST', path: string, body: object | null = null) =>
    running.call<T>(method, path, body, session);
  try {
    session = (await call<SessionReply>('POST', '/api/auth/signup', OWNER)).body.accessToken;
    const connect = async (form: object) =>
      (await call<ConnectStoreReply>('POST', '/api/stores/connect', form)).body.store._id;
    const wooId = await connect({ name: 'Woo', platform: 'woocommerce', url, ...OLD });
    const shopId = await connect({
      ...{ name: 'Shop', platform: 'shopify', shopDomain: new URL(origin).host },
      ...{ accessToken: 'shpat_sandbox_token', apiSecret: 'sandbox-client-secret' },
    });
    const form = { woocommerceStoreId: wooId, shopifyStoreId: shopId };
    const { pair } = (await call<PairReply>('POST', '/api/pairs', form)).body;
    const { plan } = (await call<PlanWithItemsReply>('POST', `/api/pairs/${pair._id}/plan`)).body;
    const { hash } = await eventually('the plan', async () => {
      const now = (await call<PlanWithItemsReply>('GET', `/api/plans/${plan._id}`)).body.plan;
      return now.status === 'ready' ? now : null;
    });
    await call('POST', `/api/plans/${plan._id}/apply`, { hash });
    const statusOf = async () => (await call<StoreReply>('GET', `/api/stores/${wooId}`)).body.store.status;
    await eventually('the first link', async () =>
      (await call<PairReply>('GET', `/api/pairs/${pair._id}`)).body.pair.status === 'active' ? true : null,
    );

    // Somebody makes a new key in the shop and deletes the old one; a sale meanwhile finds the door shut.
    woo.controls.setKeys([{ key: NEW.consumerKey, secret: NEW.consumerSecret, permissions: 'read_write' }]);
    shopify.controls.placeOrder([{ variant: 'MUG', quantity: 3 }]);
    await call('POST', '/api/sync/manual', { pairId: pair._id });
    await eventually('the error', async () => ((await statusOf()) === 'error' ? true : null));

    const path = `/api/stores/${wooId}/keys`;
    const again = await call<Refused>('POST', '/api/stores/connect', {
      name: 'W',
      platform: 'woocommerce',
      url,
      ...NEW,
    });
    assert.equal(again.body.error.code, 'STORE_ALREADY_CONNECTED');
    assert.match(again.body.error.message, /New keys/);
    const empty = await call<Refused>('POST', path, { accessToken: 'shpat_of_the_other_platform' });
    assert.deepEqual([empty.status, empty.body.error.code], [422, 'VALIDATION']);
    assert.match(empty.body.error.message, /consumerKey/);
    const wrong = await call<Refused>('POST', path, { ...NEW, consumerSecret: 'cs_wrong' });
    assert.deepEqual([wrong.status, wrong.body.error.code], [422, 'STORE_CHECK_FAILED']);
    assert.equal(await statusOf(), 'error');

    const right = await call<ConnectStoreReply>('POST', path, NEW);
    assert.equal(right.status, 200);
    assert.equal(right.body.store.status, 'connected');
    const stock = () => woo.controls.snapshot().shelf.find(({ sku }) => sku === 'MUG')?.stock;
    await eventually('the sale in the other shop', () => (stock() === 7 ? true : null));
    const { activity } = (await call<ActivityReply>('GET', '/api/activity?limit=100')).body;
    assert.ok(activity.some(({ text }) => text === 'Woo has new keys'));
    assert.doesNotMatch(JSON.stringify(running.log.lines), /cs_new|ck_new/);
  } finally {
    await running.app.stop();
    await woo.close();
    await shopify.close();
  }
});

test('[A2] what was asked with the old keys and is refused after they were replaced says nothing of the new ones', async () => {
  using dir = makeTempDir();
  await using linked = await startLinkedApp(dir.path, [{ title: 'Mug', sku: 'MUG' }]);
  const { running, session, woo, shopify, storeIds } = linked;
  const path = `/api/stores/${storeIds.woocommerce}`;

  // Whatever is asked with the old keys is under way when the new ones come, and is answered when they are in place.
  let asked = 0;
  woo.controls.setFault(() => {
    asked += 1;
    return { kind: 'hang', when: 'after', ms: 2_000 };
  });
  woo.controls.setKeys([{ key: NEW.consumerKey, secret: NEW.consumerSecret, permissions: 'read_write' }]);
  shopify.controls.placeOrder([{ variant: 'MUG', quantity: 3 }]);
  const body = { pairId: linked.pairId };
  const { run } = (await running.call<RunReply>('POST', '/api/sync/manual', body, session)).body;
  await eventually('the readings of the sale and of the sync', () => (asked >= 2 ? true : null));
  await new Promise((resolve) => setTimeout(resolve, 300));
  woo.controls.setFault(null);
  const renewed = await running.call<ConnectStoreReply>('POST', `${path}/keys`, NEW, session);
  assert.equal(renewed.body.store.status, 'connected');

  const stock = () => woo.controls.snapshot().shelf.find(({ sku }) => sku === 'MUG')?.stock;
  await eventually('the sale in the other shop', () => (stock() === 7 ? true : null));
  await eventually('the end of the sync', async () => {
    const now = (await running.call<RunReply>('GET', `/api/sync/status/${run._id}`, null, session)).body.run;
    assert.ok(now.status === 'running' || now.status === 'completed', JSON.stringify(now.error));
    return now.status === 'completed' ? true : null;
  });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const { activity } = (await running.call<ActivityReply>('GET', '/api/activity?limit=100', null, session)).body;
  assert.deepEqual(
    activity.filter(({ type }) => type === 'store_health_changed'),
    [],
  );
});

test('the secret of an app may be added later, and is kept when it is left out', async () => {
  using dir = makeTempDir();
  const shopify = createShopifySandbox({ allowHttpWebhooks: true });
  const { origin } = await shopify.listen();
  const running = await startTestApp(dir.path);
  try {
    const session = (await running.call<SessionReply>('POST', '/api/auth/signup', OWNER)).body.accessToken;
    const token = { accessToken: 'shpat_sandbox_token' };
    const form = { name: 'Shop', platform: 'shopify', shopDomain: new URL(origin).host, ...token };
    const { body } = await running.call<ConnectStoreReply>('POST', '/api/stores/connect', form, session);
    const isPolled = ({ findings }: ConnectStoreReply) =>
      findings.some(({ code }) => code === 'WEBHOOK_SECRET_MISSING');
    assert.ok(isPolled(body));
    const hooks = () => shopify.controls.snapshot().subscriptions.length;
    const renew = async (keys: object) =>
      (await running.call<ConnectStoreReply>('POST', `/api/stores/${body.store._id}/keys`, keys, session)).body;
    assert.equal(isPolled(await renew({ ...token, apiSecret: 'sandbox-client-secret' })), false);
    await eventually('webhooks', () => (hooks() > 0 ? true : null));
    assert.equal(isPolled(await renew(token)), false);
    const news = '{"id":1}';
    const signature = createHmac('sha256', 'sandbox-client-secret').update(news).digest('base64');
    const headers = { 'x-shopify-topic': 'products/update', 'x-shopify-hmac-sha256': signature };
    const delivery = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: news };
    assert.equal((await fetch(`${running.app.url}/api/webhooks/${body.store._id}`, delivery)).status, 200);
  } finally {
    await running.app.stop();
    await shopify.close();
  }
});
