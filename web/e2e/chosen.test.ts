import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import { THEMES } from './support/browser.ts';
import { makeConflicts, openDemo } from './support/demo.ts';

/** WCAG 1.4.11. */
const CONTRAST_MIN = 3;

/** Of the line around what is chosen, against what lies beside it. */
async function contrast(chosen: Locator, property: 'borderTopColor' | 'borderBottomColor'): Promise<number> {
  return chosen.evaluate((node, name) => {
    const rgb = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: string) => {
      const [r = 0, g = 0, b = 0] = rgb(colour).map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let around = node.parentElement;
    while (around && rgb(getComputedStyle(around).backgroundColor)[3] === 0) around = around.parentElement;
    const both = [getComputedStyle(node)[name], getComputedStyle(around ?? document.body).backgroundColor];
    const [light = 1, dark = 1] = both.map(luminance).toSorted((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }, property);
}

describe('what is chosen', IN_BROWSER, () => {
  const app = startApp();

  for (const theme of THEMES) {
    test(`is told from its neighbours by more than a shade, ${theme}`, async () => {
      const { page, context } = await app.openPage({ theme, width: 1280 });
      await openDemo(page, app.url);
      const shows = async (what: string, chosen: Locator, line: 'borderTopColor' | 'borderBottomColor') => {
        await chosen.waitFor();
        const found = await contrast(chosen, line);
        assert.ok(found >= CONTRAST_MIN, `${what}, ${theme}: ${found.toFixed(2)}`);
      };
      await page.goto(`${app.url}/conflicts`);
      await shows('a segment', page.locator('main fieldset input:checked + span').first(), 'borderTopColor');
      const rail = page.getByRole('navigation').locator('a[aria-current=page]').first();
      await shows('a place in the rail', rail, 'borderTopColor');
      await makeConflicts(page);
      await shows('a record of the list', page.locator('main li button[aria-current]').first(), 'borderTopColor');
      await page.goto(`${app.url}/records?state=level`);
      await shows('a filter', page.locator('[aria-pressed=true]').first(), 'borderTopColor');
      await page.goto(`${app.url}/dashboard`);
      await shows('a tab', page.locator('main nav a[aria-current=page]').first(), 'borderBottomColor');
      await page.goto(`${app.url}/settings`);
      await shows('a part of the settings', page.locator('main nav [aria-current]').first(), 'borderTopColor');
      await context.close();
    });
  }
});
