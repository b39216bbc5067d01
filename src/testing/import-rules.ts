/** One room of the house: what files under `path` may import. The longest matching path counts. */
export interface Room {
  readonly path: string;
  /** Path prefixes inside the repository, besides the room itself. '*': everything. */
  readonly may: readonly string[] | '*';
  /** Packages by name; 'node:*' for all of Node, '*' for anything. */
  readonly packages: readonly string[];
  /** Prefixes from which only types may come (`import type`). */
  readonly typesOnly?: readonly string[];
}

const LEAVES = ['src/lib', 'src/model', 'src/brand.ts'];
const PORTS = ['src/ports', ...LEAVES];

/** Who may import whom. Tests beside the files are free; ARCHITECTURE.md tells the reasons. */
export const IMPORT_RULES: readonly Room[] = [
  { path: 'src/lib', may: [], packages: [] },
  { path: 'src/lib/hash.ts', may: ['src/lib'], packages: ['node:crypto'] },
  { path: 'src/lib/make-directory.ts', may: [], packages: ['node:fs', 'node:path'] },
  { path: 'src/model', may: ['src/lib'], packages: [] },
  { path: 'src/core', may: LEAVES, packages: [] },
  { path: 'src/contracts', may: ['src/model'], packages: ['typebox'] },
  { path: 'src/ports', may: ['src/model'], packages: [] },
  { path: 'src/config', may: [...LEAVES, 'package.json'], packages: ['node:*', 'typebox'] },
  { path: 'src/system', may: PORTS, packages: ['node:*', 'pino', 'openid-client'] },

  { path: 'src/db', may: LEAVES, packages: ['node:fs', 'node:path', 'better-sqlite3', 'drizzle-orm'] },
  { path: 'src/db/schema', may: LEAVES, packages: ['drizzle-orm'] },
  { path: 'src/db/readers', may: [...LEAVES, 'src/db/schema', ...dbFiles()], packages: ['drizzle-orm'] },
  {
    path: 'src/db/writers',
    may: [...LEAVES, 'src/db/schema', 'src/db/readers', ...dbFiles()],
    packages: ['drizzle-orm'],
  },
  { path: 'src/journal', may: ['src/db', ...PORTS], packages: ['node:events'] },

  { path: 'src/connectors/shared', may: PORTS, packages: ['node:*', 'undici'] },
  platform('shopify'),
  platform('woocommerce'),
  { path: 'src/connectors/memory', may: PORTS, packages: ['node:crypto'] },
  // Written independently of the connectors from the same facts, so that a misreading shows.
  { path: 'src/sandbox', may: LEAVES, packages: ['node:*', 'fastify', 'graphql'] },

  { path: 'src/engine', may: ['src/core', 'src/journal', 'src/db', ...PORTS], packages: [] },
  { path: 'src/accounts', may: ['src/db', 'src/journal', ...PORTS], packages: ['node:*'] },
  { path: 'src/notify', may: ['src/db', 'src/journal', ...PORTS], packages: ['node:*', 'nodemailer'] },
  { path: 'src/usage', may: ['src/db', ...PORTS], packages: [] },
  {
    path: 'src/demo',
    may: ['src/sandbox', 'src/engine', 'src/accounts', 'src/db', ...PORTS],
    packages: ['node:*'],
  },
  {
    path: 'src/jobs',
    may: ['src/engine', 'src/notify', 'src/demo', 'src/db', ...PORTS],
    packages: ['p-queue', 'croner'],
  },
  {
    path: 'src/http',
    may: [
      ...['src/engine', 'src/accounts', 'src/notify', 'src/usage', 'src/demo', 'src/journal'],
      ...['src/contracts', 'src/db/readers', 'src/db/schema', 'src/db/database.ts', ...PORTS],
    ],
    packages: ['node:*', 'fastify', '@fastify/*', 'typebox', 'ws', 'fastest-levenshtein'],
  },
  { path: 'src/app.ts', may: '*', packages: ['*'] },
  { path: 'src/app', may: '*', packages: ['*'] },
  { path: 'src/main.ts', may: '*', packages: ['*'] },
  { path: 'src/brand.ts', may: [], packages: [] },
  { path: 'src/testing', may: '*', packages: ['*'] },

  { path: 'web/hooks', may: ['web/content', 'web/routes.ts', ...LEAVES], packages: ['react', 'wouter'] },
  { path: 'web/content', may: ['src/brand.ts'], packages: [] },
  {
    path: 'web/components',
    may: ['web/hooks', 'web/styles', 'web/content'],
    packages: ['react', 'wouter', 'lucide-react'],
  },
  {
    path: 'web/api',
    may: ['web/hooks', 'web/content'],
    // TypeBox stays out of the browser: it compiles by eval, which our content security policy forbids.
    typesOnly: ['src/contracts'],
    packages: ['react', '@tanstack/react-query'],
  },
  {
    path: 'web/pages',
    may: [
      ...['web/api', 'web/components', 'web/hooks', 'web/content', 'web/styles'],
      ...['web/routes.ts', 'web/lazy-page.tsx', 'web/tell-failure.ts'],
    ],
    typesOnly: ['src/contracts'],
    packages: ['react', 'wouter', 'lucide-react'],
  },
  { path: 'web/build', may: [], packages: ['node:*', 'esbuild', 'lightningcss'] },
  { path: 'web/build.ts', may: ['web/build', 'web/content', 'web/routes.ts'], packages: ['node:*', 'esbuild'] },
  {
    path: 'web',
    may: ['web'],
    packages: ['react', 'react-dom', 'wouter', '@tanstack/react-query'],
  },
  { path: 'web/e2e', may: '*', packages: ['*'] },
  { path: 'scripts', may: '*', packages: ['*'] },
];

/** Rooms in which one folder never imports its neighbour. */
export const SEPARATE_NEIGHBOURS = ['web/pages'];

/** The parts of src/db that readers and writers stand on. */
function dbFiles(): readonly string[] {
  return ['src/db/database.ts', 'src/db/raw-statement.ts', 'src/db/cached-update.ts', 'src/db/row-cache.ts'];
}

function platform(name: string): Room {
  return {
    path: `src/connectors/${name}`,
    may: ['src/connectors/shared', ...PORTS],
    packages: ['node:*', 'undici', 'typebox'],
  };
}
