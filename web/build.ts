import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { assertWithinBudget, measurePages, type PageFiles, SIGN_IN_PAGES } from './build/budget.ts';
import { cssModulesIn, outputOf, staticClosure } from './build/chunks.ts';
import { type CssByModule, cssModules } from './build/css-modules.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'web/main.tsx';
const GLOBAL_CSS = 'web/styles/main.css';
const THEME = 'web/theme-first.ts';
/** In front of every stylesheet: React may put a page's before the app's, and the first to name a layer ranks it. */
const LAYERS = '@layer tokens,base,kit,page;';
/** Smaller files gain nothing from being compressed. */
const COMPRESS_BYTES_MIN = 1024;

/**
 * Builds the web app into `outDir`: `index.html` and hashed files under `assets/`, each with `.br` and `.gz` beside it.
 * Fails when a page is heavier than its budget.
 */
export async function buildWeb(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true });
  const assets = join(outDir, 'assets');
  await mkdir(assets, { recursive: true });

  const modules: CssByModule = new Map();
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [MAIN, GLOBAL_CSS, THEME],
    outdir: assets,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    metafile: true,
    legalComments: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [cssModules(ROOT, modules)],
    logLevel: 'warning',
  });

  const css = await writeCss(assets, metafile, modules);
  const parts = partsOf(metafile, css);
  await writeFile(join(outDir, 'index.html'), await indexHtml(metafile, parts));
  await writeFile(join(outDir, 'favicon.svg'), await readFile(join(ROOT, 'web/public/favicon.svg')));
  assertWithinBudget(await measurePages(outDir, parts));
  await compressAll(outDir);
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;

/**
 * `app`: global styles and those of the main entry · `kit`: what several pages share · `public`: what only public pages share ·
 * one more for what a page has alone.
 * Finer pieces would save a few bytes and cost a request each.
 */
async function writeCss(assets: string, metafile: Metafile, modules: CssByModule): Promise<Map<string, string[]>> {
  const { outputs } = metafile;
  const globalPath = outputOf(outputs, GLOBAL_CSS);
  const mainParts = staticClosure(outputs, outputOf(outputs, MAIN));
  const write = async (name: string, rules: string): Promise<string> => {
    const text = `${LAYERS}${rules}`;
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
    const file = `${name}-${hash}.css`;
    await writeFile(join(assets, file), text);
    return `assets/${file}`;
  };
  const textOf = (path: string): string =>
    cssModulesIn(outputs[path])
      .map((name) => modules.get(name) ?? '')
      .join('\n');

  const main = [await readFile(join(ROOT, globalPath), 'utf8'), ...mainParts.map(textOf)].join('\n');
  await rm(join(ROOT, globalPath));
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js') && !mainParts.includes(path));
  const isShared = (path: string): boolean => outputs[path]?.entryPoint === undefined;
  const entries = scripts.filter((path) => !isShared(path));
  const inApp = new Set(
    entries.filter((path) => !SIGN_IN_PAGES.has(pageOf(path))).flatMap((path) => staticClosure(outputs, path)),
  );
  const shared = scripts.filter(isShared);
  const app = await write('app', main);
  const kit = await write(
    'kit',
    shared
      .filter((path) => inApp.has(path))
      .map(textOf)
      .join('\n'),
  );
  const open = await write(
    'public',
    shared
      .filter((path) => !inApp.has(path))
      .map(textOf)
      .join('\n'),
  );
  const written = new Map<string, string[]>();
  for (const path of entries) {
    const text = textOf(path);
    const own = text === '' ? [] : [await write(pageOf(path), text)];
    written.set(path, [app, kit, ...(SIGN_IN_PAGES.has(pageOf(path)) ? [open] : []), ...own]);
  }
  return written;
}

/** `login-page` of `dist/web/assets/login-page-ABCDEFGH.js`. */
function pageOf(path: string): string {
  return basename(path).replace(/-\w+\.js$/, '');
}

/** Every lazily loaded part of the app with the files that it downloads, the main entry's first. */
function partsOf({ outputs }: Metafile, css: ReadonlyMap<string, readonly string[]>): PageFiles[] {
  const main = staticClosure(outputs, outputOf(outputs, MAIN));
  const lazy = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint?.startsWith('web/pages/'));
  return lazy.map(([path]) => {
    const own = staticClosure(outputs, path).filter((part) => !main.includes(part));
    return {
      page: pageOf(path),
      js: [...main, ...own].map((part) => `assets/${basename(part)}`),
      css: css.get(path) ?? [],
    };
  });
}

async function indexHtml({ outputs }: Metafile, parts: readonly PageFiles[]): Promise<string> {
  const template = await readFile(join(ROOT, 'web/index.html'), 'utf8');
  const urlOf = (path: string): string => `/assets/${basename(path)}`;
  const font = Object.keys(outputs).find((path) => /instrument-sans-latin-wght-normal-\w+\.woff2$/.test(path));
  if (!font) throw new Error('The build left out the text font');
  const mainCss = parts[0]?.css[0];
  if (!mainCss) throw new Error('The build has no pages');
  const main = staticClosure(outputs, outputOf(outputs, MAIN)).map((path) => `assets/${basename(path)}`);
  const values: Record<string, string> = {
    theme: urlOf(outputOf(outputs, THEME)),
    font: urlOf(font),
    css: `/${mainCss}`,
    js: urlOf(outputOf(outputs, MAIN)),
    parts: JSON.stringify(listParts(parts, new Set([...main, mainCss]))),
  };
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`index.html asks for {{${name}}}, which the build does not know`);
    return value;
  });
}

/** Files by lazily loaded part, each file named once: what the app asks for before it needs it. */
function listParts(parts: readonly PageFiles[], known: ReadonlySet<string>) {
  const files: string[] = [];
  const indexOf = (file: string): number => {
    if (!files.includes(file)) files.push(file);
    return files.indexOf(file);
  };
  const list = parts.map(({ page, js, css }) => [
    page,
    [...css, ...js].filter((file) => !known.has(file)).map(indexOf),
  ]);
  return { parts: Object.fromEntries(list) as Record<string, number[]>, files };
}

async function compressAll(outDir: string): Promise<void> {
  const files = await readdir(outDir, { recursive: true, withFileTypes: true });
  const texts = files.filter((file) => file.isFile() && /\.(js|css|html|svg)$/.test(file.name));
  await Promise.all(
    texts.map(async (file) => {
      const path = join(file.parentPath, file.name);
      const text = await readFile(path);
      if (text.length < COMPRESS_BYTES_MIN) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(text, { params }));
      await writeFile(`${path}.gz`, await promisify(gzip)(text));
    }),
  );
}

if (isMain) await buildWeb(join(ROOT, 'dist/web'));
