import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { transform } from 'lightningcss';
import { isOutsideShell, SHELL } from './budget.ts';
import { cssModulesIn, isPart, outputOf, ownLazyParts, pageOf, staticClosure } from './chunks.ts';
import { type CssByModule, joinModules } from './css-modules.ts';

/** In front of every stylesheet: React may put a page's before the app's, and the first to name a layer ranks it. */
const LAYERS = '@layer tokens,base,kit,page;';

interface CssBuild {
  /** Directory that the files go to. */
  readonly assets: string;
  readonly metafile: Metafile;
  readonly modules: CssByModule;
  /** The main entry's source. */
  readonly main: string;
  /** Tokens, fonts, base. */
  readonly global: string;
}

/**
 * One file for everyone, one for the shell, one for each page with all that it needs besides. What two pages share is in both files:
 * repeating a rule does no harm, and a first visit downloads only what it shows. Returns each part's files.
 */
export async function writeCss({ assets, metafile, modules, main, global }: CssBuild): Promise<Map<string, string[]>> {
  const { outputs } = metafile;
  const write = async (name: string, rules: string): Promise<string[]> => {
    if (rules === '') return [];
    const { code } = transform({ filename: `${name}.css`, code: Buffer.from(`${LAYERS}${rules}`), minify: true });
    const text = Buffer.from(code).toString('utf8');
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
    await writeFile(join(assets, `${name}-${hash}.css`), text);
    return [`assets/${name}-${hash}.css`];
  };
  // What a page loads later has its styles in the page's file: by then they are there.
  const modulesOf = (path: string): string[] =>
    [path, ...ownLazyParts(outputs, path)]
      .flatMap((part) => staticClosure(outputs, part))
      .flatMap((part) => cssModulesIn(outputs[part]));
  const without = (names: readonly string[], known: ReadonlySet<string>): string[] =>
    [...new Set(names)].filter((name) => !known.has(name));

  const inApp = new Set(modulesOf(outputOf(outputs, main)));
  const app = await write('app', `${global}${joinModules([...inApp], modules)}`);
  const parts = Object.entries(outputs).filter(([, { entryPoint }]) => isPart(entryPoint));
  const shellPath = parts.find(([path]) => pageOf(path) === SHELL)?.[0] ?? '';
  const inShell = new Set([...inApp, ...modulesOf(shellPath)]);
  const shell = await write(SHELL, joinModules(without(modulesOf(shellPath), inApp), modules));

  const written = new Map<string, string[]>([[shellPath, [...app, ...shell]]]);
  for (const [path] of parts.filter(([other]) => other !== shellPath)) {
    const isPublic = isOutsideShell(pageOf(path));
    const own = without(modulesOf(path), isPublic ? inApp : inShell);
    // A page that is shown with and without the shell asks for the shell's styles itself.
    const files = await write(pageOf(path), joinModules(own, modules));
    written.set(path, [...app, ...(isPublic ? [] : shell), ...files]);
  }
  return written;
}
