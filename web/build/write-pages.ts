import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PageFiles, withFrames } from './budget.ts';
import { drawPages } from './draw-pages.ts';

/** What `pages.json` tells the server: which file answers to which path, and which paths the app knows. */
export interface PageList {
  /** File by path, for pages that were drawn at build time. */
  readonly drawn: Readonly<Record<string, string>>;
  /** Patterns (`/plans/:id`) that `index.html` answers to. */
  readonly patterns: readonly string[];
  /** Answers to every other path. */
  readonly missing: string;
}

interface SiteHead {
  readonly title: string;
  readonly description: string;
}

interface PagesBuild {
  readonly root: string;
  readonly outDir: string;
  /** Values of the template, the same on every page. */
  readonly values: Readonly<Record<string, string>>;
  readonly parts: readonly PageFiles[];
  /** Title and description by path; '*' is the page for paths that lead nowhere. */
  readonly heads: Readonly<Record<string, SiteHead>>;
  readonly patterns: readonly string[];
  /** Part by path: whose styles and scripts a drawn page needs. */
  readonly partOf: (path: string) => string;
}

const MISSING_PATH = '/404';

/** Writes `index.html` for the app, one file for every page that is drawn at build time, and `pages.json`. Returns the HTML file by part. */
export async function writePages(pages: PagesBuild): Promise<ReadonlyMap<string, string>> {
  const { root, outDir, values, parts, heads, patterns, partOf } = pages;
  const template = await readFile(join(root, 'web/index.html'), 'utf8');
  const loading = await readFile(join(root, 'web/loading.html'), 'utf8');
  const app = heads['/'];
  if (!app) throw new Error('The landing page has no title');
  const shell = {
    ...values,
    ...escaped(app),
    robots: 'noindex',
    head: '',
    priority: 'auto',
    drawn: '',
    root: loading.trim(),
  };
  await writeFile(join(outDir, 'index.html'), fill(template, shell));

  const paths = Object.keys(heads).map((path) => (path === '*' ? MISSING_PATH : path));
  const files = new Map<string, string>();
  const drawn: Record<string, string> = {};
  for (const { path, html } of await drawPages(root, paths)) {
    const key = path === MISSING_PATH ? '*' : path;
    const head = heads[key];
    const part = parts.find(({ page }) => page === partOf(key));
    if (!head || !part) throw new Error(`${path} has no title or no page`);
    const file = `${part.page}.html`;
    const text = fill(template, {
      ...values,
      ...escaped(head),
      parts: values['siteParts'] ?? '',
      robots: key === '*' ? 'noindex' : 'index, follow',
      head: headOf(withFrames(part, parts), values),
      priority: 'low',
      drawn: ' data-drawn',
      root: html,
    });
    await writeFile(join(outDir, file), text);
    files.set(part.page, file);
    if (key !== '*') drawn[path] = file;
  }
  const missing = files.get(partOf('*'));
  if (!missing) throw new Error('There is no page for paths that lead nowhere');
  const list: PageList = { drawn, patterns: patterns.filter((pattern) => !(pattern in drawn)), missing };
  await writeFile(join(outDir, 'pages.json'), `${JSON.stringify(list, null, 2)}\n`);
  return files;
}

/** The page's own styles, as React would put them, and its scripts: asked for at once, but after what the page is painted with. */
function headOf({ css, js }: PageFiles, values: Readonly<Record<string, string>>): string {
  const styles = css
    .filter((file) => `/${file}` !== values['css'])
    .map((file) => `<link rel="stylesheet" href="/${file}" data-precedence="page">`);
  const scripts = js
    .filter((file) => `/${file}` !== values['js'])
    .map((file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low">`);
  return [...styles, ...scripts].join('\n    ');
}

function escaped({ title, description }: SiteHead): { title: string; description: string } {
  const safe = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return { title: safe(title), description: safe(description) };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  // The list stands in quotes in the template, so that the template itself is valid.
  return template
    .replace('"{{parts}}"', '{{parts}}')
    .replace('<meta name="slot" content="{{head}}">', '{{head}}')
    .replace(' data-slot="{{drawn}}"', '{{drawn}}')
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`index.html asks for {{${name}}}, which the build does not know`);
      return value;
    });
}
