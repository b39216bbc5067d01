import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import type { OverviewReply } from '../../src/contracts/dashboard.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import type { OpenPage } from './support/browser.ts';
import { callApi, demoPairId, openDemo } from './support/demo.ts';
import { pressUnlessGone } from './support/waits.ts';

/** Every page loads, fails and goes stale in the same way; the overview stands for them all. */
describe('loading, failed, stale, session over', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage();
    await openDemo(open.page, app.url);
  });

  const OVERVIEW = '**/api/dashboard/overview';

  function fail(route: Route, status: number, code: string, message: string): Promise<void> {
    return route.fulfill({ status, json: { error: { code, message, details: {}, requestId: 'req_for_test' } } });
  }

  test('loading: a skeleton of the same shape, and nothing before 200 ms', async () => {
    const { page } = open;
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    await page.route(OVERVIEW, async (route) => {
      await isAnswered;
      await route.continue();
    });
    await page.goto(`${app.url}/dashboard`);
    const skeleton = page.getByRole('status', { name: 'Loading' }).first();
    await skeleton.waitFor();
    await page.waitForFunction(() => {
      const shape = document.querySelector('[role=status][aria-label=Loading]');
      return shape !== null && getComputedStyle(shape).opacity === '1';
    });
    answer();
    await page.getByRole('heading', { name: 'Synced Store Pairs' }).waitFor();
    await page.unroute(OVERVIEW);
  });

  test('[spec 8] failed: what failed, the request to name, and Try Again that helps', async () => {
    const { page } = open;
    await page.route(OVERVIEW, (route) => fail(route, 422, 'STORE_UNREACHABLE', 'The store could not be reached.'));
    await page.goto(`${app.url}/dashboard`);
    await page.getByText('Failed to load dashboard data. Please refresh the page.', { exact: true }).waitFor();
    await page.getByText('req_for_test').waitFor();
    await page.unroute(OVERVIEW);
    await pressUnlessGone(page.getByRole('button', { name: 'Try Again' }));
    await page.getByRole('heading', { name: 'Synced Store Pairs' }).waitFor();
  });

  test('stale: what was there stays, and says from when it is', async () => {
    const { page } = open;
    await page.route(OVERVIEW, (route) => fail(route, 422, 'STORE_UNREACHABLE', 'The store could not be reached.'));
    await page.getByRole('button', { name: 'Pause Harbour & Home' }).click();
    await page.getByText(/^As of \d\d:\d\d:\d\d\. The store could not be reached\.$/).waitFor();
    await page.getByRole('heading', { name: 'Synced Store Pairs' }).waitFor();
    await page.unroute(OVERVIEW);
    await pressUnlessGone(page.getByRole('button', { name: 'Try Again' }));
    await page.getByText(/^As of /).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Resume Harbour & Home' }).click();
    await page.getByRole('button', { name: 'Pause Harbour & Home' }).waitFor();
  });

  test('[spec 8] a session that is over leads to /login, says so, and a new one leads back', async () => {
    const { page } = open;
    await page.goto(`${app.url}/sync/history?status=failed`);
    await page.getByText('No run matches the filters').waitFor();
    await page.route('**/api/auth/refresh', (route) => fail(route, 401, 'SESSION_EXPIRED', 'Session expired.'));
    // Only what is asked for next: the list that is shown can be asked for again at any time.
    await page.route('**/api/sync/history?*status=running*', (route) =>
      fail(route, 401, 'TOKEN_EXPIRED', 'Token expired'),
    );
    await page.getByRole('button', { name: 'Running', exact: true }).click();
    await page.getByText('Session expired. Please log in again.', { exact: true }).waitFor();
    const next = new URL(page.url()).searchParams.get('next') ?? '';
    assert.match(next, /^\/sync\/history\?status=/);
    assert.equal(await page.evaluate(() => localStorage.getItem('accessToken')), null);
  });

  test('a problem that is about no record is told with what to do, and can be tried again', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    const pairId = await demoPairId(page);
    const at = new Date().toISOString();
    const problem = {
      ...{ _id: 'prb_1', pairId, storeId: null, recordId: null, recordTitle: null, side: 'shopify', subject: 'store' },
      ...{ code: 'STORE_NO_ACCESS', level: 'error', message: 'Shopify does not let us in any more.' },
      ...{ remedy: 'Enter new keys.', details: null, count: 3, state: 'open', firstAt: at, lastAt: at },
    };
    let problems = [problem];
    await page.route('**/api/problems?*', (route) =>
      route.fulfill({ json: { problems, total: problems.length, nextCursor: null } }),
    );
    await page.route('**/api/problems/prb_1/retry', (route) => route.fulfill({ status: 202, json: { ok: true } }));
    await page.route(OVERVIEW, async (route) => {
      const answer = await route.fetch();
      const data = (await answer.json()) as OverviewReply;
      const needs = { type: 'problems', text: '1 problem', count: 1, pairId, storeId: null, planId: null } as const;
      await route.fulfill({ json: { ...data, needsYou: [needs] } });
    });
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await page.getByRole('link', { name: 'See the problems' }).click();
    const row = page.getByRole('list', { name: 'Open problems' }).getByRole('listitem');
    await row.getByText('Shopify does not let us in any more.').waitFor();
    await row.getByText('Enter new keys.').waitFor();
    await row.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^It is tried again/).waitFor();
    await page.waitForTimeout(1_000);
    // Nothing is told when a problem is over.
    problems = [];
    await page.getByText('No open problem', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('a pair that stands still is not called level', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await callApi(page, 'POST', `/pairs/${await demoPairId(page)}/pause`, {});
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await page.getByText('1 pair, 3 stores connected. 1 pair stands still.').waitFor();
    await page.getByRole('link', { name: 'Conflicts', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Nothing to resolve.', exact: true }).waitFor();
    assert.equal(await page.getByText(/All level/).count(), 0);
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    await page.getByRole('button', { name: 'Level, as last seen 12' }).waitFor();
    await page.getByRole('cell', { name: 'Level when it stopped' }).first().waitFor();
    assert.equal(await page.getByRole('cell', { name: 'Level', exact: true }).count(), 0);
    await page.getByRole('link', { name: 'Enamel mug' }).click();
    await page.getByRole('heading', { level: 1, name: 'Enamel mug' }).waitFor();
    await page.getByText('Level when it stopped', { exact: true }).waitFor();
    // What changes meanwhile is told on the page that is open.
    await callApi(page, 'POST', `/pairs/${await demoPairId(page)}/resume`, {});
    await page.getByText('Level', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Conflicts', exact: true }).first().click();
    await page.getByRole('heading', { name: 'All level. Nothing to resolve.' }).waitFor();
    await context.close();
  });

  test('what does not exist is said to be so, and nothing is offered that would not help', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    for (const [path, what] of [
      ['records/prd_none', 'record'],
      ['runs/run_none', 'run'],
      ['plans/pln_none', 'plan'],
    ]) {
      await page.evaluate((to) => {
        history.pushState(null, '', to);
        dispatchEvent(new PopStateEvent('popstate'));
      }, `/${path}`);
      await page.getByRole('heading', { name: `There is no such ${what} in this workspace.` }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Try Again' }).count(), 0);
    }
    await context.close();
  });

  test('a long list is read page by page, each row once, until nothing more is offered', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await page.route('**/api/records?*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '5');
      return route.continue({ url: url.href });
    });
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    const links = page.getByRole('table', { name: 'Records' }).getByRole('link');
    const more = page.getByRole('button', { name: 'Show more records' });
    for (const count of [5, 10]) {
      await links.nth(count - 1).waitFor();
      assert.equal(await links.count(), count);
      await more.press('Enter');
    }
    await more.waitFor({ state: 'detached' });
    assert.equal(new Set(await links.allTextContents()).size, 12);
    await context.close();
  });

  test('a further page that could not be read is told of beside its button, and asked for again there', async () => {
    const { page, context } = await app.openPage({ excused: [422] });
    await openDemo(page, app.url);
    const asked: string[] = [];
    await page.route('**/api/records?*', async (route) => {
      const url = new URL(route.request().url());
      const cursor = url.searchParams.get('cursor') ?? '';
      asked.push(cursor);
      if (cursor !== '' && asked.filter((one) => one !== '').length === 1)
        return fail(route, 422, 'STORE_UNREACHABLE', 'The store could not be reached.');
      url.searchParams.set('limit', '5');
      await route.continue({ url: url.href });
    });
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    const links = page.getByRole('table', { name: 'Records' }).getByRole('link');
    const more = page.getByRole('button', { name: 'Show more records' });
    await more.click();
    await page.getByRole('alert').getByText('More could not be read. The store could not be reached.').waitFor();
    assert.equal(await page.getByText(/^As of /).count(), 0);
    assert.equal(await page.locator('[data-stale]').count(), 0);
    asked.splice(0, asked.length, ...asked.filter((cursor) => cursor !== ''));
    await more.click();
    await links.nth(9).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.equal(new Set(asked).size, 1, 'only the page that is missing was asked for');
    await context.close();
  });

  test('a page that breaks shows the specification’s words; the frame around it goes on', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await page.route(OVERVIEW, (route) => route.fulfill({ json: { nothing: 'of what is expected' } }));
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page
      .getByText('We encountered an unexpected error. Please try refreshing the page.', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Refresh Page' }).waitFor();
    await page.getByRole('link', { name: 'Records', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    await context.close();
  });

  test('a theme that was chosen stays, before anything is painted', async () => {
    const { page, context } = await app.openPage({ theme: 'light' });
    await openDemo(page, app.url);
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('radio', { name: 'Dark' }).press('Space');
    const paper = (colour: string) =>
      page.waitForFunction((wanted) => getComputedStyle(document.body).backgroundColor === wanted, colour);
    await paper('rgb(10, 17, 21)');
    await page.reload();
    assert.equal(await page.evaluate(() => document.documentElement.dataset['theme']), 'dark');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByRole('radio', { name: 'System' }).press('Space');
    await paper('rgb(243, 246, 248)');
    await context.close();
  });
});
