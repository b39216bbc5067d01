import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { IN_BROWSER, startApp } from './support/app.ts';
import type { OpenPage } from './support/browser.ts';
import { act, bay, callApi, demoPairId, openDemo } from './support/demo.ts';
import { focused } from './support/waits.ts';

/**
 * From the press to the other side's label, the drawing of it included. Some tenths of a second as a rule; here it is only told from what
 * polls and scans would bring, because what else the machine does counts in.
 */
const CROSSING_MS_MAX = 5_000;

describe('demo shelves', IN_BROWSER, () => {
  const app = startApp();
  let open: OpenPage;
  before(async () => {
    open = await app.openPage();
    await openDemo(open.page, app.url);
  });

  const sides = ['woocommerce', 'shopify'] as const;
  const other = { woocommerce: 'shopify', shopify: 'woocommerce' } as const;
  const lane = { woocommerce: 'WooCommerce to Shopify', shopify: 'Shopify to WooCommerce' } as const;

  /**
   * Marks, in the page's own timeline, the next press of a button and the moment when the text has been drawn in this bay. The
   * function that is returned waits for both and says how many milliseconds are between them.
   */
  async function markCrossing(target: Locator, text: string): Promise<() => Promise<number>> {
    await target.evaluate((element, wanted) => {
      for (const name of ['pressed', 'crossing']) {
        performance.clearMarks(name);
        performance.clearMeasures(name);
      }
      document.addEventListener('click', ({ timeStamp }) => performance.mark('pressed', { startTime: timeStamp }), {
        capture: true,
        once: true,
      });
      new MutationObserver((_changes, observer) => {
        if (![...element.querySelectorAll('*')].some((part) => part.textContent === wanted)) return;
        observer.disconnect();
        requestAnimationFrame(() => performance.measure('crossing', 'pressed'));
      }).observe(element, { childList: true, subtree: true, characterData: true });
    }, text);
    return async () => {
      const measured = await target.page().waitForFunction(() => performance.getEntriesByName('crossing')[0]?.duration);
      return (await measured.jsonValue()) ?? 0;
    };
  }

  for (const side of sides) {
    test(`a sale on ${side} arrives on the other side at once, marigold, and in the live activity`, async (t) => {
      const { page } = open;
      const sku = side === 'woocommerce' ? 'APRON-LINEN' : 'CAN-BRASS';
      const target = bay(page, other[side], sku);
      const label = target.locator('[data-state]');
      const stock = Number(/(\d+)\$/.exec(await label.innerText().then((text) => text.replace(/\s/g, '')))?.[1]);
      const took = await markCrossing(target, String(stock - 1));
      await Promise.all([
        // It is marigold for a short time: that is waited for before it comes.
        label.and(page.locator('[data-state=changed]')).waitFor(),
        bay(page, side, sku)
          .getByRole('button', { name: /^Sell one/ })
          .click(),
      ]);
      await label.getByText(String(stock - 1), { exact: true }).waitFor();
      const crossing = await took();
      t.diagnostic(`it took ${Math.round(crossing)} ms`);
      assert.ok(crossing < CROSSING_MS_MAX, `it took ${crossing} ms`);
      const row = page
        .getByRole('list', { name: /^Events/ })
        .getByRole('listitem')
        .first();
      await row.getByRole('img', { name: lane[side] }).waitFor();
      await row.getByText(/in [\d.,]+ (ms|s)$/).waitFor();
      await page.getByText('Level', { exact: true }).waitFor();
      await label.and(page.locator('[data-state=plain]')).waitFor();
    });
  }

  test('restocking adds five on both sides', async () => {
    const { page } = open;
    await bay(page, 'shopify', 'BOWL-STONE')
      .getByRole('button', { name: /^Restock/ })
      .click();
    await bay(page, 'shopify', 'BOWL-STONE').getByText('18', { exact: true }).waitFor();
    await bay(page, 'woocommerce', 'BOWL-STONE').getByText('18', { exact: true }).waitFor();
  });

  test('a price and a title that are edited on Shopify appear on WooCommerce', async () => {
    const { page } = open;
    await bay(page, 'shopify', 'TOWEL-2').getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit on Shopify' });
    await focused(dialog.getByLabel('Title'));
    await dialog.getByLabel('Price').fill('19,x');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/not an amount/).waitFor();
    await dialog.getByLabel('Price').fill('19.50');
    await dialog.getByLabel('Title').fill('Tea towels, pair');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const target = bay(page, 'woocommerce', 'TOWEL-2');
    await target.getByText('$19.50', { exact: true }).waitFor();
    await target.getByText('Tea towels, pair', { exact: true }).waitFor();
  });

  test('a price that arrives while the title is edited is not taken back', async () => {
    const { page } = open;
    const target = bay(page, 'shopify', 'BASKET-RATTAN');
    await target.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit on Shopify' });
    await focused(dialog.getByLabel('Title'));
    await act(page, 'woocommerce', 'edit_price', 'BASKET-RATTAN', 5900);
    await target.getByText('$59.00', { exact: true }).waitFor();
    await dialog.getByLabel('Title').fill('Rattan basket, round');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const other = bay(page, 'woocommerce', 'BASKET-RATTAN');
    await other.getByText('Rattan basket, round', { exact: true }).waitFor();
    await page.getByText('Level', { exact: true }).waitFor();
    await other.getByText('$59.00', { exact: true }).waitFor();
  });

  test('Escape closes the dialog and the focus returns to its button', async () => {
    const { page } = open;
    const button = bay(page, 'woocommerce', 'MUG-CREAM').getByRole('button', { name: /^Edit/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await focused(button);
  });

  test('what is sold out cannot be sold', async () => {
    const { page } = open;
    const source = bay(page, 'woocommerce', 'THROW-RUST');
    for (let left = 4; left > 0; left -= 1) {
      await source.getByRole('button', { name: /^Sell one/ }).click();
      await source.getByText(String(left - 1), { exact: true }).waitFor();
    }
    const soldOut = source.getByRole('button', { name: /^Sold out/, disabled: true });
    await soldOut.waitFor();
    await focused(soldOut);
    await bay(page, 'shopify', 'THROW-RUST').getByText('0', { exact: true }).waitFor();
  });

  test('pausing the feed holds it still and counts what is new', async () => {
    const { page } = open;
    await page.getByRole('button', { name: 'Pause the feed' }).click();
    await bay(page, 'woocommerce', 'MUG-CREAM')
      .getByRole('button', { name: /^Sell one/ })
      .click();
    await page.getByText(/^Paused, \d+ new$/).waitFor();
    await page.getByRole('button', { name: 'Resume the feed' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('an expired access token is renewed without anybody noticing', async () => {
    const { page } = open;
    let isFirst = true;
    await page.route('**/api/demo/actions', async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      const error = { code: 'TOKEN_EXPIRED', message: 'Token expired', details: {}, requestId: 'req_test' };
      return route.fulfill({ status: 401, json: { error } });
    });
    const before = await page.evaluate(() => localStorage.getItem('accessToken'));
    await bay(page, 'shopify', 'JAR-05')
      .getByRole('button', { name: /^Sell one/ })
      .click();
    await bay(page, 'woocommerce', 'JAR-05').getByText('21', { exact: true }).waitFor();
    assert.notEqual(await page.evaluate(() => localStorage.getItem('accessToken')), before);
    await page.unroute('**/api/demo/actions');
  });

  test('what is done in one tab shows in the other, also while nothing travels', async () => {
    const { page, context } = open;
    const pairId = await demoPairId(page);
    await callApi(page, 'POST', `/pairs/${pairId}/pause`, {});
    const second = await context.newPage();
    await second.goto(`${app.url}/demo`);
    const there = bay(second, 'woocommerce', 'JAR-10').locator('[data-state]');
    await there.waitFor();
    const stock = Number(/(\d+)\$/.exec(await there.innerText().then((text) => text.replace(/\s/g, '')))?.[1]);
    await bay(page, 'woocommerce', 'JAR-10')
      .getByRole('button', { name: /^Sell one/ })
      .click();
    await there.getByText(String(stock - 1), { exact: true }).waitFor({ timeout: 3_000 });
    await second.close();
    await callApi(page, 'POST', `/pairs/${pairId}/resume`, {});
  });

  test('shops whose pair was removed are not said to travel', async () => {
    const { page } = open;
    await callApi(page, 'DELETE', `/pairs/${await demoPairId(page)}`);
    await page.goto(`${app.url}/demo`);
    await page.getByText('The pair of these two stores was removed: nothing travels between them.').waitFor();
  });

  test('the page had nothing to complain of', () => {
    const unexpected = open.complaints.filter((text) => !text.includes('401'));
    assert.deepEqual(unexpected, []);
  });
});
