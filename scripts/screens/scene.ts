import type { Page } from 'playwright-core';

export interface Scene {
  readonly name: string;
  /** Whether the page is inside a demo workspace when `go` is called. */
  readonly isSignedIn: boolean;
  /** Only what is in the window: for dialogs and for what floats. */
  readonly isWindowOnly?: boolean;
  /** It takes something away that other scenes need: shot with a page of its own. */
  readonly isAlone?: boolean;
  readonly go: (page: Page, url: string) => Promise<unknown>;
}

export const visit =
  (path: string) =>
  async (page: Page, url: string): Promise<void> => {
    await page.goto(`${url}${path}`);
    await page.locator('h1').first().waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
  };

/** Goes to the page and presses a button there. */
export const visitAndPress =
  (path: string, button: string) =>
  async (page: Page, url: string): Promise<void> => {
    await visit(path)(page, url);
    await page.getByRole('button', { name: button, exact: true }).click();
  };

/** Answers a call with a failure, as a server in trouble would. */
export async function failCall(page: Page, pattern: string, status = 422): Promise<void> {
  const error = { code: 'INTERNAL', message: 'The store could not be reached.', details: {}, requestId: 'req_01m8' };
  await page.route(pattern, (route) => route.fulfill({ status, json: { error } }));
}
