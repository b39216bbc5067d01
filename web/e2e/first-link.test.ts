import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { demoCatalogue } from '../../src/demo/catalogue.ts';
import type { Shelf } from '../../src/demo/shelf.ts';
import { openShopifyShelf } from '../../src/demo/shopify-shelf.ts';
import { openWooShelf } from '../../src/demo/woo-shelf.ts';
import { TEXT } from '../content/messages.en.ts';
import { STORE_SETTINGS } from '../content/store-settings.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi } from './support/demo.ts';
import { focused, until } from './support/waits.ts';

/** The way of a merchant with two stores: sign up, connect both, read the first plan, apply it, sell something. */
describe('two stores of one’s own', IN_BROWSER, () => {
  const app = startApp({ ALLOW_LOCAL_STORES: 'on', DEMO: 'off' });
  let open: OpenPage;
  let woo: Shelf;
  let shopify: Shelf;
  let other: Shelf;
  before(async () => {
    [woo, shopify, other] = await Promise.all([
      openWooShelf('Northfold', demoCatalogue('woocommerce')),
      openShopifyShelf('Northfold on Shopify', demoCatalogue('shopify')),
      openWooShelf('Southfold', []),
    ]);
    open = await app.openPage({ excused: [409, 422] });
  });
  after(async () => {
    await Promise.all([woo?.close(), shopify?.close(), other?.close()]);
  });

  test('sign up; without the demo nothing offers it', async () => {
    const { page } = open;
    await page.goto(`${app.url}/`);
    await page.getByRole('link', { name: 'Start free' }).first().waitFor();
    await page.getByRole('link', { name: 'Open the demo' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Get Started' }).first().click();
    await page.getByLabel('First name').fill('Ida');
    await page.getByLabel('Last name').fill('Berg');
    await page.getByLabel('Email').fill('ida@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Password', { exact: true }).fill('Good-shelf-7');
    await page.getByLabel('Confirm password').fill('Good-shelf-7');
    await page.getByLabel(/^I agree/).check();
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Put two stores on the same shelf').waitFor();
  });

  test('an empty workspace says what to do first, and what has to wait', async () => {
    const { page } = open;
    const steps = page.getByRole('list', { name: 'Setup' }).getByRole('listitem');
    assert.equal(await steps.count(), 4);
    assert.match((await steps.and(page.locator('[aria-current=step]')).textContent()) ?? '', /^1Connect WooCommerce/);
    assert.equal(await steps.getByRole('link').count(), 2, 'nothing can be paired yet');
    assert.equal(await page.getByText('sandbox').count(), 0);
    assert.deepEqual(await audit(page, 'first steps'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Pages that have nothing yet lead back to it.
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    await page.getByRole('link', { name: 'Read a plan' }).click();
    await page.getByRole('link', { name: 'Set up a pair' }).click();
    await steps.first().waitFor();
  });

  test('a wrong key is told where it was typed, and nothing typed is lost', async () => {
    const { page } = open;
    assert.equal(woo.credentials.platform, 'woocommerce');
    if (woo.credentials.platform !== 'woocommerce') return;
    await page.getByRole('link', { name: 'Connect WooCommerce' }).click();
    const sheet = page.getByRole('dialog', { name: 'Connect Your Store' });
    await sheet.getByLabel('Name').fill('Northfold');
    await sheet.getByRole('button', { name: 'Test and connect' }).click();
    await sheet.getByText('Enter the address of your site.').waitFor();
    await sheet.getByLabel('Consumer key').fill(woo.credentials.consumerKey);
    await sheet.getByLabel('Consumer secret').fill('cs_wrong');
    await sheet.getByLabel('Store address').fill('northfold');
    await sheet.getByRole('button', { name: 'Test and connect' }).click();
    await sheet.getByText('"northfold" is no full address: is ".com" or the like missing?', { exact: true }).waitFor();
    await sheet.getByLabel('Store address').fill('http://127.0.0.1:9');
    await sheet.getByRole('button', { name: 'Test and connect' }).click();
    await sheet.getByText(/^Nothing answers at 127\.0\.0\.1 on port 9\. Check the address/).waitFor();
    await focused(sheet.getByLabel('Store address'));
    assert.equal(await sheet.getByRole('alert').count(), 0, 'it is said beside the field, and not once more');
    assert.deepEqual(await audit(page, 'an address that nothing answers at'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await sheet.getByLabel('Store address').fill(` ${woo.credentials.url}/ `);
    await sheet.getByRole('button', { name: 'Test and connect' }).click();
    await sheet.getByRole('alert').waitFor();
    assert.equal(await sheet.getByLabel('Name').inputValue(), 'Northfold');
    await sheet.getByLabel('Consumer secret').fill(woo.credentials.consumerSecret);
    await sheet.getByRole('button', { name: 'Test and connect' }).click();
    await sheet.getByText('Northfold is connected.').waitFor();
    await sheet.getByText('The key may read and write.').waitFor();
  });

  test('then the other store, then the pair, and the first plan opens', async () => {
    const { page } = open;
    if (shopify.credentials.platform !== 'shopify' || shopify.credentials.auth.type !== 'token') return;
    const sheet = page.getByRole('dialog', { name: 'Connect Your Store' });
    // Left here, and come back to.
    await sheet.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    const steps = page.getByRole('list', { name: 'Setup' }).getByRole('listitem');
    await steps.filter({ hasText: 'Done:Connect WooCommerceNorthfold' }).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Needs you' }).count(), 0, 'it is not asked for twice');
    await steps.getByRole('link', { name: 'Connect Shopify' }).click();
    await sheet.getByLabel('Name').fill('Northfold on Shopify');
    await sheet.getByLabel('Store domain').fill(shopify.credentials.shopDomain);
    await sheet.getByLabel('Admin API access token').fill(shopify.credentials.auth.accessToken);
    await sheet.getByLabel('API secret').fill(shopify.credentials.auth.apiSecret ?? '');
    await sheet.getByRole('button', { name: 'Test and connect' }).click();
    await sheet.getByText('Northfold on Shopify is connected.').waitFor();
    await sheet.getByRole('button', { name: 'Pair two stores' }).click();
    const pair = page.getByRole('dialog', { name: 'Configure Sync Pair' });
    await pair.getByLabel('WooCommerce store').locator('option:checked[value^=str_]').waitFor({ state: 'attached' });
    // The public site promises that a person is asked.
    assert.equal(await pair.getByLabel('Where both stores changed the same field').inputValue(), 'manual');
    const error = { code: 'STORE_CHECK_FAILED', message: 'The store is busy.', details: {}, requestId: 'req_1' };
    await page.route('**/api/pairs/*/plan', (route) => route.fulfill({ status: 422, json: { error } }));
    await pair.getByRole('button', { name: 'Save and read the first plan' }).click();
    await pair.getByRole('alert').getByText('The store is busy.').waitFor();
    await page.unroute('**/api/pairs/*/plan');
    await pair.getByRole('button', { name: 'Save and read the first plan' }).click();
    await page.waitForURL(/\/plans\//);
    await page.getByRole('button', { name: /^Apply \d+ changes/ }).waitFor();
    await page.goto(`${app.url}/dashboard`);
    await steps.getByRole('link', { name: 'Read the plan' }).waitFor();
    assert.deepEqual(await audit(page, 'last step'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await steps.getByRole('link', { name: 'Read the plan' }).click();
    await page.getByRole('button', { name: /^Apply \d+ changes/ }).waitFor();
  });

  test('the first plan names creates, links and the rule for stock; applied, both stores agree', async () => {
    const { page } = open;
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.waitForURL(/action=create/);
    await page.getByRole('heading', { level: 3, name: 'Oak chopping board' }).waitFor();
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('button', { name: 'Fields of Stoneware bowl' }).click();
    await page
      .getByRole('table', { name: /Stoneware bowl/ })
      .getByText(/First link: the smaller number/)
      .waitFor();
    await page.getByRole('button', { name: /^Apply \d+ changes/ }).click();
    await page.waitForURL(/\/runs\//);
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page.goto(`${app.url}/records`);
    await page.getByRole('button', { name: /^Level/ }).waitFor();
    assert.deepEqual(
      woo
        .list()
        .map(({ sku }) => sku)
        .toSorted(),
      shopify
        .list()
        .map(({ sku }) => sku)
        .toSorted(),
    );
  });

  test('a sale in the one shop shows in the live activity and in the other shop', async () => {
    const { page } = open;
    // The list of what has happened is answered before the sale, and arrives after it.
    await page.route('**/api/activity?*', async (route) => {
      const response = await route.fetch();
      await setTimeout(2_000);
      await route.fulfill({ response });
    });
    await page.goto(`${app.url}/dashboard`);
    await page.getByText('Live', { exact: true }).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Setup' }).count(), 0, 'the setup is over');
    const stockOf = (shelf: Shelf) => shelf.list().find(({ sku }) => sku === 'CAN-BRASS')?.stock;
    const before = stockOf(shopify) ?? 0;
    woo.act({ type: 'sell', sku: 'CAN-BRASS', quantity: 1 });
    await page.waitForFunction(() => {
      const newest = document.querySelector('ol[aria-label^=Events] li')?.textContent ?? '';
      return newest.includes('Brass watering can') && newest.includes(' in ');
    });
    await until('The sale in the other shop', async () => (stockOf(shopify) === before - 1 ? true : undefined));
    // The page goes on without the delay, and what is on its way ends with it.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a store gets new keys; wrong ones change nothing', async () => {
    const { page } = open;
    if (woo.credentials.platform !== 'woocommerce') return;
    await page.goto(`${app.url}/stores`);
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Northfold', exact: true }) })
      .getByRole('button', { name: 'New keys' })
      .click();
    const sheet = page.getByRole('dialog', { name: 'New keys for Northfold' });
    await sheet.getByRole('button', { name: 'Test and use' }).click();
    await sheet.getByText('Paste the consumer key. It begins with ck_.').waitFor();
    await sheet.getByLabel('Consumer key').fill(woo.credentials.consumerKey);
    await sheet.getByLabel('Consumer secret').fill('cs_wrong');
    await sheet.getByRole('button', { name: 'Test and use' }).click();
    await sheet.getByRole('alert').waitFor();
    await sheet.getByLabel('Consumer secret').fill(woo.credentials.consumerSecret);
    assert.deepEqual(await audit(page, 'new keys'), []);
    await sheet.getByRole('button', { name: 'Test and use' }).click();
    await page.getByText('Northfold has new keys. What waited goes on.').waitFor();
    await sheet.waitFor({ state: 'hidden' });
  });

  test('a shop that moved has another address; another shop is refused with what was looked at', async () => {
    const { page } = open;
    if (woo.credentials.platform !== 'woocommerce' || other.credentials.platform !== 'woocommerce') return;
    await page.setViewportSize({ width: 360, height: 740 });
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Northfold', exact: true }) })
      .getByRole('button', { name: TEXT.moveStore.open })
      .press('Enter');
    const sheet = page.getByRole('dialog', { name: TEXT.moveStore.title('Northfold') });
    await sheet.getByRole('button', { name: TEXT.moveStore.submit }).click();
    await sheet.getByText('Enter the address of your site.').waitFor();
    await sheet.getByLabel('Store address').fill(woo.credentials.url.replace('127.0.0.1', 'localhost'));
    await sheet.getByLabel('Store address').press('Enter');
    await sheet.getByText(/^Enter the keys, too/).waitFor();
    await sheet.getByLabel('Store address').fill(other.credentials.url);
    await sheet.getByLabel('Consumer key').fill(other.credentials.consumerKey);
    await sheet.getByLabel('Consumer secret').fill(other.credentials.consumerSecret);
    await sheet.getByRole('button', { name: TEXT.moveStore.submit }).click();
    await sheet.getByText(/^This is another shop: 10 of 10/).waitFor();
    await sheet
      .getByText(/is not there\.$/)
      .first()
      .waitFor();
    assert.deepEqual(await audit(page, 'new address'), []);
    const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(await isWider(), false);
    await sheet.getByLabel('Store address').fill(woo.credentials.url.replace('127.0.0.1', 'localhost'));
    await sheet.getByLabel('Consumer key').fill(woo.credentials.consumerKey);
    await sheet.getByLabel('Consumer secret').fill(woo.credentials.consumerSecret);
    await sheet.getByLabel('Consumer secret').press('Enter');
    await page.getByText(/^Northfold is at localhost:\d+ now\./).waitFor();
    await sheet.waitFor({ state: 'hidden' });
  });

  test('a store is renamed and its webhooks are limited to addresses; only what changed is sent, and a refusal loses nothing', async () => {
    const { page } = open;
    await page.setViewportSize({ width: 1440, height: 900 });
    const { stores } = await callApi<{ stores: { _id: string; name: string }[] }>(page, 'GET', '/stores');
    const id = stores.find(({ name }) => name === 'Northfold')?._id;
    const path = `**/api/stores/${id}`;
    const sheet = page.getByRole('dialog', { name: /^Settings of/ });
    const [name, sources] = [sheet.getByLabel('Name'), sheet.getByLabel(STORE_SETTINGS.sources)];
    const openSheet = (of: string) =>
      page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: of, exact: true }) })
        .getByRole('button', { name: STORE_SETTINGS.open })
        .press('Enter');
    const save = () => sheet.getByRole('button', { name: STORE_SETTINGS.submit }).click();
    const saved = async (): Promise<unknown> => {
      const [request] = await Promise.all([page.waitForRequest((one) => one.method() === 'PATCH'), save()]);
      await sheet.waitFor({ state: 'hidden' });
      return request.postDataJSON();
    };
    // Unsigned: who is let in is told that, who is not is told so before.
    const knock = async (): Promise<string> => {
      const answer = await fetch(`${app.url}/api/webhooks/${id}`, { method: 'POST', body: '{}' });
      return ((await answer.json()) as { error: { code: string } }).error.code;
    };
    assert.equal(await knock(), 'NOT_AUTHENTIC');
    await openSheet('Northfold');
    await sheet.getByText(STORE_SETTINGS.sourcesRisk).waitFor();
    assert.deepEqual(await audit(page, 'settings of a store'), []);
    await name.fill(' ');
    await sources.fill('203.0.113.0/24\nshop.example.com');
    await save();
    await sheet.getByText(STORE_SETTINGS.nameMissing).waitFor();
    await sheet.getByText(STORE_SETTINGS.noAddress('shop.example.com')).waitFor();
    await focused(name);
    assert.deepEqual(await audit(page, 'refused settings of a store'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await name.fill('Northfold & Sons');
    await sources.fill('203.0.113.0/24, 2001:db8::/32');
    const refuse = (message: string, fields: readonly { field: string; message: string }[]) =>
      page.route(path, (route) => {
        const error = { code: 'VALIDATION', message, details: { fields }, requestId: 'req_1' };
        return route.fulfill({ status: 422, json: { error } });
      });
    await refuse('webhookSources: no.', [{ field: 'webhookSources', message: 'webhookSources: not these' }]);
    await save();
    await sheet.getByText('Not these').waitFor();
    await focused(sources);
    assert.equal(await sheet.getByRole('alert').count(), 0, 'it is said beside the field, and not once more');
    await page.unroute(path);
    await refuse('The store is busy.', []);
    await save();
    await sheet.getByRole('alert').getByText('The store is busy.').waitFor();
    await page.unroute(path);
    assert.deepEqual(
      [await name.inputValue(), await sources.inputValue()],
      ['Northfold & Sons', '203.0.113.0/24, 2001:db8::/32'],
    );
    assert.deepEqual(await saved(), { name: 'Northfold & Sons', webhookSources: ['203.0.113.0/24', '2001:db8::/32'] });
    await page.getByText(STORE_SETTINGS.done('Northfold & Sons'), { exact: true }).waitFor();
    assert.equal(await knock(), 'SOURCE_REFUSED');
    await openSheet('Northfold & Sons');
    assert.equal(await sources.inputValue(), '203.0.113.0/24\n2001:db8::/32');
    await name.fill('Northfold');
    assert.deepEqual(await saved(), { name: 'Northfold' });
    await openSheet('Northfold');
    await sources.fill('');
    assert.deepEqual(await saved(), { webhookSources: [] });
    assert.equal(await knock(), 'NOT_AUTHENTIC');
    await openSheet('Northfold');
    await save();
    await sheet.waitFor({ state: 'hidden' });
  });

  test('its webhooks get another secret after a question, once a day; Shopify’s is made in Shopify', async () => {
    const { page } = open;
    const settings = page.getByRole('button', { name: STORE_SETTINGS.open, exact: true });
    const sheet = page.getByRole('dialog', { name: /^Settings of/ });
    await page.getByRole('listitem').filter({ hasText: 'Northfold on Shopify' }).locator(settings).click();
    await sheet.getByText(STORE_SETTINGS.secretOfShopify).waitFor();
    assert.equal(await sheet.getByRole('button', { name: STORE_SETTINGS.rotate }).count(), 0);
    await sheet.getByRole('button', { name: 'Cancel' }).click();
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Northfold', exact: true }) })
      .locator(settings)
      .click();
    const rotate = sheet.getByRole('button', { name: STORE_SETTINGS.rotate });
    await sheet.getByLabel('Name').fill('Typed before');
    await rotate.press('Enter');
    await focused(sheet.getByText(STORE_SETTINGS.rotateQuestion));
    assert.deepEqual(await audit(page, 'a new secret'), []);
    await sheet.getByRole('button', { name: 'Leave it as it is' }).press('Enter');
    await focused(rotate);
    await rotate.press('Enter');
    await Promise.all([
      page.getByText(STORE_SETTINGS.rotated('Northfold'), { exact: true }).waitFor(),
      sheet.getByRole('button', { name: STORE_SETTINGS.rotateNow }).press('Enter'),
    ]);
    await focused(rotate);
    await rotate.press('Enter');
    await sheet.getByRole('button', { name: STORE_SETTINGS.rotateNow }).press('Enter');
    await sheet.getByRole('alert').getByText('The last rotation is less than a day old. Try again tomorrow.').waitFor();
    assert.deepEqual(await audit(page, 'a secret that was just made'), []);
    assert.equal(await sheet.getByLabel('Name').inputValue(), 'Typed before', 'the rest of the form is as it was');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('a pair is removed after saying what goes; then its stores can be disconnected', async () => {
    const { page } = open;
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('link', { name: 'Configure' }).click();
    const sheet = page.getByRole('dialog', { name: 'Configure Sync Pair' });
    await sheet.getByRole('button', { name: 'Remove this pair' }).click();
    await sheet.getByText(/^Both stores stay connected and keep everything/).waitFor();
    assert.deepEqual(await audit(page, 'remove a pair'), []);
    await sheet.getByLabel('To remove it, type Northfold and Northfold on Shopify').fill('Northfold');
    const remove = sheet.getByRole('button', { name: 'Remove Northfold and Northfold on Shopify' });
    await remove.click();
    await sheet.getByText('Type the name of the pair: Northfold and Northfold on Shopify.').waitFor();
    const name = sheet.getByLabel('To remove it, type');
    await focused(name);
    await name.fill(' northfold and Northfold on Shopify');
    await remove.click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText('0 pairs, 2 stores connected.').waitFor();
    await page.goto(`${app.url}/stores`);
    await page.getByRole('button', { name: 'Disconnect', disabled: false }).first().waitFor();
  });

  test('the page had nothing to complain of', () => {
    assert.deepEqual(open.complaints, []);
  });
});
