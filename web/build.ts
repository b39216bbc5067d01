import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { assertWithinBudget, measurePages, type PageFiles } from './build/budget.ts';
import { outputOf, pageOf, staticClosure } from './build/chunks.ts';
import { type CssByModule, cssModules } from './build/css-modules.ts';
import { writeCss } from './build/write-css.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAIN = 'web/main.tsx';
const GLOBAL_CSS = 'web/styles/main.css';
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
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [cssModules(ROOT, modules)],
    logLevel: 'warning',
  });

  const css = await writeCss({ assets, metafile, modules, main: MAIN, global: await takeGlobalCss(metafile) });
  const parts = partsOf(metafile, css);
  await writeFile(join(outDir, 'index.html'), await indexHtml(metafile, parts));
  await writeFile(join(outDir, 'favicon.svg'), await readFile(join(ROOT, 'web/public/favicon.svg')));
  assertWithinBudget(await measurePages(outDir, parts));
  await compressAll(outDir);
}

const isMain = process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href;

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

/** The text of the global stylesheet. Its file goes: it is part of another. */
async function takeGlobalCss({ outputs }: Metafile): Promise<string> {
  const path = join(ROOT, outputOf(outputs, GLOBAL_CSS));
  const text = await readFile(path, 'utf8');
  await rm(path);
  return text;
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
  // The list stands in quotes in the template, so that the template itself is valid.
  return template.replace('"{{parts}}"', '{{parts}}').replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
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
