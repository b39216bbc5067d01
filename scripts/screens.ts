// Writes a picture of every screen in both themes and two widths to ./screens, from the real server with real demo data.
// Run it after a build: npm run screens [-- only these screens]
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, THEMES, type ThemeName, WIDTHS } from '../web/e2e/support/browser.ts';
import { bay, callApi, demoPairId, driftApart, makeConflicts, openDemo } from '../web/e2e/support/demo.ts';
import { startServer } from '../web/e2e/support/start-server.ts';

const OUT = join(import.meta.dirname, '../screens');
const SETTLE_MS = 450;
const HEIGHT_MAX = 8_000;

interface Scene {
  readonly name: string;
  /** Whether the page is inside a demo workspace when `go` is called. */
  readonly isSignedIn: boolean;
  /** Only what is in the window: for dialogs. */
  readonly isWindowOnly?: boolean;
  readonly go: (page: Page, url: string) => Promise<unknown>;
}

const visit =
  (path: string) =>
  async (page: Page, url: string): Promise<void> => {
    await page.goto(`${url}${path}`);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
  };

async function makePlan(page: Page, pairId: string): Promise<string> {
  const { plan } = await callApi<{ plan: { _id: string } }>(page, 'POST', `/pairs/${pairId}/plan`, {});
  return `/plans/${plan._id}`;
}

const SCENES: readonly Scene[] = [
  { name: 'landing', isSignedIn: false, go: visit('/') },
  { name: 'pricing', isSignedIn: false, go: visit('/pricing') },
  { name: 'pricing-self-hosted', isSignedIn: false, go: visit('/pricing?tab=self-hosted') },
  { name: 'about', isSignedIn: false, go: visit('/about') },
  { name: 'security', isSignedIn: false, go: visit('/security') },
  { name: 'license', isSignedIn: false, go: visit('/license') },
  { name: 'enterprise', isSignedIn: false, go: visit('/enterprise') },
  { name: 'privacy', isSignedIn: false, go: visit('/privacy') },
  { name: 'terms', isSignedIn: false, go: visit('/terms') },
  { name: 'contact', isSignedIn: false, go: visit('/contact') },
  {
    name: 'contact-wrong',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/contact')(page, url);
      await page.getByRole('button', { name: 'Send Message' }).click();
    },
  },
  {
    name: 'site-menu',
    isSignedIn: false,
    isWindowOnly: true,
    go: async (page, url) => {
      await visit('/about')(page, url);
      const menu = page.getByRole('button', { name: 'Open menu' });
      if (await menu.isVisible()) await menu.click();
      await page.evaluate(() => window.scrollTo(0, 200));
    },
  },
  { name: 'login', isSignedIn: false, go: visit('/login?verified=true') },
  {
    name: 'login-wrong',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/login')(page, url);
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByLabel('Password', { exact: true }).fill('not this one');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'signup', isSignedIn: false, go: visit('/signup') },
  {
    name: 'signup-security',
    isSignedIn: false,
    go: async (page, url) => {
      await visit('/signup')(page, url);
      await page.getByLabel('First name').fill('Ida');
      await page.getByLabel('Last name').fill('Berg');
      await page.getByLabel('Email').fill('ida@example.com');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Password', { exact: true }).fill('shelf1');
      await page.getByRole('button', { name: 'Create Account' }).click();
    },
  },
  { name: 'forgot-password', isSignedIn: false, go: visit('/forgot-password') },
  { name: 'reset-password', isSignedIn: false, go: visit('/reset-password#token=x') },
  { name: 'verify-email', isSignedIn: false, go: visit('/verify-email') },
  { name: 'accept-invite', isSignedIn: false, go: visit('/accept-invite') },
  { name: 'demo-door', isSignedIn: false, go: visit('/demo') },
  { name: 'not-found', isSignedIn: false, go: visit('/no/such/page') },
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
        .check({ force: true });
    },
  },
  { name: 'stores', isSignedIn: true, go: visit('/stores') },
  { name: 'connect', isSignedIn: true, isWindowOnly: true, go: visit('/stores?connect=choose') },
  { name: 'connect-shopify', isSignedIn: true, isWindowOnly: true, go: visit('/stores?connect=shopify') },
  { name: 'pair', isSignedIn: true, isWindowOnly: true, go: visit('/stores?connect=pair') },
];

async function shoot(page: Page, scene: Scene, width: number, theme: ThemeName): Promise<void> {
  await page.waitForTimeout(SETTLE_MS);
  // A taller window instead of a long picture: bars that stick stay at its edge.
  if (!scene.isWindowOnly) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.min(HEIGHT_MAX, Math.max(width < 820 ? 780 : 900, height)) });
    await page.waitForTimeout(150);
  }
  await page.screenshot({ path: join(OUT, `${scene.name}-${theme}-${width}.png`) });
}

async function shootAll(browser: Browser, url: string, width: number, theme: ThemeName): Promise<void> {
  const height = width < 820 ? 780 : 900;
  const only = process.argv.slice(2);
  const scenes = SCENES.filter(
    ({ name }) => only.length === 0 || only.some((wanted) => name === wanted || name.startsWith(`${wanted}-`)),
  );
  for (const isSignedIn of [false, true]) {
    const { page, context, complaints } = await openPage(browser, { width, height, theme, excused: [401, 404] });
    const group = scenes.filter((scene) => scene.isSignedIn === isSignedIn);
    if (isSignedIn && group.length > 0) await openDemo(page, url);
    for (const scene of group) {
      await page.setViewportSize({ width, height });
      await scene.go(page, url);
      await shoot(page, scene, width, theme);
    }
    for (const complaint of complaints) console.error(`${theme} ${width}: ${complaint}`);
    await context.close();
  }
}

const server = await startServer();
const browser = await openBrowser();
try {
  if (!process.argv[2]) await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  for (const width of WIDTHS) for (const theme of THEMES) await shootAll(browser, server.url, width, theme);
} finally {
  await browser.close();
  await server.stop();
}
