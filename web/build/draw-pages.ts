import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { cssModules } from './css-modules.ts';
import { singleIconsPlugin } from './single-icons.ts';

interface Drawn {
  readonly path: string;
  readonly html: string;
}

/**
 * The HTML of pages, by their path, without a browser. The same sources as the browser's bundle; the names of styles come from
 * their files, so both agree.
 */
export async function drawPages(root: string, paths: readonly string[]): Promise<Drawn[]> {
  const dir = await mkdtemp(join(root, 'node_modules/.drawn-'));
  try {
    const outfile = join(dir, 'prerender.cjs');
    await build({
      absWorkingDir: root,
      entryPoints: ['web/prerender.tsx'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"', 'process.env.WEB_KIT': '"off"' },
      plugins: [singleIconsPlugin(), cssModules(root, new Map())],
      logLevel: 'warning',
    });
    const { renderPage } = createRequire(import.meta.url)(outfile) as { renderPage: (path: string) => Promise<string> };
    const drawn: Drawn[] = [];
    for (const path of paths) drawn.push({ path, html: await renderPage(path) });
    return drawn;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
