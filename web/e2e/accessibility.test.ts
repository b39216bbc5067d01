import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import { callApi, demoPairId, driftApart, makeConflicts, openDemo } from './support/demo.ts';
import { focused, titled } from './support/waits.ts';

const APP = [
  '/demo',
  '/dashboard',
  '/dashboard?tab=activity',
  '/plans',
  '/sync/history',
  '/records',
  '/problems',
  '/conflicts',
  '/stores',
  '/stores?connect=choose',
  '/stores?connect=woocommerce',
  '/stores?connect=shopify',
  '/stores?connect=pair',
] as const;

describe('accessibility', IN_BROWSER, () => {
  const app = startApp();

  test('every page, both themes, two widths: axe finds nothing, nothing scrolls sideways, the console is silent', async () => {
    const { page, context, complaints } = await app.openPage();
    const found: string[] = [];
    const look = async (path: string, shows = page.locator('h1').first()): Promise<void> => {
      await page.goto(`${app.url}${path}`);
      await shows.waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      found.push(...(await audit(page, path)));
    };
    await openDemo(page, app.url);
    for (const path of APP) await look(path);
    await look(`/stores?pair=${await demoPairId(page)}`, page.getByRole('button', { name: 'Save settings' }));
    const { records } = await callApi<{ records: { _id: string }[] }>(page, 'GET', '/records?limit=1');
    await look(`/records/${records[0]?._id}`);
    const { syncLogs } = await callApi<{ syncLogs: { _id: string }[] }>(page, 'GET', '/sync/history?limit=1');
    await look(`/runs/${syncLogs[0]?._id}`);
    const { plan } = await callApi<{ plan: { _id: string } }>(
      page,
      'POST',
      `/pairs/${await driftApart(page)}/plan`,
      {},
    );
    await look(`/plans/${plan._id}`, page.getByRole('button', { name: /^Apply/ }));
    await makeConflicts(page);
    await look('/conflicts');
    assert.deepEqual(found, []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('who wants no motion gets a change of theme at once, not part by part', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.evaluate(() => {
      const dark = matchMedia('(prefers-color-scheme: dark)');
      const changed = new Promise((resolve) => dark.addEventListener('change', resolve, { once: true }));
      const drawn = changed.then(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      // A row of the demo that arrives in this very moment has its animation of 1 ms; the theme's change is a transition.
      const transitions = () => document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      Object.assign(window, { moving: drawn.then(() => transitions().length) });
    });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    const moving = await page.evaluate('window.moving');
    assert.equal(moving, 0);
    await context.close();
  });

  test('keyboard: the skip link comes first and leads to the main part; a route change moves the focus there', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await page.reload();
    await page.locator('[data-sku]').first().waitFor();
    await page.keyboard.press('Tab');
    await focused(page.getByRole('link', { name: 'Skip to content' }));
    await page.keyboard.press('Enter');
    await focused(page.locator('#main'));
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    await focused(page.locator('#main'));
    await titled(page, /^Records/);
    await context.close();
  });

  test('offline: the banner, no buttons that write, and the notice when the network is back', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await context.setOffline(true);
    await page.getByText("You're offline. Some features may be limited.", { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /^Sell one/, disabled: true })
      .first()
      .waitFor();
    assert.equal(await page.getByRole('button', { name: /^Sell one/, disabled: false }).count(), 0);
    await page.getByText('Offline Mode', { exact: true }).waitFor();
    // Both are there for a short time: they are waited for before they come.
    await Promise.all([
      page.getByText('Back online! Syncing data...', { exact: true }).waitFor(),
      page.getByText('Real-time Connected', { exact: true }).waitFor(),
      context.setOffline(false),
    ]);
    await context.close();
  });
});
