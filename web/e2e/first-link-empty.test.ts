import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Shelf } from '../../src/demo/shelf.ts';
import { openShopifyShelf } from '../../src/demo/shopify-shelf.ts';
import { openWooShelf } from '../../src/demo/woo-shelf.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi } from './support/demo.ts';
import { People, signIn } from './support/people.ts';

/** A merchant who begins with two empty shops. */
describe('a first link without anything to write', IN_BROWSER, () => {
  const app = startApp({ ALLOW_LOCAL_STORES: 'on', DEMO: 'off' });
  let open: OpenPage;
  let woo: Shelf;
  let shopify: Shelf;
  before(async () => {
    [woo, shopify] = await Promise.all([openWooShelf('Southfold', []), openShopifyShelf('Southfold on Shopify', [])]);
    open = await app.openPage();
    await signIn(open.page, app.url, await new People(app).owner());
    await open.page.getByText('Put two stores on the same shelf').waitFor();
  });
  after(async () => {
    await Promise.all([woo?.close(), shopify?.close()]);
  });

  test('it can be started from its plan, and the pair is linked from then on', async () => {
    const { page, complaints } = open;
    const connect = async (name: string, { credentials }: Shelf): Promise<string> => {
      const keys = credentials.platform === 'shopify' ? { ...credentials, ...credentials.auth } : credentials;
      const { store } = await callApi<{ store: { _id: string } }>(page, 'POST', '/stores/connect', { name, ...keys });
      return store._id;
    };
    const stores = {
      woocommerceStoreId: await connect('Southfold', woo),
      shopifyStoreId: await connect('Southfold on Shopify', shopify),
    };
    const { pair } = await callApi<{ pair: { _id: string } }>(page, 'POST', '/pairs', stores);
    const { plan } = await callApi<{ plan: { _id: string } }>(page, 'POST', `/pairs/${pair._id}/plan`);
    await page.goto(`${app.url}/plans/${plan._id}`);
    await page.getByText(/Nothing has to be written: start the sync/).waitFor();
    await page.getByRole('button', { name: 'Start the sync' }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('Completed', { exact: true }).first().waitFor();
    const { pair: linked } = await callApi<{ pair: { status: string; linkedAt: string | null } }>(
      page,
      'GET',
      `/pairs/${pair._id}`,
    );
    assert.equal(linked.status, 'active');
    assert.notEqual(linked.linkedAt, null);
    await page.goto(`${app.url}/plans/${plan._id}`);
    await page.getByText('This plan has been applied.', { exact: false }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
