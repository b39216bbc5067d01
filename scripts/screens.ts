// Writes a picture of every screen in both themes and two widths to ./screens, from the real server with real demo data.
// Run it after a build: npm run screens [-- only these screens]
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openPage, THEMES, type ThemeName, WIDTHS } from '../web/e2e/support/browser.ts';
import { openDemo } from '../web/e2e/support/demo.ts';
import { startServer } from '../web/e2e/support/start-server.ts';
import { APP_SCENES } from './screens/app-scenes.ts';
import { PUBLIC_SCENES } from './screens/public-scenes.ts';
import type { Scene } from './screens/scene.ts';
import { SETTINGS_SCENES } from './screens/settings-scenes.ts';

const OUT = join(import.meta.dirname, '../screens');
const SETTLE_MS = 450;
const HEIGHT_MAX = 8_000;

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

/** Which scenes are wanted: all, or those that the command line names, with whatever is named after them. */
function wantedScenes(hasKit: boolean): readonly Scene[] {
  const only = process.argv.slice(2);
  const isWanted = ({ name }: Scene) => only.length === 0 || only.some((wanted) => isCalled(name, wanted));
  return [...PUBLIC_SCENES, ...APP_SCENES, ...SETTINGS_SCENES].filter(
    (scene) => isWanted(scene) && (hasKit || !isCalled(scene.name, 'kit')),
  );
}

function isCalled(name: string, wanted: string): boolean {
  return name === wanted || name.startsWith(`${wanted}-`);
}

interface Look {
  readonly width: number;
  readonly theme: ThemeName;
}

async function shootGroup(
  browser: Browser,
  url: string,
  group: readonly Scene[],
  { width, theme }: Look,
): Promise<void> {
  const height = width < 820 ? 780 : 900;
  const excused = [401, 404, 422, 500];
  const { page, context, complaints } = await openPage(browser, { width, height, theme, excused });
  if (group.some(({ isSignedIn }) => isSignedIn)) await openDemo(page, url);
  for (const scene of group) {
    await page.setViewportSize({ width, height });
    await scene.go(page, url);
    await shoot(page, scene, width, theme);
  }
  for (const complaint of complaints) console.error(`${theme} ${width}: ${complaint}`);
  await context.close();
}

const server = await startServer();
const browser = await openBrowser();
try {
  if (!process.argv[2]) await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  const hasKit = (await fetch(`${server.url}/kit`)).ok;
  if (!hasKit) console.log('without the kit: it is there after WEB_KIT=on npm run build');
  const scenes = wantedScenes(hasKit);
  const groups = [
    scenes.filter(({ isAlone, isSignedIn }) => !isAlone && !isSignedIn),
    scenes.filter(({ isAlone, isSignedIn }) => !isAlone && isSignedIn),
    ...scenes.filter(({ isAlone }) => isAlone).map((scene) => [scene]),
  ].filter((group) => group.length > 0);
  for (const width of WIDTHS)
    for (const theme of THEMES)
      for (const group of groups) await shootGroup(browser, server.url, group, { width, theme });
} finally {
  await browser.close();
  await server.stop();
}
