import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { openDemo } from './support/demo.ts';

describe('notices', IN_BROWSER, () => {
  const app = startApp();

  test('what comes while a window is open stands in it, to be read out and put away, and stays when the window closes', async () => {
    const { page, context } = await app.openPage({ excused: [422] });
    await openDemo(page, app.url);
    const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/pairs/*/pause', async (route) => {
      await isAsked;
      const error = { code: 'INVALID', message: 'The test says no.', details: {}, requestId: 'req_1' };
      await route.fulfill({ status: 422, json: { error } });
    });
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await page.getByRole('button', { name: 'Pause Harbour & Home' }).click();
    await page.getByRole('link', { name: 'Configure' }).click();
    const sheet = page.getByRole('dialog', { name: 'Configure Sync Pair' });
    // The place is there before the notice is: only what changes in it is read out.
    const place = sheet.getByLabel('Notices');
    assert.equal(await place.getAttribute('aria-live'), 'polite');
    answer();
    await place.getByText('Could not pause Harbour & Home and Harbour & Home on Shopify. The test says no.').waitFor();
    assert.equal(
      await page.getByText('Could not pause Harbour & Home and Harbour & Home on Shopify. The test says no.').count(),
      1,
    );
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page
      .getByLabel('Notices')
      .getByText('Could not pause Harbour & Home and Harbour & Home on Shopify. The test says no.')
      .waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    await palette.getByRole('button', { name: 'Dismiss' }).click();
    await palette
      .getByText('Could not pause Harbour & Home and Harbour & Home on Shopify. The test says no.')
      .waitFor({ state: 'detached' });
    await context.close();
  });

  test('a form that was left before its answer came: the failure is told where the person is, with what was tried', async () => {
    const { page, context } = await app.openPage({ excused: [422] });
    await openDemo(page, app.url);
    const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/alerts', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await isAsked;
      const error = { code: 'INVALID', message: 'The test says no.', details: {}, requestId: 'req_1' };
      await route.fulfill({ status: 422, json: { error } });
    });
    await page.goto(`${app.url}/settings?tab=api`);
    await page.getByLabel('Quiet hours').click();
    await page.getByRole('button', { name: 'Save the alerts' }).click();
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    answer();
    await page.getByLabel('Notices').getByText('The alerts could not be saved. The test says no.').waitFor();
    await context.close();
  });
});
