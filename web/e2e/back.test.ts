import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { openDemo } from './support/demo.ts';

describe('Back and Forward', IN_BROWSER, () => {
  const app = startApp();

  test('lead to the place in a long list that was left, with the pages of it that had been loaded; a link to the top', async () => {
    const { page, context } = await app.openPage({ width: 1280, height: 420 });
    await openDemo(page, app.url);
    await page.route('**/api/records?*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '5');
      return route.continue({ url: url.href });
    });
    const y = () => page.evaluate(() => Math.round(window.scrollY));
    const stands = (wanted: number) =>
      page.waitForFunction((top) => Math.abs(window.scrollY - top) <= 1, wanted, { timeout: 5_000 });
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    const links = page.getByRole('table', { name: 'Records' }).getByRole('link');
    // A filter replaces the entry: its place is kept all the same.
    await page.getByRole('button', { name: /^Level/ }).click();
    await page.getByRole('button', { name: /^Level/ }).click();
    const more = page.getByRole('button', { name: 'Show more records' });
    await more.press('Enter');
    await links.nth(5).waitFor();
    await more.press('Enter');
    await links.nth(10).waitFor();
    await links.nth(9).scrollIntoViewIfNeeded();
    const left = await y();
    assert.ok(left > 100, `the list is longer than the window: ${left}`);
    const name = await links.nth(9).innerText();
    await links.nth(9).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await stands(0);
    await page.evaluate(() => window.scrollTo(0, 60));
    await stands(60);
    await page.goBack();
    await links.nth(10).waitFor();
    await stands(left);
    await page.goForward();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await stands(60);
    await page.goBack();
    await stands(left);
    await page.getByRole('link', { name: 'Sync history', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Sync history' }).waitFor();
    await stands(0);
    await context.close();
  });
});
