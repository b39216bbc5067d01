import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { type OpenPage, openBrowser, openPage, type PageOptions, WHY_NO_BROWSER } from './browser.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** For a describe block that drives a browser: without one it is skipped, and says what is missing. */
export const IN_BROWSER = { skip: WHY_NO_BROWSER };

export interface App {
  /** Where the server answers. Not before the block's first hook. */
  readonly url: string;
  readonly openPage: (options?: PageOptions) => Promise<OpenPage>;
}

/** A server and a browser for the describe block that this is called in: there before its first hook, gone after its last test. */
export function startApp(env?: Readonly<Record<string, string>>): App {
  let server: RunningServer;
  let browser: Browser;
  before(async () => {
    // One after the other: a browser beside a server that does not start would keep the tests' process alive.
    server = await startServer(env);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  return {
    get url() {
      return server.url;
    },
    openPage: (options) => openPage(browser, options),
  };
}
