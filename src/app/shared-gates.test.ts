// Whose calls take turns: the directory's gates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreRow } from '../db/schema/store.ts';
import type { StoreId, WorkspaceId } from '../model/ids.ts';
import { openDirectory, shopifyStore } from '../testing/support/directory.ts';

/** The same shop as another workspace has connected it. */
function elsewhere(store: StoreRow, change: Partial<StoreRow> = {}): StoreRow {
  return { ...store, id: 'str_2' as StoreId, workspaceId: 'ws_2' as WorkspaceId, ...change };
}

function wooStore(address: string, identity = 'shop.example'): StoreRow {
  const credentials = { platform: 'woocommerce', url: address, consumerKey: 'ck_0', consumerSecret: 'cs_0' };
  return { ...shopifyStore(), platform: 'woocommerce', address, identity, credentials: JSON.stringify(credentials) };
}

/** How many calls of two stores are under way at once, when neither is answered. */
async function underWay(first: StoreRow, second: StoreRow): Promise<number> {
  let count = 0;
  const directory = openDirectory(() => {
    count += 1;
    return new Promise(() => undefined);
  });
  for (const store of [first, second])
    for (let i = 0; i < 6; i += 1)
      directory
        .forStore(store, null)
        .removeWebhooks('https://twinshelf.example/api/webhooks/str_1')
        .catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  await directory.close();
  return count;
}

test('[A6] two workspaces that have one WooCommerce shop share what it bears; a site that only says it is that shop gets no part in it', async () => {
  const store = wooStore('https://shop.example');
  const alone = await underWay(store, store);
  assert.ok(alone > 0);
  assert.equal(await underWay(store, elsewhere(wooStore('https://www.shop.example'))), alone);
  assert.equal(await underWay(store, elsewhere(wooStore('https://forger.example'))), 2 * alone);
});

test('[A6] two workspaces that have one Shopify shop by one app share its bucket; another app has one of its own', async () => {
  const store = shopifyStore();
  const auth = { type: 'token', accessToken: 'shpat_1' };
  const credentials = JSON.stringify({ platform: 'shopify', shopDomain: store.address, auth });
  const alone = await underWay(store, store);
  assert.ok(alone > 0);
  assert.equal(await underWay(store, elsewhere(store)), alone);
  assert.equal(await underWay(store, elsewhere(store, { credentials })), 2 * alone);
});

test('[A6] what a shop asked for holds until nobody calls it any more, whoever makes a connector anew', async () => {
  let count = 0;
  const directory = openDirectory(async () => {
    count += 1;
    return { status: 429, headers: { 'retry-after': '60' }, body: new Uint8Array() };
  });
  const store = wooStore('https://shop.example');
  const other = elsewhere(wooStore('https://shop.example'));
  const call = () =>
    assert.rejects(directory.forStore(store, null).removeWebhooks('https://twinshelf.example/api/webhooks/str_1'));
  directory.forStore(other, null);
  await call();
  directory.forget(store.id);
  await call();
  assert.equal(count, 1, 'the shop had asked for a minute');
  directory.forget(store.id);
  directory.forget(other.id);
  await call();
  assert.equal(count, 2);
  await directory.close();
});
