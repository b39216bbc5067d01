import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Edit, Mutant } from './mutant.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const ENTRY = join(import.meta.dirname, '../seed-worker.ts');
/** Inside node_modules, so that the one package that can't be bundled is found from there. */
const OUT = join(ROOT, 'node_modules/.cache/simulator');

/** The simulator's worker in one file, with the program as it is (`null`) or broken. Returns its path. */
export async function bundleWorker(broken: Mutant | null): Promise<string> {
  mkdirSync(OUT, { recursive: true });
  const name = broken === null ? 'as-it-is' : broken.name.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 80);
  const outfile = join(OUT, `${process.pid}-${name}.mjs`);
  const edits = broken?.edits ?? [];
  const patched = new Set<Edit>();
  await build({
    absWorkingDir: ROOT,
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    external: ['better-sqlite3'],
    banner: { js: "import { createRequire as __cr } from 'node:module';\nconst require = __cr(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'error',
    plugins: [patching(edits, patched)],
  });
  const unused = edits.filter((edit) => !patched.has(edit));
  if (unused.length > 0) throw new Error(`the simulator does not use ${unused.map(({ file }) => file).join(', ')}`);
  return outfile;
}

/** Breaks the source on its way into the bundle: the program itself has no hooks for it. */
function patching(edits: readonly Edit[], patched: Set<Edit>): Plugin {
  return {
    name: 'mutant',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = relative(join(ROOT, 'src'), path);
        const own = edits.filter((edit) => edit.file === file);
        if (own.length === 0) return null;
        for (const edit of own) patched.add(edit);
        return { contents: own.reduce(applyEdit, readFileSync(path, 'utf8')), loader: 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const count = source.split(find).length - 1;
  if (count !== 1) throw new Error(`src/${file} has ${count} places that read: ${find}`);
  return source.replace(find, () => replace);
}
