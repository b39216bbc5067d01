import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { openDemo } from './support/demo.ts';
import { focused } from './support/waits.ts';

describe('palette and keyboard', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage({ excused: [422] });
    await openDemo(open.page, app.url);
  });

  /** Opens the palette, whose field then has the focus. */
  async function palette(how: () => Promise<void> = () => open.page.keyboard.press('Control+k')): Promise<void> {
    await how();
    await focused(open.page.getByRole('combobox'));
  }

  // Also while they are closed and not yet out of the page.
  const paletteDialog = () => open.page.getByRole('dialog', { name: 'Search or jump to', includeHidden: true });
  const help = () => open.page.getByRole('dialog', { name: 'Keyboard shortcuts', includeHidden: true });

  /** Escape, and then until the keys are the page's again: those that come before go to the dialog or to its field. */
  async function close(dialog: Locator): Promise<void> {
    await open.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.page.waitForFunction(() => document.activeElement?.closest('input, textarea, select, dialog') === null);
  }

  /** One right after the other: a slow page in between would make them two single keys. */
  const pressBoth = async (first: string, second: string): Promise<void> => {
    await Promise.all([open.page.keyboard.press(first), open.page.keyboard.press(second)]);
  };

  const heading = (name: string) => open.page.getByRole('heading', { level: 1, name }).waitFor();
  const path = () => open.page.evaluate(() => location.pathname);

  test('Ctrl K opens the palette; typing narrows it, the arrows move, Enter goes there, Escape closes', async () => {
    const { page } = open;
    await palette();
    await close(paletteDialog());
    await palette(() => page.getByRole('button', { name: 'Search or jump to' }).click());
    await page.keyboard.type('sync hist');
    const options = page.getByRole('option');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
    assert.match(await options.first().innerText(), /Sync history/);
    await page.keyboard.press('Enter');
    await heading('Sync history');
    await paletteDialog().waitFor({ state: 'detached' });
    await palette();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
    await close(paletteDialog());
  });

  test('records are found by name and open; what matches nothing says so', async () => {
    const { page } = open;
    await palette();
    await page.keyboard.type('candle');
    await page
      .getByRole('option', { name: /CANDLE/ })
      .first()
      .click();
    await page.waitForURL(/\/records\/prd_/);
    await paletteDialog().waitFor({ state: 'detached' });
    await palette();
    await page.keyboard.type('zzzz');
    await page.getByText('Nothing matches.', { exact: true }).waitFor();
    await close(paletteDialog());
  });

  test('a store is found by its name; records of what was typed before are gone, and an open or failed search says so', async () => {
    const { page } = open;
    await palette();
    await page.keyboard.type('harb');
    await page
      .getByRole('option', { name: /^Harbour & Home/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await heading('Stores');
    await palette();
    await page.keyboard.type('candle');
    const candle = page.getByRole('option', { name: /CANDLE/ });
    await candle.first().waitFor();
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/records?*', async (route) => {
      await isAnswered;
      const message = 'The search is out of order.';
      await route.fulfill({ status: 422, json: { error: { code: 'UNKNOWN', message, details: {}, requestId: '' } } });
    });
    await page.keyboard.type(' zz');
    await page.getByText('Nothing matches so far. The search goes on.', { exact: true }).waitFor();
    assert.equal(await candle.count(), 0);
    answer();
    await page.getByText('The search is out of order.', { exact: true }).waitFor();
    await page.unroute('**/api/records?*');
    await close(paletteDialog());
  });

  test('a plan that the palette makes is opened, though the palette has closed by then', async () => {
    const { page } = open;
    await palette();
    await page.keyboard.type('preview changes');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
    await page.keyboard.press('Enter');
    await paletteDialog().waitFor({ state: 'detached' });
    await page.waitForURL(/\/plans\/[^/]+$/);
  });

  test('G then a letter leads through the app, ? shows the keys; turned off they do nothing, Ctrl K still does', async () => {
    const { page } = open;
    const ways = [
      ['o', 'Overview'],
      ['c', 'Conflicts'],
      ['h', 'Sync history'],
      ['r', 'Records'],
      ['s', 'Stores'],
    ] as const;
    for (const [key, name] of ways) {
      await pressBoth('g', key);
      await heading(name);
    }
    await pressBoth('g', 'p');
    await page.waitForURL(/\/plans$/);
    await page.keyboard.press('?');
    await help().getByLabel('Single-key shortcuts').uncheck();
    await close(help());
    await pressBoth('g', 'o');
    await page.keyboard.press('?');
    // The next key is answered: the ones before it have been.
    await palette();
    assert.equal(await path(), '/plans');
    assert.equal(await help().count(), 0);
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await help().getByLabel('Single-key shortcuts').check();
    await close(help());
  });

  test('a choice that has the focus does not take the keys: no letter means anything to it', async () => {
    const { page } = open;
    await page.goto(`${app.url}/conflicts`);
    await page.getByRole('radio', { name: 'Resolved' }).check();
    await focused(page.getByRole('radio', { name: 'Resolved' }));
    await pressBoth('g', 'r');
    await heading('Records');
  });

  test('axe finds nothing with the palette, the help, the theme menu and the dock’s menu open; no complaints', async () => {
    const { page } = open;
    const found: string[] = [];
    await palette();
    found.push(...(await audit(page, 'palette')));
    await close(paletteDialog());
    await page.keyboard.press('?');
    await help().waitFor();
    found.push(...(await audit(page, 'help')));
    await close(help());
    await page.setViewportSize({ width: 1440, height: 900 });
    const themes = page.getByRole('group', { name: 'Theme' });
    await page.getByRole('button', { name: 'Theme' }).click();
    await themes.waitFor();
    found.push(...(await audit(page, 'theme', [1440])));
    await page.keyboard.press('Escape');
    await themes.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog', { name: 'More' }).waitFor();
    found.push(...(await audit(page, 'more', [360])));
    assert.deepEqual(found, []);
    assert.deepEqual(open.complaints, []);
  });
});
