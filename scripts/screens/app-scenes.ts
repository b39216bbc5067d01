import type { Page } from 'playwright-core';
import { bay, callApi, demoPairId, driftApart, makeConflicts } from '../../web/e2e/support/demo.ts';
import { failCall, type Scene, visit, visitAndPress } from './scene.ts';

async function makePlan(page: Page, pairId: string): Promise<string> {
  const { plan } = await callApi<{ plan: { _id: string } }>(page, 'POST', `/pairs/${pairId}/plan`, {});
  return `/plans/${plan._id}`;
}

/** What is seen in a workspace; in this order, for some change what is on the shelves. */
export const APP_SCENES: readonly Scene[] = [
  {
    name: 'demo',
    isSignedIn: true,
    go: async (page, url) => {
      await visit('/demo')(page, url);
      await bay(page, 'woocommerce', 'APRON-LINEN')
        .getByRole('button', { name: /^Sell one/ })
        .click();
      await page.waitForTimeout(900);
      await bay(page, 'shopify', 'MUG-FOREST')
        .getByRole('button', { name: /^Sell one/ })
        .click();
      await page.waitForTimeout(700);
    },
  },
  {
    name: 'demo-edit',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/demo')(page, url);
      await bay(page, 'shopify', 'MUG-CREAM').getByRole('button', { name: /^Edit/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'overview', isSignedIn: true, go: visit('/dashboard') },
  { name: 'activity', isSignedIn: true, go: visit('/dashboard?tab=activity') },
  { name: 'plans', isSignedIn: true, go: visit('/plans') },
  {
    name: 'plan-level',
    isSignedIn: true,
    go: async (page, url) => {
      await visit(await makePlan(page, await demoPairId(page)))(page, url);
      await page.getByText('All level').waitFor();
    },
  },
  {
    name: 'plan',
    isSignedIn: true,
    go: async (page, url) => {
      await visit(await makePlan(page, await driftApart(page)))(page, url);
      await page.getByRole('button', { name: /^Apply/ }).waitFor();
    },
  },
  {
    name: 'run',
    isSignedIn: true,
    go: async (page, url) => {
      const { syncLogs } = await callApi<{ syncLogs: { _id: string }[] }>(page, 'GET', '/sync/history?limit=1');
      await visit(`/runs/${syncLogs[0]?._id}`)(page, url);
    },
  },
  {
    name: 'plan-applied',
    isSignedIn: true,
    go: async (page, url) => {
      const { syncLogs } = await callApi<{ syncLogs: { planId: string }[] }>(page, 'GET', '/sync/history?limit=1');
      await visit(`/plans/${syncLogs[0]?.planId}`)(page, url);
    },
  },
  { name: 'history', isSignedIn: true, go: visit('/sync/history') },
  { name: 'records', isSignedIn: true, go: visit('/records') },
  {
    name: 'record',
    isSignedIn: true,
    go: async (page, url) => {
      const { records } = await callApi<{ records: { _id: string }[] }>(page, 'GET', '/records?q=candle');
      await visit(`/records/${records[0]?._id}`)(page, url);
    },
  },
  {
    name: 'record-count',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      const { records } = await callApi<{ records: { _id: string }[] }>(page, 'GET', '/records?q=candle');
      await visit(`/records/${records[0]?._id}`)(page, url);
      await page.getByRole('button', { name: 'Enter a count' }).click();
    },
  },
  { name: 'conflicts-none', isSignedIn: true, go: visit('/conflicts') },
  {
    name: 'conflicts',
    isSignedIn: true,
    go: async (page, url) => {
      await makeConflicts(page);
      const { conflicts } = await callApi<{ conflicts: { recordId: string }[] }>(page, 'GET', '/conflicts?state=open');
      await visit(`/conflicts?id=${conflicts[0]?.recordId}`)(page, url);
      await page
        .getByRole('radio', { name: /Shopify/ })
        .first()
        .press('Space');
    },
  },
  { name: 'problems', isSignedIn: true, go: visit('/problems') },
  { name: 'stores', isSignedIn: true, go: visit('/stores') },
  {
    name: 'store-settings',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/stores')(page, url);
      await page.getByRole('button', { name: 'Settings', exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'pair-settings',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/dashboard')(page, url);
      await page.getByRole('link', { name: /^Configure/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'connect', isSignedIn: true, isWindowOnly: true, go: visit('/stores?connect=choose') },
  { name: 'connect-shopify', isSignedIn: true, isWindowOnly: true, go: visit('/stores?connect=shopify') },
  { name: 'pair', isSignedIn: true, isWindowOnly: true, go: visit('/stores?connect=pair') },
  {
    name: 'palette',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/dashboard')(page, url);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('candle');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'palette-none',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/dashboard')(page, url);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('zzzz');
      await page.getByText('Nothing matches.').waitFor();
    },
  },
  {
    name: 'shortcuts',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/dashboard')(page, url);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'more-menu',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/dashboard')(page, url);
      const more = page.getByRole('button', { name: 'More' });
      await ((await more.isVisible()) ? more : page.getByRole('button', { name: 'Theme' })).click();
    },
  },
  {
    name: 'overview-loading',
    isSignedIn: true,
    isAlone: true,
    go: async (page, url) => {
      await page.route('**/api/dashboard/overview', () => undefined);
      await page.goto(`${url}/dashboard`);
      await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    },
  },
  {
    name: 'overview-failed',
    isSignedIn: true,
    go: async (page, url) => {
      await failCall(page, '**/api/dashboard/overview');
      await visit('/dashboard')(page, url);
      await page.getByRole('button', { name: 'Try Again' }).waitFor();
      await page.unroute('**/api/dashboard/overview');
    },
  },
  { name: 'history-empty', isSignedIn: true, go: visit('/sync/history?status=failed&q=nothing') },
  {
    name: 'verify-email-resend',
    isSignedIn: true,
    go: visit('/verify-email'),
  },
  {
    name: 'toast',
    isSignedIn: true,
    isWindowOnly: true,
    go: async (page, url) => {
      await visitAndPress('/dashboard', 'Run Quick Sync')(page, url);
      await page.getByText('Sync completed successfully!').waitFor();
    },
  },
  {
    name: 'offline',
    isSignedIn: true,
    isWindowOnly: true,
    isAlone: true,
    go: async (page, url) => {
      await visit('/demo')(page, url);
      await page.context().setOffline(true);
      await page.getByText('Offline Mode').waitFor();
    },
  },
];
