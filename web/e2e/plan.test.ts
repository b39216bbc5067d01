import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { act, bay, callApi, demoPairId, driftApart, makeConflicts, openDemo } from './support/demo.ts';
import { focused, pressUnlessGone, titled, until } from './support/waits.ts';

describe('plans, runs, conflicts, records', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage({ excused: [409, 500] });
    await openDemo(open.page, app.url);
  });

  test('two stores that agree: nothing to do, and it says how many were compared', async () => {
    const { page } = open;
    await page.getByRole('button', { name: 'Preview a plan' }).click();
    await page.getByRole('heading', { name: 'All level' }).waitFor();
    await page.getByText(/^12 records read on both sides/).waitFor();
  });

  test('a plan shows each change on its side, filters by address, and writes exactly that when applied', async () => {
    const { page } = open;
    await driftApart(page);
    await page.goto(`${app.url}/plans`);
    await page.getByRole('button', { name: 'Make a new plan' }).click();
    await page
      .getByRole('button', { name: /^(Apply|Discard)/ })
      .first()
      .waitFor();
    const apron = page.getByRole('table', { name: 'What changes on Linen apron' });
    await apron.getByText('$52.50').first().waitFor();
    await page.getByRole('button', { name: /^On WooCommerce/ }).click();
    await page.waitForURL(/side=woocommerce/);
    await apron.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('no such record');
    await page.getByText('No record matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await apron.waitFor();
  });

  test('links that only addresses tie are counted, found by one press, and say what to do', async () => {
    const { page } = open;
    const url = page.url();
    // The sandbox shelves have no such two: of the real reply one item is told so.
    await page.route('**/api/plans/*?*', async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('unlike=true', '') });
      const { plan } = await response.json();
      const titles = { woocommerce: 'Hand mill', shopify: 'Pepper mill' };
      const [first] = plan.items;
      plan.counts.unlike = 1;
      plan.itemCount = 9_951;
      plan.nextCursor = 'more';
      plan.items = [{ ...first, action: 'link', reason: 'handle', unlike: titles }];
      await route.fulfill({ response, json: { plan } });
    });
    await page.reload();
    // As many as the next page brings, and not all that there are.
    await page.getByRole('button', { name: 'Show 100 more records' }).waitFor();
    await page.getByRole('link', { name: '1 link' }).click();
    await page.waitForURL(/unlike=1/);
    await page.getByRole('button', { name: /^Look twice/, pressed: true }).waitFor();
    await page.getByText('If they are two, give one of them another web address').waitFor();
    await page.getByRole('button', { name: /^Look twice/ }).click();
    await page.waitForURL((to) => !to.search.includes('unlike'));
    await page.unroute('**/api/plans/*?*');
    await page.goto(url);
  });

  test('a plan that is not the one that was looked at is not applied, and a new one is offered', async () => {
    const { page } = open;
    await page.route('**/api/plans/*/apply', (route) => {
      const error = {
        code: 'PLAN_HASH_MISMATCH',
        message: 'Not the plan you saw.',
        details: {},
        requestId: 'req_test',
      };
      return route.fulfill({ status: 409, json: { error } });
    });
    const { pathname } = new URL(page.url());
    await page.getByRole('button', { name: /^Apply \d+ changes/ }).click();
    await page.getByText(/^This is not the plan that you looked at/).waitFor();
    await page.unroute('**/api/plans/*/apply');
    // What it promises of records that move: they are left out, and nothing makes a new plan for them.
    await page.getByText('Records that change before that are left out, and listed in the run.').waitFor();
    await page.getByRole('button', { name: 'Plan again' }).click();
    await page.waitForURL((url) => url.pathname !== pathname && url.pathname.startsWith('/plans/'));
    await page.getByRole('button', { name: /^Apply \d+ changes/ }).waitFor();
  });

  test('what somebody else did with the plan is told as that, and not as another plan', async () => {
    const { page } = open;
    const refuse = (code: string, message: string) =>
      page.route('**/api/plans/*/apply', (route) =>
        route.fulfill({ status: 409, json: { error: { code, message, details: {}, requestId: 'req_test' } } }),
      );
    const another = page.getByText(/^This is not the plan that you looked at/);
    const apply = page.getByRole('button', { name: /^Apply \d+ changes/ });
    await refuse('PLAN_NOT_READY', 'This plan is discarded. Make a new one.');
    await apply.click();
    await page.getByText('This plan is discarded. Make a new one.').waitFor();
    assert.equal(await another.count(), 0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await refuse('PLAN_HASH_MISMATCH', 'Not the plan you saw.');
    await apply.click();
    await another.waitFor();
    await page.route('**/api/plans/*?*', async (route) => {
      const response = await route.fetch();
      const { plan } = await response.json();
      await route.fulfill({ response, json: { plan: { ...plan, status: 'applied' } } });
    });
    await page.getByRole('button', { name: /^On WooCommerce/ }).click();
    await page.getByText(/^Applied\. The run lists what was written/).waitFor();
    assert.equal(await another.count(), 0, 'it was applied after all');
    await page.unroute('**/api/plans/*?*');
    await page.unroute('**/api/plans/*/apply');
    await page.goto(page.url().replace(/\?.*/, ''));
  });

  test('a paused pair: its plan waits until it is resumed', async () => {
    const { page } = open;
    const pairId = await demoPairId(page);
    await callApi(page, 'POST', `/pairs/${pairId}/pause`, {});
    await page.reload();
    await page.getByText('The pair is paused. Resume it to apply this plan.').waitFor();
    await page.getByRole('button', { name: /^Apply \d+ changes/, disabled: true }).waitFor();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('The pair is paused. Resume it to apply this plan.').waitFor({ state: 'detached' });
  });

  test('applying becomes a run; both sides are level after it', async () => {
    const { page } = open;
    assert.match(new URL(page.url()).pathname, /^\/plans\//);
    await page.getByRole('button', { name: /^Apply \d+ changes/ }).click();
    await page.waitForURL(/\/runs\//);
    await page
      .getByText(/^Completed$/)
      .first()
      .waitFor();
    const apron = page.getByRole('row', { name: 'Linen apron' });
    await apron.getByText('Changed in the store').waitFor();
    await apron.getByRole('listitem').filter({ hasText: 'Price' }).getByText('$52.50', { exact: true }).waitFor();
    await page.goto(`${app.url}/demo`);
    await bay(page, 'shopify', 'APRON-LINEN').getByText('$52.50', { exact: true }).waitFor();
    await page.getByText('Level', { exact: true }).waitFor();
  });

  test('the history lists the run and finds it by status', async () => {
    const { page } = open;
    await page.goto(`${app.url}/sync/history?status=failed`);
    await page.getByText('No run matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('rowheader').first().waitFor();
    assert.match(await page.getByRole('row').nth(1).innerText(), /Plan applied/);
  });

  test('the history begins with what all runs of 30 days came to; what it is narrowed to moves neither its figures nor its list', async () => {
    const { page } = open;
    const summary = page.getByRole('region', { name: 'Summary' });
    const top = async (): Promise<number | undefined> => (await page.getByRole('searchbox').boundingBox())?.y;
    const { stats } = await callApi<{ stats: { total: number; recordsWritten: number } }>(page, 'GET', '/sync/stats');
    assert.ok(stats.total > 0 && stats.recordsWritten > 0);
    const shown = async () => (await summary.getByRole('definition').allTextContents()).slice(0, 1);
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/api/sync/stats?*', async (route) => {
        await isAnswered;
        await route.continue();
      });
      await page.goto(`${app.url}/sync/history`);
      await page.getByRole('rowheader').first().waitFor();
      await summary.getByRole('status', { name: 'Loading' }).waitFor();
      const loading = await top();
      answer();
      await summary.getByText('Records written').waitFor();
      assert.equal(await top(), loading, `nothing moves when the figures come, ${width}`);
      assert.deepEqual(await shown(), [String(stats.total)]);
      await page.unroute('**/api/sync/stats?*');
      await page.getByRole('button', { name: 'Failed', exact: true }).click();
      await page.getByText('No run matches the filters').waitFor();
      assert.deepEqual(await shown(), [String(stats.total)]);
      const error = { code: 'STORE_CHECK_FAILED', message: 'No.', details: {}, requestId: 'req_1' };
      await page.route('**/api/sync/stats?*', (route) => route.fulfill({ status: 409, json: { error } }));
      await page.goto(`${app.url}/sync/history`);
      await summary.getByText(/^The figures could not be read/).waitFor();
      await page.getByRole('rowheader').first().waitFor();
      assert.equal(await top(), loading, `nor when they don't, ${width}`);
      if (width === 1440) assert.deepEqual(await audit(page, 'figures that could not be read'), []);
      await page.setViewportSize({ width, height: 900 });
      await page.unroute('**/api/sync/stats?*');
      await pressUnlessGone(summary.getByRole('button', { name: 'Try Again' }));
      await summary.getByText('Records written').waitFor();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the overview counts what programs ask, and not what its own pages do', async () => {
    const { page } = open;
    await page.goto(`${app.url}/dashboard`);
    const figures = page.locator('dl[aria-label=Figures]');
    const figure = figures.locator('div').filter({ hasText: 'API Calls This Month' });
    await figure.waitFor();
    const calls = async (): Promise<number> =>
      Number((await figure.getByRole('definition').first().innerText()).replace(/\D/g, ''));
    const before = await calls();
    for (let count = 0; count < 3; count += 1) await callApi(page, 'GET', '/pairs');
    // What was counted is stored every few seconds.
    await until('The calls are counted', async () => {
      await page.reload();
      await figure.waitFor();
      return (await calls()) >= before + 3 ? true : undefined;
    });
    assert.equal(await figures.getByText('System Uptime').count(), 0, 'it is not measured');
    await figure.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test('the settings of a pair can be changed from the overview', async () => {
    const { page } = open;
    const pairId = await demoPairId(page);
    await page.goto(`${app.url}/dashboard`);
    await page.getByRole('link', { name: 'Configure' }).click();
    const sheet = page.getByRole('dialog', { name: 'Configure Sync Pair' });
    await sheet.getByLabel('Schedule').selectOption('hourly');
    await sheet.getByLabel('Where both stores changed the same field').selectOption('manual');
    await sheet.getByLabel('Prices').uncheck();
    await sheet.getByRole('button', { name: 'Save settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    type Reply = { pair: { settings: Record<string, unknown> } };
    const { settings } = (await callApi<Reply>(page, 'GET', `/pairs/${pairId}`)).pair;
    const { syncSchedule, conflictResolution, syncPrices, syncProducts, syncDirection } = settings;
    assert.deepEqual(
      [syncSchedule, conflictResolution, syncPrices, syncProducts, syncDirection],
      ['hourly', 'manual', false, true, 'bidirectional'],
    );
    await callApi(page, 'PATCH', `/pairs/${pairId}`, { syncPrices: true });
  });

  test('a conflict is decided, both stores get the value, and the list is empty again', async () => {
    const { page } = open;
    await makeConflicts(page);
    await page.goto(`${app.url}/records?q=BOWL-STONE`);
    await page.getByRole('link', { name: 'Stoneware bowl' }).click();
    const price = page.getByRole('row', { name: 'Price' });
    await price.getByText('$24.00', { exact: true }).waitFor();
    await price.getByText('$28.00').waitFor();
    await page.goto(`${app.url}/conflicts`);
    await page.getByRole('list', { name: 'Records with conflicts' }).waitFor();
    await page.route('**/api/conflicts/*/resolution', (route) => route.fulfill({ status: 500, body: '' }));
    await page.getByRole('button', { name: 'Keep all Shopify' }).click();
    await page
      .getByRole('button', { name: /^Resolve/ })
      .last()
      .click();
    await page.getByText('The conflict could not be resolved. Please try again.').waitFor();
    await page.unroute('**/api/conflicts/*/resolution');
    for (let left = 2; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Keep all Shopify' }).click();
      await page.getByText('After you resolve').waitFor();
      await page
        .getByRole('button', { name: /^Resolve/, exact: false })
        .last()
        .click();
      await page
        .getByRole('list', { name: 'Records with conflicts' })
        .getByRole('listitem')
        .nth(left - 1)
        .waitFor({ state: 'detached' });
    }
    await page.getByText('All level. Nothing to resolve.').waitFor();
    await page.goto(`${app.url}/demo`);
    await bay(page, 'woocommerce', 'BOWL-STONE').getByText('$28.00', { exact: true }).waitFor();
  });

  test('a record shows both sides and what happened to it', async () => {
    const { page } = open;
    await act(page, 'woocommerce', 'sell', 'POT-12');
    await page.goto(`${app.url}/records?q=terracotta`);
    await page.getByRole('link', { name: 'Terracotta pot' }).click();
    await page.getByRole('heading', { level: 1, name: 'Terracotta pot' }).waitFor();
    await titled(page, /^Terracotta pot/);
    await page.getByRole('heading', { name: 'History' }).waitFor();
  });

  test('a count that is typed in once here arrives in both shops', async () => {
    const { page } = open;
    await page.getByRole('button', { name: 'Enter a count' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enter a count' });
    const set = dialog.getByRole('button', { name: 'Set stock' });
    await set.click();
    await dialog.getByText('This is not a number of units').waitFor();
    const units = dialog.getByLabel('Units on the shelf');
    await focused(units);
    await units.fill('41');
    // The notice is there for a short time: it is waited for before it comes.
    await Promise.all([page.getByText(/^Stock is 41 now/).waitFor(), set.click()]);
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Counted by a person').waitFor();
    const { promise: isAsked, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/records/*/count', async (route) => {
      await isAsked;
      await route.fulfill({ json: { quantity: 43, seenSince: 0 } });
    });
    await page.getByRole('button', { name: 'Enter a count' }).click();
    await units.fill('43');
    await set.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Enter a count' }).click();
    await units.fill('44');
    assert.notEqual(await set.getAttribute('aria-disabled'), 'true', 'what is under way is the count before');
    answer();
    await page.getByText(/^Stock is 43 now/).waitFor();
    assert.equal(await units.inputValue(), '44', 'the next count is still being typed');
    await page.unroute('**/api/records/*/count');
    await page.keyboard.press('Escape');
    await page.goto(`${app.url}/demo`);
    for (const side of ['woocommerce', 'shopify'] as const)
      await bay(page, side, 'POT-12').getByText('41', { exact: true }).waitFor();
  });

  test('[S10] the time that a count shows is the one that it is counted from, however long the dialog stands open', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await page.goto(`${app.url}/records?q=terracotta`);
    await page.getByRole('link', { name: 'Terracotta pot' }).click();
    await page.getByRole('button', { name: 'Enter a count' }).click();
    const field = page.getByRole('dialog', { name: 'Enter a count' }).getByLabel('Counted at');
    await field.waitFor();
    await page.clock.setFixedTime(Date.now() + 5 * 60_000);
    const later = await page.evaluate(() => new Date().toTimeString().slice(0, 5));
    await until('the time goes on', async () => ((await field.inputValue()).endsWith(later) ? true : undefined));
    await field.fill('2026-01-02T03:04');
    await page.clock.setFixedTime(Date.now() + 10 * 60_000);
    await page.waitForTimeout(6_000);
    assert.equal(await field.inputValue(), '2026-01-02T03:04', 'what was typed stays');
    await context.close();
  });

  test('stores: the doctor’s findings can be asked for again', async () => {
    const { page } = open;
    await page.goto(`${app.url}/stores`);
    await page.getByRole('button', { name: 'Test connection' }).first().click();
    await page
      .getByText(/checks? (passed|of)/)
      .first()
      .waitFor();
  });

  test('who may not change a store is told so, and by whom it is done', async () => {
    const { page, context } = await app.openPage();
    await openDemo(page, app.url);
    await page.route('**/api/auth/me', async (route) => {
      const response = await route.fetch();
      const reply = await response.json();
      reply.user.workspace.role = 'member';
      await route.fulfill({ response, json: reply });
    });
    await page.goto(`${app.url}/stores`);
    await page.getByRole('button', { name: 'Settings', exact: true, disabled: true }).first().press('Enter');
    await page.getByText('Administrators look after stores and pairs.', { exact: true }).last().waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.unroute('**/api/auth/me');
    await page.reload();
    await page.getByRole('button', { name: 'Settings', exact: true, disabled: false }).first().press('Enter');
    await page.getByRole('dialog', { name: /^Settings of/ }).waitFor();
    await context.close();
  });

  test('the page had nothing to complain of', () => {
    assert.deepEqual(open.complaints, []);
  });
});
