import { cpSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** Read at run time from beside the module that needs them, and that module ends up in the output directory. */
const DATA_FILES = ['src/sandbox/shopify/schema/*.graphql', 'src/sandbox/shopify/schema/*.json'];

/** The server, and what it starts as another thread, by the name of a file beside its own. */
export const SERVER_PROGRAMS = {
  server: 'src/main.ts',
  'finish-copy-thread': 'src/app/finish-copy-thread.ts',
} as const;

/**
 * In front of every output: bundled CommonJS packages expect these names, and a Node that is too old is told so before the
 * database addon takes it down with a segmentation fault.
 */
const BANNER = `
import { createRequire as __createRequire } from 'node:module';
import { fileURLToPath as __fileURLToPath } from 'node:url';
if (Number(process.versions.napi) < 10) {
  console.error('Node ' + process.version + ' is too old: install Node 22.19 or newer. On Linux x64 "npm ci" brings one along: "npm start" runs the server with it, "npx node dist/server.mjs ..." a command.');
  process.exit(1);
}
const require = __createRequire(import.meta.url);
const __filename = __fileURLToPath(import.meta.url);
const __dirname = __fileURLToPath(new URL('.', import.meta.url));
`;

const narrowUndici: Plugin = {
  name: 'narrow-undici',
  setup({ onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: join(import.meta.dirname, 'undici-agent.js') }));
  },
};

/**
 * Bundles programs for Node into `outDir`: an `.mjs` file for each, and chunks that are loaded when they are first needed.
 * Answers esbuild's description of what went where.
 */
export async function bundlePrograms(
  entryPoints: Readonly<Record<string, string>>,
  outDir: string,
  change: BuildOptions = {},
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...entryPoints },
    outdir: outDir,
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
    // The source stays in memory for as long as the process lives. Names are kept, so that a stack in a log can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 400,
    logLevel: 'warning',
    plugins: [narrowUndici],
    ...change,
    metafile: true,
  });
  for (const file of DATA_FILES.flatMap((pattern) => globSync(join(ROOT, pattern)))) {
    cpSync(file, join(outDir, basename(file)));
  }
  return metafile;
}
