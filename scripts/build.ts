// Builds everything that runs into dist/: the server bundle (dist/server.mjs and lazily loaded chunks) and the web app (dist/web).
import { cpSync, existsSync, globSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const OUT = join(ROOT, 'dist');

/** Read at run time from beside the module that needs them, and that module ends up in dist/. */
const DATA_FILES = ['src/sandbox/shopify/schema/*.graphql', 'src/sandbox/shopify/schema/*.json'];

/**
 * In front of every output: bundled CommonJS packages expect these names, and a Node that is too old is told so before the
 * database addon takes it down with a segmentation fault.
 */
const BANNER = `
import { createRequire as __createRequire } from 'node:module';
import { fileURLToPath as __fileURLToPath } from 'node:url';
if (Number(process.versions.napi) < 10) {
  console.error('Node ' + process.version + ' is too old: install Node 22.19 or newer, or use "npm start", which brings its own.');
  process.exit(1);
}
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL('.', import.meta.url));
`;

async function buildServer(): Promise<void> {
  for (const file of globSync(join(OUT, '*.mjs'))) rmSync(file);
  await build({
    absWorkingDir: ROOT,
    entryPoints: { server: 'src/main.ts' },
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    // What only the demo or a command needs (the sandbox, graphql) is imported dynamically and becomes a chunk of its own.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Holds the compiled addon; it finds it relative to its own package.
    external: ['better-sqlite3'],
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: BANNER.trim() },
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const file of DATA_FILES.flatMap((pattern) => globSync(join(ROOT, pattern)))) {
    cpSync(file, join(OUT, basename(file)));
  }
}

async function buildWebApp(): Promise<void> {
  const script = join(ROOT, 'web/build.ts');
  if (!existsSync(script)) return;
  const { buildWeb } = (await import(pathToFileURL(script).href)) as { buildWeb: (outDir: string) => Promise<void> };
  await buildWeb(join(OUT, 'web'));
}

const startedAt = performance.now();
// npm run build -- server    leaves the web app as it is
const parts = process.argv[2] === 'server' ? [buildServer()] : [buildServer(), buildWebApp()];
const results = await Promise.allSettled(parts);
await stop();
const failures = results.filter((result) => result.status === 'rejected');
for (const { reason } of failures) console.error(reason instanceof Error ? reason.message : reason);
if (failures.length > 0) process.exitCode = 1;
else console.log(`built dist/ in ${Math.round(performance.now() - startedAt)} ms`);
