import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { transform } from 'lightningcss';
import { SHELL, SIGN_IN_PAGES } from './budget.ts';
import { cssModulesIn, outputOf, pageOf, staticClosure } from './chunks.ts';
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
 * Four kinds of files, by who needs them; finer pieces would save a few bytes and cost a request each. `app`: everyone ·
 * `kit`: public and signed-in pages · `public`: public pages only · `workspace`: the shell and what only its pages share;
 * and one for what a page has alone. Returns each page's files.
 */
export async function writeCss({ assets, metafile, modules, main, global }: CssBuild): Promise<Map<string, string[]>> {
  const { outputs } = metafile;
  const textOf = (paths: readonly string[]): string =>
    joinModules(
      paths.flatMap((path) => cssModulesIn(outputs[path])),
      modules,
    );
  const write = async (name: string, rules: string): Promise<string[]> => {
    if (rules === '') return [];
    const { code } = transform({ filename: `${name}.css`, code: Buffer.from(`${LAYERS}${rules}`), minify: true });
    const text = Buffer.from(code).toString('utf8');
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
    await writeFile(join(assets, `${name}-${hash}.css`), text);
    return [`assets/${name}-${hash}.css`];
  };

  const mainParts = staticClosure(outputs, outputOf(outputs, main));
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js') && !mainParts.includes(path));
  const isPage = (path: string): boolean => outputs[path]?.entryPoint !== undefined;
  const isPublic = (path: string): boolean => SIGN_IN_PAGES.has(pageOf(path));
  const pages = scripts.filter(isPage);
  const closureOf = (group: readonly string[]): ReadonlySet<string> =>
    new Set(group.flatMap((path) => staticClosure(outputs, path)));
  const inPublic = closureOf(pages.filter(isPublic));
  const inApp = closureOf(pages.filter((path) => !isPublic(path)));
  const shared = scripts.filter((path) => !isPage(path) || pageOf(path) === SHELL);

  const app = await write('app', `${global}${textOf(mainParts)}`);
  const kit = await write('kit', textOf(shared.filter((path) => inPublic.has(path) && inApp.has(path))));
  const open = await write('public', textOf(shared.filter((path) => inPublic.has(path) && !inApp.has(path))));
  const workspace = await write('workspace', textOf(shared.filter((path) => !inPublic.has(path) && inApp.has(path))));

  const written = new Map<string, string[]>();
  for (const path of pages) {
    const own = pageOf(path) === SHELL ? [] : await write(pageOf(path), textOf([path]));
    written.set(path, [...app, ...kit, ...(isPublic(path) ? open : workspace), ...own]);
  }
  return written;
}
