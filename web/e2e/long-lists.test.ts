import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { act, callApi, driftApart, openDemo } from './support/demo.ts';
import { until } from './support/waits.ts';

describe('a long list in a busy store', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  let asked: string[] = [];
  before(async () => {
    open = await app.openPage();
    await openDemo(open.page, app.url);
    // The real list, in pages that these few records fill.
    await open.page.route('**/api/records?*limit=50*', (route) => {
      const url = route.request().url().replace('limit=50', 'limit=2');
      asked.push(new URL(url).searchParams.get('cursor') ?? '');
      return route.continue({ url });
    });
  });

  test('each message brings the first page; the rest says that it is older, and comes when it is wanted', async () => {
    const { page } = open;
    await page.goto(`${app.url}/records`);
    const rows = page.getByRole('table', { name: 'Records' }).getByRole('rowheader');
    for (let count = 2; count < 12; count += 2) {
      await until('the page is there', async () => ((await rows.count()) === count ? true : undefined));
      await page.getByRole('button', { name: 'Show more records' }).click();
    }
    await until('all are there', async () => ((await rows.count()) === 12 ? true : undefined));
    asked = [];
    for (let sale = 0; sale < 4; sale += 1) {
      await act(page, 'shopify', 'sell', 'TOWEL-2');
      await page.waitForTimeout(400);
    }
    const notice = page.getByText('rows further down may be older');
    await notice.waitFor();
    await page.waitForTimeout(600);
    assert.ok(asked.length > 0, 'the first page is read anew');
    assert.deepEqual(
      asked.filter((cursor) => cursor !== ''),
      [],
      'and no other is',
    );
    assert.equal(await rows.count(), 12, 'no row is lost');
    assert.deepEqual(await audit(page, 'a list that is behind'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    asked = [];
    await page.getByRole('button', { name: 'Refresh the whole list' }).press('Enter');
    await notice.waitFor({ state: 'detached' });
    assert.equal(asked.length, 6);
    const towels = page.getByRole('row').filter({ hasText: 'Cotton tea towels' });
    await towels.getByText('26', { exact: true }).waitFor();
  });

  test('the activity goes on below its newest rows, and what comes meanwhile takes nothing away', async () => {
    const { page } = open;
    await page.route('**/api/activity?*limit=200*', (route) =>
      route.continue({ url: route.request().url().replace('limit=200', 'limit=4') }),
    );
    await page.goto(`${app.url}/dashboard?tab=activity`);
    const rows = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem');
    const more = page.getByRole('button', { name: 'Show older activity' });
    await more.waitFor();
    const first = await rows.count();
    await more.click();
    await until('older rows are there', async () => ((await rows.count()) > first ? true : undefined));
    const [count, oldest] = [await rows.count(), await rows.last().innerText()];
    await act(page, 'shopify', 'sell', 'TOWEL-2');
    await until('the sale is there', async () => ((await rows.count()) > count ? true : undefined));
    assert.equal(await rows.last().innerText(), oldest);
    await until('all are there', async () => {
      if (await page.getByText('These are all.').isVisible()) return true;
      await more.click({ timeout: 1_000 }).catch(() => undefined);
      return undefined;
    });
    assert.deepEqual(await audit(page, 'all of the activity'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('a plan of several pages is asked for its first one while a run goes on', async () => {
    const { page } = open;
    const pairId = await driftApart(page);
    await page.route('**/api/plans/*?*limit=100*', (route) => {
      const url = route.request().url().replace('limit=100', 'limit=2');
      asked.push(new URL(url).searchParams.get('cursor') ?? '');
      return route.continue({ url });
    });
    await page.goto(`${app.url}/plans`);
    await page.getByRole('button', { name: 'Make a new plan' }).click();
    const rows = page.locator('li').filter({ hasText: 'Already linked' });
    await until('the first page is there', async () => ((await rows.count()) === 2 ? true : undefined));
    await page.getByRole('button', { name: 'Show 2 more records' }).click();
    await until('both are there', async () => ((await rows.count()) === 4 ? true : undefined));
    asked = [];
    await callApi(page, 'POST', '/sync/manual', { pairId });
    await until('it is asked for', async () => (asked.length > 0 ? true : undefined));
    await page.waitForTimeout(1_000);
    assert.deepEqual(
      asked.filter((cursor) => cursor !== ''),
      [],
      'and no further page is',
    );
    assert.equal(await rows.count(), 4);
  });

  test('the page had nothing to complain of', () => {
    assert.deepEqual(open.complaints, []);
  });
});
