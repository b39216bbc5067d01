import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ConflictsReply } from '../../src/contracts/conflicts.ts';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { act, callApi, demoPairId, openDemo } from './support/demo.ts';
import { focused, until } from './support/waits.ts';

const SKUS = ['BOWL-STONE', 'CAN-BRASS', 'APRON-LINEN', 'POT-12', 'TOWEL-2'];

function openConflicts(page: Page): Promise<ConflictsReply> {
  return callApi<ConflictsReply>(page, 'GET', '/conflicts?state=open&limit=200');
}

/** Each of these gets two titles and two prices while a person is to decide. */
async function makeMany(page: Page, skus: readonly string[]): Promise<void> {
  const pairId = await demoPairId(page);
  await callApi(page, 'POST', `/pairs/${pairId}/pause`, {});
  await callApi(page, 'PATCH', `/pairs/${pairId}`, { conflictResolution: 'manual', syncSchedule: 'realtime' });
  for (const [n, sku] of skus.entries()) {
    await act(page, 'woocommerce', 'edit_title', sku, `${sku} of the first shop`);
    await act(page, 'shopify', 'edit_title', sku, `${sku} of the second shop`);
    await act(page, 'woocommerce', 'edit_price', sku, 2000 + n);
    await act(page, 'shopify', 'edit_price', sku, 3000 + n);
  }
  await callApi(page, 'POST', `/pairs/${pairId}/resume`, {});
  await callApi(page, 'POST', '/sync/manual', { pairId });
  await until('The edits become conflicts', async () =>
    (await openConflicts(page)).total >= skus.length * 2 ? true : undefined,
  );
}

describe('one decision about many conflicts', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage({ excused: [409] });
    await openDemo(open.page, app.url);
    await makeMany(open.page, SKUS);
    // The real list, in pages that these few records fill.
    await open.page.route('**/api/conflicts?*limit=200*', (route) =>
      route.continue({ url: route.request().url().replace('limit=200', 'limit=4') }),
    );
  });

  test('a delete against an edit: kept or deleted, nothing between the two, and what comes of each', async () => {
    const { page } = open;
    // The sandbox shelves delete nothing: of the real reply one conflict is told so.
    await page.route('**/api/conflicts?*', async (route) => {
      const response = await route.fetch();
      const reply = (await response.json()) as ConflictsReply;
      const [first] = reply.conflicts;
      assert.ok(first);
      Object.assign(first, { field: 'deleted', variantLabel: null, side: 'woocommerce' });
      Object.assign(first, { woocommerce: true, agreed: false, shopify: false });
      await route.fulfill({ response, json: { ...reply, conflicts: [first], total: 1, nextCursor: null } });
    });
    await page.goto(`${app.url}/conflicts`);
    const options = page.getByRole('group', { name: 'Deleted in WooCommerce, changed in Shopify' });
    await options.getByRole('radio', { name: 'Deleted' }).check();
    await page.getByText('The product that WooCommerce deleted: it is put away in Shopify, too').waitFor();
    await options.getByRole('radio', { name: 'Kept' }).check();
    await page.getByText('The product that WooCommerce deleted: it is kept, against the delete.').waitFor();
    assert.equal(await options.getByRole('radio').count(), 2);
    await page.unroute('**/api/conflicts?*');
  });

  test('all that the filter shows is chosen, by key, also what is not read yet; a part of it by its own boxes', async () => {
    const { page } = open;
    await page.goto(`${app.url}/conflicts`);
    const list = page.getByRole('list', { name: 'Records with conflicts' });
    const all = page.getByRole('checkbox', { name: 'Choose all 10 conflicts' });
    await all.waitFor();
    assert.equal(await list.getByRole('listitem').count(), 2, 'a page of four, and no record in two parts');
    await all.press('Space');
    await page.getByText('10 conflicts of 5 records chosen').waitFor();
    assert.equal(await list.getByRole('listitem').count(), 5);
    await list.getByRole('checkbox').nth(1).press('Space');
    await page.getByText('8 conflicts of 4 records chosen').waitFor();
    assert.ok(await all.evaluate((box: HTMLInputElement) => box.indeterminate && !box.checked));
    assert.deepEqual(await audit(page, 'some conflicts chosen'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('searchbox').fill('price');
    await page.getByRole('checkbox', { name: 'Choose all 5 conflicts' }).press('Space');
    await page.getByText('5 conflicts of 5 records chosen').waitFor();
    await page.getByRole('searchbox').fill('no such thing');
    await page.getByText('No conflict matches the filter').waitFor();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await all.waitFor();
    assert.equal(await page.getByText(/ chosen$/).count(), 0, 'another list begins with none');
  });

  test('a request that fails stops it, and what nobody knows of is told apart from what was not sent', async () => {
    const { page } = open;
    const error = {
      code: 'STORAGE_FAILED',
      message: 'The disk of the server is full.',
      details: {},
      requestId: 'req_1',
    };
    await page.route('**/api/conflicts/resolutions', (route) => route.fulfill({ status: 409, json: { error } }));
    await page.getByRole('checkbox', { name: 'Choose all 10 conflicts' }).check();
    await page.getByRole('button', { name: 'Keep Shopify', exact: true }).click();
    await page.getByRole('button', { name: 'Resolve 10 conflicts' }).click();
    const over = page.getByRole('dialog', { name: '0 conflicts resolved' });
    await over.getByText('The disk of the server is full.').waitFor();
    await over.getByText('The answer did not come: it may be resolved (10)').waitFor();
    await page.unroute('**/api/conflicts/resolutions');
    await page.keyboard.press('Escape');
    await over.waitFor({ state: 'detached' });
    await focused(page.getByRole('checkbox', { name: 'Choose all 10 conflicts' }));
  });

  test('the confirmation says what happens; what was resolved meanwhile is listed and left as it is', async () => {
    const { page } = open;
    await page.getByRole('checkbox', { name: 'Choose all 10 conflicts' }).press('Space');
    await page.getByText('10 conflicts of 5 records chosen').waitFor();
    await page.getByRole('button', { name: 'Keep WooCommerce', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Keep WooCommerce in 10 conflicts?' });
    await dialog.getByText('WooCommerce wins in 10 conflicts of 5 records.').waitFor();
    await dialog.getByText('Price: 5 values').waitFor();
    await dialog.getByText('Title: 5 values').waitFor();
    await dialog.getByText('Show each of them').click();
    await dialog.getByText('BOWL-STONE of the first shop', { exact: true }).waitFor();
    assert.deepEqual(await audit(page, 'asking about many conflicts'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Somebody else has one of them for Shopify.
    const { conflicts } = await openConflicts(page);
    const theirs = conflicts.find(({ field, sku }) => field === 'title' && sku === 'BOWL-STONE');
    assert.ok(theirs);
    const choice = { choice: 'shopify', expectedVersion: theirs.version };
    await callApi(page, 'POST', `/conflicts/${theirs._id}/resolution`, choice);
    await dialog.getByRole('button', { name: 'Resolve 10 conflicts' }).press('Enter');
    const over = page.getByRole('dialog', { name: '9 conflicts resolved' });
    await over.getByText('It was resolved meanwhile (1)').waitFor();
    await over.getByText(/^BOWL-STONE of .*: Title$/).waitFor();
    await focused(over.getByText('9 of 10 resolved.'));
    assert.deepEqual(await audit(page, 'many conflicts resolved'), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await over.getByRole('button', { name: 'Close' }).last().press('Enter');
    await focused(page.getByText('All level. Nothing to resolve.'));
    type Records = { records: { title: string }[] };
    const titleOf = async (sku: string) =>
      (await callApi<Records>(page, 'GET', `/records?q=${sku}`)).records.map(({ title }) => title);
    assert.deepEqual(await titleOf('POT-12'), ['POT-12 of the first shop']);
    assert.deepEqual(await titleOf('BOWL-STONE'), ['BOWL-STONE of the second shop']);
  });

  test('the page had nothing to complain of', () => {
    assert.deepEqual(open.complaints, []);
  });
});
