import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { IN_BROWSER, startApp } from './support/app.ts';
import { audit } from './support/audit.ts';
import type { OpenPage } from './support/browser.ts';
import { openDemo } from './support/demo.ts';

describe('palette and keyboard', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage();
    open.page.setDefaultTimeout(15_000);
    await openDemo(open.page, app.url);
  });

  /** Opens the palette, whose field then has the focus. */
  async function palette(how: () => Promise<void> = () => open.page.keyboard.press('Control+k')): Promise<void> {
    await how();
    await open.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
  }

  const heading = (name: string) => open.page.getByRole('heading', { level: 1, name }).waitFor();
  const path = () => new URL(open.page.url()).pathname;

  test('Ctrl K opens the palette; typing narrows it, the arrows move, Enter goes there, Escape closes', async () => {
    const { page } = open;
    await palette();
    const box = page.getByRole('combobox');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await palette(() => page.getByRole('button', { name: 'Search or jump to' }).click());
    await page.keyboard.type('sync hist');
    const options = page.getByRole('option');
    await page.waitForFunction(() => document.querySelectorAll('[role=option]').length === 1);
    assert.match(await options.first().innerText(), /Sync history/);
    await page.keyboard.press('Enter');
    await heading('Sync history');
    await palette();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
    await page.keyboard.press('Escape');
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
    await palette();
    await page.keyboard.type('zzzz');
    await page.getByText('Nothing matches.', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
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
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await heading(name);
    }
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.waitForURL(/\/plans$/);
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.waitForTimeout(150);
    assert.equal(path(), '/plans');
    await palette();
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await help.getByLabel('Single-key shortcuts').check();
    await page.keyboard.press('Escape');
  });

  test('axe finds nothing with the palette, the help, the theme menu and the dock’s menu open; no complaints', async () => {
    const { page } = open;
    const found: string[] = [];
    await palette();
    found.push(...(await audit(page, 'palette')));
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    found.push(...(await audit(page, 'help')));
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Theme' }).click();
    found.push(...(await audit(page, 'theme', [1440])));
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole('button', { name: 'More' }).click();
    found.push(...(await audit(page, 'more', [360])));
    assert.deepEqual(found, []);
    assert.deepEqual(open.complaints, []);
  });
});
