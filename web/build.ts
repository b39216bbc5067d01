import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { assertWithinBudget, FONT_BYTES_MAX, GZIP_LEVEL, measurePages, type PageFiles } from './build/budget.ts';
import { isPart, outputOf, pageOf, staticClosure } from './build/chunks.ts';
import { type CssByModule, cssModules } from './build/css-modules.ts';
import { singleIconsPlugin } from './build/single-icons.ts';
import { writeCss } from './build/write-css.ts';
import { writePages } from './build/write-pages.ts';
import { SITE_HEADS } from './content/site-heads.ts';
import { DRAWN_PATHS, KIT_PATH, PATTERN } from './routes.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'web/main.tsx';
const GLOBAL_CSS = 'web/styles/main.css';
/** `on`: with the page that shows every component. */
const KIT = process.env['WEB_KIT'] ?? 'off';
const THEME = 'web/theme-first.ts';
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
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.WEB_KIT': JSON.stringify(KIT) },
    // The router brings a stand-in for what React has had itself since 18.
    alias: { 'use-sync-external-store/shim/index.js': 'react' },
    plugins: [singleIconsPlugin(), cssModules(ROOT, modules)],
    logLevel: 'warning',
  });

  const css = await writeCss({ assets, metafile, modules, main: MAIN, global: await takeGlobalCss(metafile) });
  const parts = partsOf(metafile, css);
  const drawn = await writePages({
    root: ROOT,
    outDir,
    values: await templateValues(metafile, parts),
    parts,
    heads: SITE_HEADS,
    patterns: [...Object.values(PATTERN), ...(KIT === 'on' ? [KIT_PATH] : [])],
    partOf: (path) => partOf(path),
  });
  for (const file of ['favicon.svg', 'robots.txt']) {
    await writeFile(join(outDir, file), await readFile(join(ROOT, 'web/public', file)));
  }
  assertWithinBudget(await measurePages(outDir, parts, (page) => drawn.get(page) ?? 'index.html'));
  await compressAll(outDir);
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;

/** Every lazily loaded part of the app with the files that it downloads, the main entry's first. */
function partsOf({ outputs }: Metafile, css: ReadonlyMap<string, readonly string[]>): PageFiles[] {
  const main = staticClosure(outputs, outputOf(outputs, MAIN));
  const lazy = Object.entries(outputs).filter(([, { entryPoint }]) => isPart(entryPoint));
  return lazy.map(([path]) => {
    const own = staticClosure(outputs, path).filter((part) => !main.includes(part));
    return {
      page: pageOf(path),
      js: [...main, ...own].map((part) => `assets/${basename(part)}`),
      css: css.get(path) ?? [],
    };
  });
}

/** The text of the global stylesheet. Its file goes: it is part of another. */
async function takeGlobalCss({ outputs }: Metafile): Promise<string> {
  const path = join(ROOT, outputOf(outputs, GLOBAL_CSS));
  const text = await readFile(path, 'utf8');
  await rm(path);
  return text;
}

/** `about-page` of `/about`. */
function partOf(path: string): string {
  if (path === '*') return 'not-found-page';
  if (!DRAWN_PATHS.includes(path)) throw new Error(`${path} is not among the pages that are drawn at build time`);
  return path === PATTERN.landing ? 'landing-page' : `${path.slice(1)}-page`;
}

async function templateValues({ outputs }: Metafile, parts: readonly PageFiles[]): Promise<Record<string, string>> {
  const urlOf = (path: string): string => `/assets/${basename(path)}`;
  const font = Object.keys(outputs).find((path) => /instrument-sans-latin-wght-normal-\w+\.woff2$/.test(path));
  if (!font) throw new Error('The build left out the text font');
  const fontBytes = outputs[font]?.bytes ?? 0;
  if (fontBytes > FONT_BYTES_MAX) throw new Error(`The text font has ${fontBytes} bytes, ${FONT_BYTES_MAX} allowed`);
  const mainCss = parts[0]?.css[0];
  if (!mainCss) throw new Error('The build has no pages');
  const main = staticClosure(outputs, outputOf(outputs, MAIN)).map((path) => `assets/${basename(path)}`);
  return {
    theme: urlOf(outputOf(outputs, THEME)),
    font: urlOf(font),
    css: `/${mainCss}`,
    js: urlOf(outputOf(outputs, MAIN)),
    parts: JSON.stringify(listParts(parts, new Set([...main, mainCss]))),
    // Who reads needs no scripts of pages that they may never open.
    siteParts: JSON.stringify(listParts(parts, new Set([...main, mainCss]), '.css')),
  };
}

/** Files by lazily loaded part, each file named once: what the app asks for before it needs it. */
function listParts(parts: readonly PageFiles[], known: ReadonlySet<string>, ending = '') {
  const files: string[] = [];
  const indexOf = (file: string): number => {
    if (!files.includes(file)) files.push(file);
    return files.indexOf(file);
  };
  const list = parts.map(({ page, js, css }) => [
    page,
    [...css, ...js].filter((file) => file.endsWith(ending) && !known.has(file)).map(indexOf),
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
      await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: GZIP_LEVEL }));
    }),
  );
}

if (isMain) await buildWeb(join(ROOT, 'dist/web'));
