import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { THEMES, WIDTHS } from './browser.ts';

/** Rules whose verdict depends on colours: all that another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Two frames have been drawn, and whatever they set in motion has come to rest. */
async function settle(page: Page): Promise<void> {
  // No named functions in here: what compiles this file marks them with a helper that the page does not have.
  await page.evaluate(async () => {
    for (let count = 0; count < 2; count += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    );
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

async function findings(page: Page, isColourOnly: boolean): Promise<string[]> {
  // Without frames in it, a page can be looked at in one go and in its own place; only what is wrong is of interest. Else most of
  // the time goes into carrying what is right through two more pages.
  if (page.frames().length > 1) throw new Error(`${page.url()} has frames: they need axe's other mode`);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
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
      await settle(page);
      const texts = await findings(page, theme === 'dark');
      found.push(...texts.map((text) => `${name}, ${theme}, ${width}: ${text}`));
    }
    const extra = await overflow(page);
    if (extra > 0) found.push(`${name} is ${extra} px too wide at ${width}`);
  }
  return found;
}
