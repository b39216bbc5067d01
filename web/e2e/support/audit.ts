import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { THEMES, WIDTHS } from './browser.ts';

/** Rules whose verdict depends on colours: all that another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
/** Without motion nothing is on its way for longer. */
const SETTLE_MS = 60;

async function findings(page: Page, isColourOnly: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  if (isColourOnly) axe.withRules(COLOUR_RULES);
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));
}

/** Nothing may be wider than the window: no sideways scrolling. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

/**
 * What axe and the eye would find on the page as it is, in both widths and both themes. Everything is looked at in the light theme;
 * in the dark one the rules that colours decide.
 */
export async function audit(page: Page, name: string, widths: readonly number[] = WIDTHS): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 820 ? 780 : 900 });
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.waitForTimeout(SETTLE_MS);
      const texts = await findings(page, theme === 'dark');
      found.push(...texts.map((text) => `${name}, ${theme}, ${width}: ${text}`));
    }
    const extra = await overflow(page);
    if (extra > 0) found.push(`${name} is ${extra} px too wide at ${width}`);
  }
  return found;
}
