import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import type { OpenPage } from './support/browser.ts';
import { act, bay } from './support/demo.ts';
import { People, signIn } from './support/people.ts';
import { pressUnlessGone } from './support/waits.ts';

describe('demo data in a workspace of its own', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage({ excused: [422, 429] });
    await signIn(open.page, app.url, await new People(app).owner());
  });

  const card = () => open.page.getByRole('region', { name: 'Put two stores on the same shelf' });
  const actions = () => open.page.getByRole('region', { name: 'Quick Actions' });

  test('where it could not be added that is said, and nothing else changes', async () => {
    const { page } = open;
    await page.route('**/api/demo/data', (route) => {
      const message = 'All 20 demo places are taken. One is free in 3 minutes if nobody uses it until then.';
      return route.fulfill({
        status: 429,
        json: { error: { code: 'DEMO_FULL', message, details: {}, requestId: '' } },
      });
    });
    await card().getByRole('button', { name: 'Load Demo Data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Load Demo Data' });
    await dialog.getByRole('button', { name: 'Load Demo Data' }).click();
    await page
      .getByText('All 20 demo places are taken. One is free in 3 minutes if nobody uses it until then.')
      .waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.unroute('**/api/demo/data');
  });

  test('it is added from the card of an empty workspace, after a word on how it ends', async () => {
    const { page } = open;
    await card().getByRole('button', { name: 'Load Demo Data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Load Demo Data' });
    await dialog.getByText(/after 30 minutes in which nobody uses this workspace/).waitFor();
    await dialog.getByRole('button', { name: 'Load Demo Data' }).click();
    await page.getByText('Demo data loaded: 3 stores.').waitFor();
    await card().waitFor({ state: 'hidden' });
  });

  test('its stores and its pair are marked on every page that lists them', async () => {
    const { page } = open;
    const pairs = page.getByRole('region', { name: 'Synced Store Pairs' });
    assert.equal(
      await pairs.getByText('Sandbox', { exact: true }).count(),
      2,
      'the pair, and the one without a partner',
    );
    await pairs.getByText('Setup Required').waitFor();
    assert.equal(await actions().getByText('Sandbox', { exact: true }).count(), 3);
    await pairs.getByRole('link', { name: 'Configure' }).click();
    await page.getByRole('dialog').getByText('Sandbox', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${app.url}/stores`);
    await page.getByRole('heading', { level: 2, name: /Harbour Outlet/ }).waitFor();
    assert.equal(await page.getByRole('main').getByText('Sandbox', { exact: true }).count(), 3);
    await page.goto(`${app.url}/plans`);
    await page.getByRole('main').getByText('Sandbox', { exact: true }).waitFor();
  });

  test('a sale crosses from one shelf to the other', async () => {
    const { page } = open;
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('link', { name: 'Open the shelves' }).click();
    const target = bay(page, 'shopify', 'APRON-LINEN').locator('[data-state]');
    await target.getByText('12', { exact: true }).waitFor();
    await bay(page, 'woocommerce', 'APRON-LINEN')
      .getByRole('button', { name: /^Sell one/ })
      .click();
    await target.getByText('11', { exact: true }).waitFor();
    await act(page, 'shopify', 'restock', 'APRON-LINEN', 4);
    await bay(page, 'woocommerce', 'APRON-LINEN').getByText('15', { exact: true }).waitFor();
  });

  test('while the stores can not be read, its owner is told so: the way into another workspace is not theirs', async () => {
    const { page } = open;
    await page.route('**/api/stores?*', (route) =>
      route.fulfill({
        status: 422,
        json: { error: { code: 'UNKNOWN', message: 'Not now.', details: {}, requestId: 'req_for_test' } },
      }),
    );
    await page.goto(`${app.url}/demo`);
    await page.getByText('Not now.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Open the demo' }).count(), 0);
    await page.unroute('**/api/stores?*');
    await pressUnlessGone(page.getByRole('button', { name: 'Try Again' }));
    await bay(page, 'shopify', 'APRON-LINEN').waitFor();
  });

  test('it is removed with a word on what goes, and a second tab follows', async () => {
    const { page, context } = open;
    const second = await context.newPage();
    await second.goto(`${app.url}/dashboard`);
    await second.getByRole('region', { name: 'Quick Actions' }).waitFor();
    await page.goto(`${app.url}/dashboard`);
    await actions().getByRole('button', { name: 'Remove demo data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove demo data?' });
    await dialog.getByText(/^3 sandbox stores go, with 1 pair and \d+ records/).waitFor();
    await dialog.getByRole('button', { name: 'Remove demo data' }).click();
    await page.getByText('The demo data is removed.').waitFor();
    await card().waitFor();
    await second.getByRole('region', { name: 'Put two stores on the same shelf' }).waitFor();
    await second.close();
    await page.goto(`${app.url}/dashboard?tab=activity`);
    await page.getByText('The demo data was removed', { exact: true }).waitFor();
    assert.equal(await page.getByText(/Harbour/).count(), 0);
    await page.goto(`${app.url}/demo`);
    await page.getByText('Two stores, one click').waitFor();
  });

  test('the pages had nothing to complain of', () => {
    assert.deepEqual(open.complaints, []);
  });
});

describe('demo data of an instance without a demo', IN_BROWSER, () => {
  const app = startApp({ DEMO: 'off' });

  test('is not offered', async () => {
    const { page, complaints } = await app.openPage();
    await signIn(page, app.url, await new People(app).owner());
    await page.getByRole('region', { name: 'Put two stores on the same shelf' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Load Demo Data' }).count(), 0);
    assert.deepEqual(complaints, []);
  });
});
