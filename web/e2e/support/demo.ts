import type { Page } from 'playwright-core';
import { until } from './waits.ts';

type Side = 'woocommerce' | 'shopify';

/** Opens a demo workspace and waits until its shelves are there and agree. */
export async function openDemo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/demo`);
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await page.locator('[data-sku]').first().waitFor();
  await page.getByText('Level', { exact: true }).waitFor();
}

/** A call of the API with the page's own session. */
export async function callApi<T>(page: Page, method: string, path: string, body?: unknown): Promise<T> {
  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  const answer = await fetch(new URL(`/api${path}`, page.url()), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

export async function demoPairId(page: Page): Promise<string> {
  const { pairId } = await callApi<{ pairId: string }>(page, 'GET', '/demo/shelves');
  return pairId;
}

export async function act(page: Page, side: Side, action: string, sku: string, value?: number | string): Promise<void> {
  await callApi(page, 'POST', '/demo/actions', { side, action, sku, ...(value === undefined ? {} : { value }) });
}

/** The bay of one product on one side of the shelves. */
export function bay(page: Page, side: Side, sku: string) {
  return page.locator(`[data-side=${side}][data-sku="${sku}"]`);
}

/** From now on nothing syncs by itself. */
async function holdStill(page: Page, pairId: string): Promise<void> {
  await callApi(page, 'PATCH', `/pairs/${pairId}`, { syncSchedule: 'manual' });
}

/** Makes the two shelves differ while nothing syncs, so that a plan has something to say. Returns the pair's id. */
export async function driftApart(page: Page): Promise<string> {
  const pairId = await demoPairId(page);
  await holdStill(page, pairId);
  await act(page, 'woocommerce', 'edit_price', 'APRON-LINEN', 5250);
  await act(page, 'woocommerce', 'sell', 'APRON-LINEN', 2);
  await act(page, 'shopify', 'edit_title', 'CAN-BRASS', 'Brass watering can, long spout');
  await act(page, 'shopify', 'sell', 'TOWEL-2', 3);
  await act(page, 'woocommerce', 'edit_title', 'CANDLE-S', 'Beeswax candle, hand-poured');
  await act(page, 'shopify', 'edit_price', 'CANDLE-L', 2650);
  return pairId;
}

/**
 * Both shops give one thing different prices while a person is to decide: a conflict. The pair is paused meanwhile: changed settings
 * have everything looked at again, and such a look would carry the first edit across before the second is typed.
 */
export async function makeConflicts(page: Page): Promise<void> {
  const pairId = await demoPairId(page);
  await callApi(page, 'POST', `/pairs/${pairId}/pause`, {});
  await callApi(page, 'PATCH', `/pairs/${pairId}`, { conflictResolution: 'manual', syncSchedule: 'realtime' });
  await act(page, 'woocommerce', 'edit_price', 'BOWL-STONE', 2400);
  await act(page, 'shopify', 'edit_price', 'BOWL-STONE', 2800);
  await act(page, 'woocommerce', 'edit_title', 'CAN-BRASS', 'Brass watering can, small');
  await act(page, 'shopify', 'edit_title', 'CAN-BRASS', 'Brass watering can (indoor)');
  await callApi(page, 'POST', `/pairs/${pairId}/resume`, {});
  await callApi(page, 'POST', '/sync/manual', { pairId });
  await until('The two edits become conflicts', async () => {
    const { total } = await callApi<{ total: number }>(page, 'GET', '/conflicts?state=open');
    return total >= 2 ? total : undefined;
  });
}
