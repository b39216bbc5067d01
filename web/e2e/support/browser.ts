import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { whyMissing } from '../../../src/testing/support/missing-tools.ts';
import { WITHIN_MS } from './waits.ts';

/** Debian's own; anywhere else say where with CHROMIUM. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why nothing can be shown here; false: there is a browser. */
export const WHY_NO_BROWSER = whyMissing(
  existsSync(CHROMIUM) ? [] : ['Chromium'],
  `none at ${CHROMIUM}: apt-get install chromium, or set CHROMIUM`,
);

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export type ThemeName = 'light' | 'dark';
export const THEMES: readonly ThemeName[] = ['light', 'dark'];
export const WIDTHS = [1440, 360] as const;

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console and the page complained of so far. */
  readonly complaints: readonly string[];
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: ThemeName;
  /** Statuses of failed requests that the test provokes: no complaint. */
  readonly excused?: readonly number[];
}

/** React asks for a part's styles ahead of drawing it; on a slow machine Chromium finds the time in between long. Nothing is wrong with the page. */
const SLOW_STYLES = /\.css was preloaded using link preload but not used within a few seconds/;

/** A page with an empty storage. */
export async function openPage(
  browser: Browser,
  { width = 1440, height = 900, theme = 'light', excused = [] }: PageOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: 'en-US',
    timezoneId: 'UTC',
    hasTouch: width < 820,
    isMobile: width < 820,
  });
  context.setDefaultTimeout(WITHIN_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (SLOW_STYLES.test(message.text())) return;
    const status = /status of (\d{3})/.exec(message.text())?.[1];
    if (status && excused.includes(Number(status))) return;
    complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  return { page, context, complaints };
}
