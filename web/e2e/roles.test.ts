import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import { callApi, driftApart, makeConflicts, openDemo } from './support/demo.ts';

/** What only members and those above them may do is seen beforehand; the table behind it is compared with the server's in web/hooks/rights.test.ts. */
describe('viewers', IN_BROWSER, () => {
  const app = startApp();
  let page: Page;
  const writes: string[] = [];

  before(async () => {
    ({ page } = await app.openPage());
    await openDemo(page, app.url);
    await makeConflicts(page);
    await page.route('**/api/auth/me', async (route) => {
      const response = await route.fetch();
      const reply = await response.json();
      reply.user.workspace.role = 'viewer';
      await route.fulfill({ response, json: reply });
    });
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (request.method() !== 'GET' && path.startsWith('/api/') && !path.startsWith('/api/auth/')) writes.push(path);
    });
  });

  /** It can be come to by the keys, is called disabled, and says why. */
  async function isExcused(button: Locator, why: RegExp): Promise<void> {
    await button.and(page.locator('[aria-disabled=true]')).waitFor();
    assert.equal(await button.getAttribute('disabled'), null, 'it can be come to');
    const told = await button.evaluate(
      (node) => document.getElementById(node.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    );
    assert.match(told, why);
    await button.press('Enter');
    await page.getByLabel('Notices').getByText(told).waitFor();
  }

  const pressed = (name: string | RegExp, scope: Locator | Page = page) =>
    scope.getByRole('button', { name, exact: typeof name === 'string' }).first();

  test('overview: nothing is synced, paused, planned, connected or loaded', async () => {
    await page.goto(`${app.url}/dashboard`);
    await isExcused(
      pressed(/^Sync Now/),
      /^You are a viewer here and may only look\. Members start and cancel syncs\.$/,
    );
    await isExcused(pressed(/^Pause Harbour & Home/), /Members pause and resume pairs/);
    await isExcused(pressed(/^Preview/), /Members make plans and apply them/);
    await isExcused(pressed(/^Sync Harbour/), /Members start and cancel syncs/);
    await isExcused(pressed('Connect New Store'), /Administrators look after stores and pairs/);
    await page.getByRole('button', { name: 'Connect store', exact: true, disabled: true }).waitFor();
    assert.equal(
      await page
        .getByRole('main')
        .getByRole('link', { name: /Connect (New )?store/i })
        .count(),
      0,
    );
    await isExcused(pressed('Connect Shopify'), /Administrators look after stores and pairs/);
    assert.deepEqual(await audit(page, 'overview of a viewer', [360]), []);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('conflicts, problems, records, plans, runs and stores: the same', async () => {
    await page.goto(`${app.url}/conflicts`);
    await isExcused(pressed(/Keep all WooCommerce/), /Members resolve conflicts/);
    await isExcused(pressed('Resolve'), /Members resolve conflicts/);

    await page.goto(`${app.url}/records`);
    await page.getByRole('link', { name: 'Enamel mug' }).click();
    await isExcused(pressed('Enter a count'), /Members enter counts/);

    const pairId = await driftApart(page);
    const { plan } = await callApi<{ plan: { _id: string } }>(page, 'POST', `/pairs/${pairId}/plan`, {});
    await page.goto(`${app.url}/plans/${plan._id}`);
    await isExcused(pressed(/^Apply/), /Members make plans/);
    await isExcused(pressed('Discard'), /Members make plans/);
    await isExcused(pressed('Make a new plan'), /Members make plans/);
    await page.keyboard.press('Control+Enter');

    await callApi(page, 'POST', `/pairs/${pairId}/pause`, {});
    await isExcused(pressed('Resume'), /Members pause and resume pairs/);
    await page.goto(`${app.url}/plans`);
    await isExcused(pressed('Make a new plan'), /Members make plans/);
    await page.goto(`${app.url}/demo`);
    await isExcused(pressed('Resume'), /Members pause and resume pairs/);
    await isExcused(pressed(/^Sell one/), /Members buy and edit in the sandbox shops/);
    await callApi(page, 'POST', `/pairs/${pairId}/resume`, {});

    await page.goto(`${app.url}/sync/history`);
    await page.getByRole('table').getByRole('link').first().click();
    await isExcused(pressed('Run again'), /Members start and cancel syncs/);

    await page.goto(`${app.url}/stores`);
    await isExcused(pressed('Test connection'), /Members test connections/);
    await isExcused(pressed('Connect New Store'), /Administrators look after stores and pairs/);
    await isExcused(pressed('Disconnect'), /Administrators look after stores and pairs/);
  });

  test('who was sent the address of a form can read it and not send it', async () => {
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('link', { name: 'Configure' }).click();
    const sheet = page.getByRole('dialog', { name: 'Configure Sync Pair' });
    for (const name of ['Save settings', 'Remove this pair']) {
      const button = pressed(name, sheet);
      await button.and(page.locator('[aria-disabled=true]')).waitFor();
      await button.press('Enter');
    }
    await sheet.waitFor();
  });

  test('the palette says it beside what it offers, and stays open', async () => {
    await page.goto(`${app.url}/records`);
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('connect new');
    const option = page.getByRole('option', { name: /Connect new store.*Administrators look after/s });
    await option.waitFor();
    assert.equal(await option.getAttribute('aria-disabled'), 'true');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('quick sync');
    await page.getByRole('option', { name: /Members start and cancel syncs/ }).click({ force: true });
    await page.getByRole('combobox').waitFor();
  });

  test('nothing was asked of the server that it would have refused', () => {
    assert.deepEqual(writes, []);
  });
});
