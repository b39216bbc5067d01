import { findWebDir, startApp } from '../app.ts';
import { BRAND } from '../brand.ts';
import { loadConfig } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { collectGarbage } from '../system/collect-garbage.ts';
import { createLog } from '../system/log.ts';

/** So long after it answers a server has started, and what that took is let go of, ms. */
const STARTED_MS = 3_000;

/** The server, until it is told to stop. */
export async function serve(): Promise<void> {
  // A log that can't be written (its disk is full, its reader is gone) costs lines. Node would end the process for it.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  const config = loadConfig();
  const log = createLog({ level: config.logLevel, format: process.stdout.isTTY ? 'text' : 'json' });
  const app = await startApp({ config, log, webDir: findWebDir(), showSetupToken });
  log.info({ version: VERSION, url: app.url, dataDir: config.dataDir, demo: config.demo }, `${BRAND.name} is running`);
  const url = config.server.publicUrl ?? app.url;
  console.log(`\n  ${BRAND.name} ${VERSION} is running: ${url}\n`);
  if (config.demo) console.log(`  Two sandbox stores that sync, to play with: ${url}/demo\n`);
  // Who has just installed it sees what it does; later on the first page leads to one's own dashboard.
  process.send?.({ ready: config.demo && app.isNew ? `${app.url}/demo` : app.url });
  setTimeout(collectGarbage, STARTED_MS).unref();
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'stopping');
    app.stop().catch((error: unknown) => {
      log.error({ error: String(error) }, 'the server did not stop in order');
      process.exitCode = 1;
    });
  };
  // Asked twice, Node's own handler ends the process at once: what matters is in the database by then.
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** On standard output and not through the log, which would hide it. */
function showSetupToken(token: string): void {
  console.log(`\n  The first account of this instance needs this set-up token: ${token}\n`);
}
