import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi, demoPairId, openDemo } from './support/demo.ts';
import { focused } from './support/waits.ts';

type Settings = Readonly<Record<string, unknown>>;

describe('the advanced settings of a pair', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  let pairId: string;
  before(async () => {
    open = await app.openPage({ excused: [400] });
    await openDemo(open.page, app.url);
    pairId = await demoPairId(open.page);
  });

  const sheet = () => open.page.getByRole('dialog', { name: 'Configure Sync Pair' });
  const buffer = () => sheet().getByLabel('Units kept back (buffer)');
  const interval = () => sheet().getByLabel('Ask the stores for changes');
  const rateLimit = () => sheet().getByLabel('Requests to each store in a minute, at most');
  const inShopify = () => sheet().getByLabel('In Shopify, what only WooCommerce has');
  const advanced = () => sheet().getByText('Advanced', { exact: true });
  const save = () => sheet().getByRole('button', { name: 'Save settings' }).click();
  const openSheet = async (): Promise<void> => {
    await open.page.goto(`${app.url}/dashboard`);
    await open.page.getByRole('link', { name: 'Configure' }).click();
    await sheet().getByLabel('Schedule').waitFor();
  };
  const stored = async (): Promise<Settings> =>
    (await callApi<{ pair: { settings: Settings } }>(open.page, 'GET', `/pairs/${pairId}`)).pair.settings;

  test('they are closed at first, and open by the keyboard', async () => {
    const { page } = open;
    await openSheet();
    assert.equal(await buffer().isVisible(), false);
    const box = sheet().locator('[data-body]');
    const width = await box.evaluate(({ clientWidth }) => clientWidth);
    await sheet().getByLabel('Stock', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await focused(sheet().locator('summary'));
    await page.keyboard.press('Enter');
    await buffer().waitFor();
    assert.equal(await box.evaluate(({ clientWidth }) => clientWidth), width, 'nothing moves aside');
    await page.keyboard.press('Tab');
    await focused(rateLimit());
  });

  test('a press outside closes the sheet, and throws nothing away that was changed in it', async () => {
    const { page } = open;
    await page.mouse.click(20, 400);
    await sheet().waitFor({ state: 'hidden' });
    await openSheet();
    await advanced().click();
    await buffer().fill('3');
    await page.mouse.click(20, 400);
    await page.waitForTimeout(300);
    assert.equal(await buffer().inputValue(), '3');
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'hidden' });
    await openSheet();
    await page.mouse.click(20, 400);
    await sheet().waitFor({ state: 'hidden' });
    await openSheet();
    await advanced().click();
    await buffer().waitFor();
  });

  test('axe finds nothing in them, and they fit into a narrow window', async () => {
    const { page } = open;
    assert.deepEqual(await audit(page, 'advanced settings'), []);
    const extra = () => sheet().evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    await page.setViewportSize({ width: 360, height: 780 });
    assert.equal(await extra(), 0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('a wrong number is told at its field, which has the focus, and nothing is sent', async () => {
    for (const [typed, told] of [
      ['', 'Type a number: 0 to 1,000,000.'],
      ['-2', 'Not below zero: 0 to 1,000,000.'],
      ['2.5', 'A whole number, in digits alone: 0 to 1,000,000.'],
      ['1000001', 'Too high: 1,000,000 at most.'],
    ] as const) {
      const before = await buffer().evaluate((field) => field.closest('form')?.scrollHeight);
      await buffer().fill(typed);
      await save();
      await sheet().getByText(told, { exact: true }).waitFor();
      await focused(buffer());
      assert.equal(await buffer().evaluate((field) => field.closest('form')?.scrollHeight), before, 'nothing moves');
    }
    assert.equal((await stored())['stockBuffer'], 0);
  });

  test('a closed part opens where something in it is wrong', async () => {
    await advanced().click();
    assert.equal(await buffer().isVisible(), false);
    await save();
    await sheet().getByText('Too high: 1,000,000 at most.').waitFor();
    await focused(buffer());
  });

  test('what the server refuses is told at its field', async () => {
    const { page } = open;
    const message = 'rateLimit: this shop takes 500 at most';
    const error = {
      code: 'VALIDATION',
      message,
      details: { fields: [{ field: 'rateLimit', message }] },
      requestId: '',
    };
    await page.route('**/api/pairs/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: { error } }) : route.fallback(),
    );
    await buffer().fill('2');
    await rateLimit().fill('600');
    await save();
    await sheet().getByText('This shop takes 500 at most.').waitFor();
    await focused(rateLimit());
    assert.equal(await sheet().getByRole('alert').count(), 0);
    await page.unroute('**/api/pairs/*');
  });

  test('what is set is sent, and nothing else; the stores show it, and so does the form when it is opened anew', async () => {
    const { page } = open;
    const before = await stored();
    await rateLimit().fill('1000');
    await interval().selectOption('Every 5 minutes');
    await inShopify().uncheck();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save();
    const change = { stockBuffer: 2, syncInterval: 5, createOn: { woocommerce: true, shopify: false } };
    assert.deepEqual((await sent).postDataJSON(), change);
    await page.getByText(/: the settings are saved\.$/).waitFor();
    assert.deepEqual(await stored(), { ...before, ...change });
    await openSheet();
    await advanced().click();
    assert.equal(await buffer().inputValue(), '2');
    assert.equal(await interval().inputValue(), '5');
    assert.equal(await inShopify().isChecked(), false);
    assert.equal(await sheet().getByLabel('In WooCommerce, what only Shopify has').isChecked(), true);
  });

  test('what would have no effect is there, can not be changed, and says why', async () => {
    const cap = sheet().getByLabel('Most units shown (cap)');
    assert.equal(await cap.isDisabled(), false);
    await buffer().fill('-2');
    await sheet().getByLabel('Stock', { exact: true }).uncheck();
    assert.equal(await cap.isDisabled(), true);
    const why = await cap.getAttribute('aria-describedby');
    await sheet().locator(`[id="${why}"]`).getByText('Stock is not kept the same now').waitFor();
    await sheet().getByRole('radio', { name: 'WooCommerce to Shopify' }).check();
    const conflicts = sheet().getByLabel('Where both stores changed the same field');
    assert.equal(await conflicts.isDisabled(), true);
    await sheet().getByText('Counts only where both stores lead: here WooCommerce does.').first().waitFor();
    assert.equal(await sheet().getByLabel('In WooCommerce, what only Shopify has').isDisabled(), true);
    assert.deepEqual(await audit(open.page, 'settings without effect'), []);
    await open.page.setViewportSize({ width: 1440, height: 900 });
    await save();
    await open.page.getByText(/: the settings are saved\.$/).waitFor();
    const { syncDirection, syncInventory, stockBuffer } = await stored();
    assert.deepEqual([syncDirection, syncInventory, stockBuffer], ['woocommerce_to_shopify', false, 2]);
  });

  test('the page had nothing to complain of', () => {
    assert.deepEqual(open.complaints, []);
  });
});
