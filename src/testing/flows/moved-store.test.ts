import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditView } from '../../contracts/account.ts';
import type { ActivityReply } from '../../contracts/activity.ts';
import type { RecordReply, RecordsReply } from '../../contracts/records.ts';
import type { ConnectStoreReply, StoreReply } from '../../contracts/stores.ts';
import type { Finding } from '../../model/store-info.ts';
import { createShopifySandbox } from '../../sandbox/shopify/create-shopify-sandbox.ts';
import { createWooSandbox, type WooSandbox } from '../../sandbox/woocommerce/create-woo-sandbox.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { type LinkedApp, startLinkedApp } from './start-linked-app.ts';
import { eventually, startTestApp } from './start-test-app.ts';

interface Refused {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: { readonly findings?: readonly Finding[]; readonly fields?: readonly { field: string }[] };
  };
}

const KEYS = { consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
const PRODUCTS = Array.from({ length: 12 }, (_, i) => ({ title: `Cup ${i}`, sku: `CUP-${i}` }));

/** A shop of its own that holds what the linked one was begun with, under the same ids. */
async function copyOf(products: readonly { title: string; sku: string }[]): Promise<{ woo: WooSandbox; url: string }> {
  const woo = createWooSandbox({ currency: 'USD' });
  for (const one of products) woo.controls.addProduct({ ...one, regularPrice: '12.00', stock: 10 });
  return { woo, url: (await woo.listen()).url };
}

function tools({ running, session, storeIds }: LinkedApp) {
  const call = <T>(method: 'GET' | 'POST', path: string, body: object | null = null) =>
    running.call<T>(method, path, body, session);
  return {
    call,
    move: <T = ConnectStoreReply>(body: object, id = storeIds.woocommerce) =>
      call<T>('POST', `/api/stores/${id}/move`, body),
    async adminUrls() {
      const { records } = (await call<RecordsReply>('GET', '/api/records?limit=100')).body;
      const all = await Promise.all(
        records.map(async ({ _id }) => (await call<RecordReply>('GET', `/api/records/${_id}`)).body.record),
      );
      return all.map(({ woocommerce }) => woocommerce?.adminUrl ?? '');
    },
  };
}

const hooksOf = (woo: WooSandbox) => woo.controls.webhooks().filter(({ status }) => status === 'active').length;

test('a shop that moved keeps its pair, links and history; its webhooks and the pages of its records move along', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, PRODUCTS);
  const { woo: left, shopify, running } = app;
  const { call, move, adminUrls } = tools(app);
  const { woo, url } = await copyOf(PRODUCTS);
  try {
    await eventually('webhooks', () => (hooksOf(left) > 0 ? true : null));
    const oldUrl = left.url();
    assert.ok((await adminUrls()).some((one) => one.startsWith(`${oldUrl}/`)));
    // Shops go on living while they move.
    woo.controls.updateProduct('CUP-3', { title: 'Cup, blue' });

    const moved = await move({ url: `${url}/wp-admin/`, ...KEYS });
    assert.equal(moved.status, 200, JSON.stringify(moved.body));
    assert.equal(moved.body.store.url, url);
    assert.equal(moved.body.store._id, app.storeIds.woocommerce);
    const pages = await adminUrls();
    assert.equal(pages.filter((one) => one.startsWith(`${url}/wp-admin/post.php?post=`)).length, 12);
    assert.ok(pages.every((one) => !one.includes(oldUrl)));
    assert.equal(hooksOf(left), 0, 'the copy that was left behind tells nothing any more');
    await eventually('webhooks at the new address', () => (hooksOf(woo) >= 4 ? true : null));

    const stockOf = (sku: string) => shopify.controls.snapshot().shelf.find((one) => one.sku === sku)?.available;
    woo.controls.placeOrder([{ ref: 'CUP-7', quantity: 3 }]);
    await eventually('the sale in the other shop', () => (stockOf('CUP-7') === 7 ? true : null));
    // What was changed there before anybody told us is found by the look at the whole pair.
    const titleOf = () => shopify.controls.snapshot().shelf.some(({ title }) => title === 'Cup, blue');
    await eventually('the edit of before', () => (titleOf() ? true : null));
    const { activity } = (await call<ActivityReply>('GET', '/api/activity?limit=100')).body;
    assert.ok(activity.some(({ text }) => text === `Garden Shop has moved from ${oldUrl} to ${url}`));
    const { entries } = (await call<{ entries: AuditView[] }>('GET', '/api/workspace/audit')).body;
    assert.ok(entries.some(({ action }) => action === 'store.moved'));
    assert.doesNotMatch(JSON.stringify(running.log.lines), /cs_sandbox|ck_sandbox/);
  } finally {
    await woo.close();
  }
});

test('another shop is never taken for the one that moved: what was looked at is told, and nothing is changed', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, PRODUCTS);
  const { call, move } = tools(app);
  // One has other things under the same ids, one has next to nothing.
  const other = await copyOf(PRODUCTS.map((_, i) => ({ title: `Lamp ${i}`, sku: `LAMP-${i}` })));
  const empty = await copyOf(PRODUCTS.slice(0, 2));
  const twin = await copyOf(PRODUCTS);
  try {
    const before = (await call<StoreReply>('GET', `/api/stores/${app.storeIds.woocommerce}`)).body.store;
    for (const [{ url }, words] of [
      [other, /“Cup \d+” \(\d+\) is not there: its id belongs to “Lamp \d+”/],
      [empty, /“Cup \d+” \(\d+\) is not there\./],
    ] as const) {
      const { status, body } = await move<Refused>({ url, ...KEYS });
      assert.deepEqual([status, body.error.code], [422, 'DIFFERENT_SHOP']);
      assert.match(body.error.message, /of 10 linked products that were looked at are not there/);
      assert.match(body.error.message, words);
      const { findings = [] } = body.error.details;
      assert.equal(findings.length, 10, 'each that was looked at is told');
      assert.equal(new Set(findings.map(({ message }) => message)).size, 10);
      for (const { level, remedy } of findings)
        assert.equal(level === 'ok' ? '' : 'Give the address', remedy.slice(0, 16));
    }
    // Who does not have the stored keys is not sent them: another host, and another port or folder of the same one. A mistyped address is told as one.
    for (const url of [twin.url.replace('127.0.0.1', 'localhost'), twin.url, `${before.url}/~mallory`]) {
      const { status, body } = await move<Refused>({ url });
      assert.equal(status, 422, url);
      assert.equal(body.error.details.fields?.[0]?.field, 'consumerKey');
    }
    assert.equal(twin.woo.stats.total, 0, 'nothing was asked there');
    const sameDomain = await move<Refused>({ shopDomain: new URL(twin.url).host }, app.storeIds.shopify);
    assert.equal(sameDomain.body.error.details.fields?.[0]?.field, 'accessToken');
    for (const url of ['', 'no address', 'ftp://127.0.0.1/'])
      assert.equal((await move<Refused>({ url })).body.error.code, 'VALIDATION', url);
    const wrong = await move<Refused>({ url: twin.url, ...KEYS, consumerSecret: 'cs_wrong' });
    assert.equal(wrong.body.error.code, 'STORE_CHECK_FAILED');
    // The copy as a store of its own: one shop is one store.
    const form = { name: 'Copy', platform: 'woocommerce', url: twin.url, ...KEYS };
    assert.equal((await call('POST', '/api/stores/connect', form)).status, 201);
    const taken = await move<Refused>({ url: twin.url, ...KEYS });
    assert.deepEqual([taken.status, taken.body.error.code], [409, 'STORE_ALREADY_CONNECTED']);
    assert.match(taken.body.error.message, /Copy/);
    const after = (await call<StoreReply>('GET', `/api/stores/${app.storeIds.woocommerce}`)).body.store;
    assert.deepEqual([after.url, after.findings, after.status], [before.url, before.findings, before.status]);
    const same = await move({ url: `${before.url}/wp-admin/` });
    assert.equal(same.status, 200, 'who has the keys needs no others');
    assert.ok(hooksOf(app.woo) > 0);
  } finally {
    await Promise.all([other.woo.close(), empty.woo.close(), twin.woo.close()]);
  }
});

test('a shop whose old address is gone moves; a Shopify shop may have another name; what is linked nowhere just moves', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, PRODUCTS.slice(0, 3));
  const { call, move } = tools(app);
  const twin = await copyOf(PRODUCTS.slice(0, 3));
  const lone = await copyOf([]);
  const [here, there] = await Promise.all(
    [PRODUCTS.slice(0, 3), PRODUCTS.slice(3, 6)].map(async (products) => {
      const shop = createShopifySandbox({ allowHttpWebhooks: true });
      for (const one of products) shop.controls.addProduct({ ...one, price: '12.00', stock: 10 });
      return { shop, shopDomain: new URL((await shop.listen()).origin).host };
    }),
  );
  assert.ok(here && there);
  try {
    await app.woo.close();
    const elsewhere = twin.url.replace('127.0.0.1', 'localhost');
    const moved = await move({ url: elsewhere, ...KEYS });
    assert.equal(moved.status, 200, JSON.stringify(moved.body));
    assert.equal(moved.body.store.url, elsewhere);

    const accessToken = 'shpat_sandbox_token';
    const other = await move<Refused>({ shopDomain: there.shopDomain, accessToken }, app.storeIds.shopify);
    assert.equal(other.body.error.code, 'DIFFERENT_SHOP');
    const renamed = await move({ shopDomain: here.shopDomain, accessToken }, app.storeIds.shopify);
    assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
    await eventually('its webhooks', () => (here.shop.controls.snapshot().subscriptions.length > 0 ? true : null));
    twin.woo.controls.placeOrder([{ ref: 'CUP-1', quantity: 4 }]);
    const stock = () => here.shop.controls.snapshot().shelf.find(({ sku }) => sku === 'CUP-1')?.available;
    await eventually('the sale', () => (stock() === 6 ? true : null));

    const form = { name: 'Lone', platform: 'woocommerce', url: lone.url, ...KEYS };
    const { store } = (await call<ConnectStoreReply>('POST', '/api/stores/connect', form)).body;
    const free = await copyOf(PRODUCTS);
    assert.equal((await move({ url: free.url, ...KEYS }, store._id)).status, 200);
    await free.woo.close();
  } finally {
    await Promise.all([twin.woo.close(), lone.woo.close(), here.shop.close(), there.shop.close()]);
  }
});

test('an address that no store may have can not be moved to either', async () => {
  using dir = makeTempDir();
  const linked = await startLinkedApp(dir.path, PRODUCTS.slice(0, 1));
  const { storeIds, session } = linked;
  const { url } = linked.woo;
  const old = url();
  await linked[Symbol.asyncDispose]();
  const running = await startTestApp(dir.path, { allowLocalStores: false });
  const twin = await copyOf(PRODUCTS.slice(0, 1));
  try {
    const move = (body: object) =>
      running.call<Refused>('POST', `/api/stores/${storeIds.woocommerce}/move`, body, session);
    for (const address of [twin.url, 'http://169.254.169.254/', 'https://10.0.0.1/']) {
      const { status, body } = await move({ url: address, ...KEYS });
      assert.deepEqual([status, body.error.code], [422, 'STORE_CHECK_FAILED'], address);
    }
    const { store } = (await running.call<StoreReply>('GET', `/api/stores/${storeIds.woocommerce}`, null, session))
      .body;
    assert.equal(store.url, old);
    assert.equal(twin.woo.stats.total, 0);
  } finally {
    await running.app.stop();
    await twin.woo.close();
  }
});
