import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, WebSocketRoute } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { act, callApi, openDemo } from './support/demo.ts';
import { pressUnlessGone, until, watchText } from './support/waits.ts';

/** Timers of the browser and of a busy machine differ by this much. */
const SLACK_MS = 1_500;

describe('foundation', IN_BROWSER, () => {
  const app = startApp();

  function expectNear(took: number, wanted: number): void {
    assert.ok(Math.abs(took - wanted) < SLACK_MS, `${took} ms, not ${wanted}`);
  }

  /** A demo workspace with its live channel open. What is returned sends a message over it, as the server would. */
  async function openLiveDemo(page: Page): Promise<(message: string) => void> {
    let channel: WebSocketRoute | undefined;
    await page.routeWebSocket('**/api/ws', (socket) => {
      channel = socket;
      socket.connectToServer();
    });
    await Promise.all([page.getByText('Real-time Connected', { exact: true }).waitFor(), openDemo(page, app.url)]);
    return (message) => channel?.send(message);
  }

  test('[spec 2, 9] the loading screen is there before any script, and not longer than 800 ms after', async () => {
    assert.match(await (await fetch(`${app.url}/login`)).text(), /role="status" aria-label="Starting"/);
    const { page, context } = await app.openPage();
    const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
    // The script is at work once it asks for the page's own file.
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<number>();
    await page.route('**/assets/login-page-*.js', async (route) => {
      ask(Date.now());
      await mayGo;
      await route.continue();
    });
    await page.goto(`${app.url}/login`, { waitUntil: 'commit' });
    const starting = page.getByRole('status', { name: 'Starting' });
    await starting.waitFor();
    const from = await isAsked;
    await starting.waitFor({ state: 'detached' });
    expectNear(Date.now() - from, 800);
    go();
    await page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();
    // Pages that were drawn at build time have none.
    assert.doesNotMatch(await (await fetch(`${app.url}/about`)).text(), /aria-label="Starting"/);
    await context.close();
  });

  test('[spec 2, 9] the badge: Connecting..., connected for three seconds, Offline Mode; the notice of being back, too', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    const { promise: mayOpen, resolve: open } = Promise.withResolvers<void>();
    await page.routeWebSocket('**/api/ws', async (socket) => {
      await mayOpen;
      socket.connectToServer();
    });
    await page.reload();
    await page.getByText('Connecting...', { exact: true }).waitFor();
    const connected = await watchText(page, 'Real-time Connected');
    open();
    expectNear(await connected(), 3_000);
    await context.setOffline(true);
    await page.getByText("You're offline. Some features may be limited.", { exact: true }).waitFor();
    await page.getByText('Offline Mode', { exact: true }).waitFor();
    const back = await watchText(page, 'Back online! Syncing data...');
    await context.setOffline(false);
    expectNear(await back(), 3_000);
    await context.close();
  });

  test('what happens after a page was read and before its live channel stands is on the page, too', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    const { promise: mayOpen, resolve: open } = Promise.withResolvers<void>();
    await page.routeWebSocket('**/api/ws', async (socket) => {
      await mayOpen;
      socket.connectToServer();
    });
    await page.goto(`${app.url}/records`);
    await page.getByRole('link', { name: 'Linen apron', exact: true }).waitFor();
    await act(page, 'woocommerce', 'edit_title', 'APRON-LINEN', 'Linen apron, long');
    await until('The new title', async () => {
      const { records } = await callApi<{ records: { title: string }[] }>(page, 'GET', '/records?limit=50');
      return records.find(({ title }) => title === 'Linen apron, long');
    });
    open();
    await page.getByRole('link', { name: 'Linen apron, long', exact: true }).waitFor();
    await context.close();
  });

  test('[spec 8, 9] a sync that is done says so for five seconds', async () => {
    const { page, context, complaints } = await app.openPage();
    await openDemo(page, app.url);
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    const done = await watchText(page, 'Sync completed successfully!');
    await page.getByRole('button', { name: 'Run Quick Sync' }).click();
    expectNear(await done(), 5_000);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 7, 8] a failed sync and a usage alert over the live channel; what was not understood does no harm', async () => {
    const { page, context, complaints } = await app.openPage();
    const toPage = await openLiveDemo(page);
    const say = (type: string, payload: unknown) => toPage(JSON.stringify({ type, payload, timestamp: '' }));
    toPage('not JSON');
    say('nobody_knows_this', {});
    say('sync_failed', { pairId: 'pair_1', runId: 'run_1' });
    await page.getByText('Sync failed. Please check your settings.', { exact: true }).waitFor();
    const alerted = await watchText(page, 'Usage alert: 4,100 of 5,000 orders');
    say('usage_alert', { message: '4,100 of 5,000 orders', level: 'warning' });
    expectNear(await alerted(), 5_000);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Sync failed. Please check your settings.').waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 8] a usage alert shows the error view on the dashboard; Try Again is the way back', async () => {
    const { page, context, complaints } = await app.openPage();
    const toPage = await openLiveDemo(page);
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await page.getByText('Synced Store Pairs', { exact: true }).waitFor();
    const payload = { message: 'API calls approaching limit: 801 of 1,000', level: 'warning' };
    toPage(JSON.stringify({ type: 'usage_alert', payload, timestamp: '' }));
    const view = page.getByRole('alert').filter({ hasText: `Usage Alert: ${payload.message}` });
    await view.waitFor();
    await view.getByRole('button', { name: 'Try Again' }).click();
    await view.waitFor({ state: 'detached' });
    await page.getByText('Synced Store Pairs', { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test('[spec 8] the demo’s shelves can not be read: the words, and Try Again helps', async () => {
    const { page, context } = await app.openPage({ excused: [422] });
    await openDemo(page, app.url);
    const error = { code: 'STORE_UNREACHABLE', message: 'The shelf fell down.', details: {}, requestId: 'req_1' };
    await page.route('**/api/demo/shelves', (route) => route.fulfill({ status: 422, json: { error } }));
    await page.reload();
    await page.getByText('Failed to load demo data. Please refresh the page.', { exact: true }).waitFor();
    await page.unroute('**/api/demo/shelves');
    await pressUnlessGone(page.getByRole('button', { name: 'Try Again' }));
    await page.locator('[data-sku]').first().waitFor();
    await context.close();
  });

  test('[spec 2] a page whose file did not arrive: the words, and Try Again helps once it does; so with what is around it', async () => {
    for (const file of ['contact-page', 'site-frame']) {
      const { page, context } = await app.openPage();
      await page.goto(`${app.url}/login`);
      await page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();
      await page.route(`**/assets/${file}-*.js`, (route) => route.abort());
      await page.getByRole('link', { name: 'Pricing' }).click();
      if (file === 'contact-page') {
        await page.getByRole('heading', { level: 1, name: 'Pay for orders, not for products.' }).waitFor();
        await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
      }
      await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
      await page
        .getByText('We encountered an unexpected error. Please try refreshing the page.', { exact: true })
        .waitFor();
      const asked = page.waitForRequest((request) => request.method() === 'HEAD');
      await page.getByRole('button', { name: 'Try Again' }).click();
      await asked;
      await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor();
      await page.unroute(`**/assets/${file}-*.js`);
      await page.getByRole('button', { name: 'Try Again' }).click();
      const wanted = file === 'contact-page' ? 'Talk to us.' : 'Pay for orders, not for products.';
      await page.getByRole('heading', { level: 1, name: wanted }).waitFor();
      await context.close();
    }
  });
});
