import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { bundlePrograms, SERVER_PROGRAMS } from '../../lib/bundle.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** A directory of our own with the server, built as `npm run build` builds it, and both sandbox stores. */
export interface Workshop {
  readonly dir: string;
  readonly server: string;
  readonly woocommerce: string;
  readonly shopify: string;
  /** The least that a durable relay can do, to compare with. */
  readonly relay: string;
  close(): void;
}

export async function openWorkshop(): Promise<Workshop> {
  const dir = mkdtempSync(join(tmpdir(), 'twinshelf-bench-'));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  await Promise.all([
    bundlePrograms(SERVER_PROGRAMS, join(dir, 'server')),
    bundlePrograms({ store: 'src/sandbox/woocommerce/serve.ts' }, join(dir, 'woocommerce')),
    bundlePrograms({ store: 'src/sandbox/shopify/serve.ts' }, join(dir, 'shopify')),
    bundlePrograms({ relay: 'scripts/bench/lib/relay-program.ts' }, join(dir, 'relay')),
  ]);
  await stop();
  return {
    dir,
    server: join(dir, 'server/server.mjs'),
    woocommerce: join(dir, 'woocommerce/store.mjs'),
    shopify: join(dir, 'shopify/store.mjs'),
    relay: join(dir, 'relay/relay.mjs'),
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}
