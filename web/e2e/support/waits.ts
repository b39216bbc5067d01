import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

/** Longer than anything takes on a machine that has a lot else to do. */
export const WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** Looks again and again, until there is something to be seen; that is returned. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + WITHIN_MS;
  while (Date.now() < end) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`${what}: not in ${WITHIN_MS} ms`);
}

/** Presses what has a page ask again. It does so by itself, too, and may be quicker: then there is nothing left to press. */
export async function pressUnlessGone(button: Locator): Promise<void> {
  await button
    .click({ timeout: 5_000 })
    .catch((error: unknown) => button.waitFor({ state: 'detached' }).catch(() => Promise.reject(error)));
}

/** Waits until this has the focus. Effects move it, and those come after what they belong to has been drawn. */
export function focused(wanted: Locator): Promise<void> {
  return wanted.and(wanted.page().locator(':focus')).waitFor({ state: 'attached' });
}

/** The same for the control of a form that has this name. */
export function focusedControl(page: Page, name: string): Promise<void> {
  return focused(page.locator(`[name="${name}"]`));
}

/** Waits until the page has such a title: an effect sets it after the page has been drawn. */
export async function titled(page: Page, pattern: RegExp): Promise<void> {
  await page.waitForFunction((wanted) => wanted.test(document.title), pattern);
}

/**
 * A page that was drawn at build time is there before its script, and until that has come it answers to no press. From then on
 * its elements carry what they answer to, in a property that React names so.
 */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector('h1');
    return heading !== null && Object.keys(heading).some((key) => key.startsWith('__reactProps$'));
  });
}

/** As from another window after a minute: what was read before that is read again. */
export function comeBackLater(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    window.dispatchEvent(new Event('visibilitychange'));
    await new Promise((resolve) => setTimeout(resolve));
    Date.now = now;
  });
}

/** Two frames have been drawn: what was set off before them has been seen by every listener. */
export async function framesDrawn(page: Page): Promise<void> {
  // No named functions in here: what compiles this file marks them with a helper that the page does not have.
  await page.evaluate(async () => {
    for (let count = 0; count < 2; count += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/**
 * Watches for a text from now on. The function that is returned waits until it has come and gone, and says how many milliseconds it
 * was there: by the page's own clock, so that nothing of how busy the machine is around the page is in it.
 */
export async function watchText(page: Page, text: string): Promise<() => Promise<number>> {
  await page.evaluate((wanted) => {
    new MutationObserver((_changes, observer) => {
      const isThere = [...document.querySelectorAll('body *')].some(
        (element) => element.childElementCount === 0 && element.textContent === wanted,
      );
      const hasCome = performance.getEntriesByName(`${wanted} came`).length > 0;
      if (isThere && !hasCome) performance.mark(`${wanted} came`);
      if (isThere || !hasCome) return;
      performance.measure(wanted, `${wanted} came`);
      observer.disconnect();
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);
  return async () => {
    const measured = await page.waitForFunction((name) => performance.getEntriesByName(name)[0]?.duration, text);
    return (await measured.jsonValue()) ?? 0;
  };
}
