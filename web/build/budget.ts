import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

/** Pages that only tell something: drawn at build time, without the query client. */
const SITE_PAGES: ReadonlySet<string> = new Set([
  ...['landing-page', 'pricing-page', 'about-page', 'security-page', 'license-page', 'enterprise-page'],
  ...['privacy-page', 'terms-page', 'contact-page', 'not-found-page'],
]);
const SIGN_IN_PAGES: ReadonlySet<string> = new Set([
  ...['login-page', 'signup-page', 'forgot-password-page', 'reset-password-page', 'verify-email-page'],
  'accept-invite-page',
]);

/** What every page that fetches stands in, what every page of the signed-in area does, and what pages that tell something do. */
const QUERY_ROOT = 'query-root';
export const SHELL = 'shell';
const SITE_FRAME = 'site-frame';
/** What panels (`profile-panel`) stand in: one of them at a time. */
const PANELS_PAGE = 'settings-page';
const FRAMES: ReadonlySet<string> = new Set([QUERY_ROOT, SHELL, SITE_FRAME]);

/** Pages that nobody needs to be signed in for. */
export function isOutsideShell(page: string): boolean {
  return SITE_PAGES.has(page) || SIGN_IN_PAGES.has(page) || (FRAMES.has(page) && page !== SHELL);
}

/** Largest download of one page, gzip, in bytes; `all` is HTML, scripts and styles together. */
export interface Budget {
  readonly js: number;
  readonly css: number;
  readonly all?: number;
}

const K = 1_000;
const CSS_MAX = 12.5 * K;
/** How much of a budget stays free: what zlib makes of a file depends on the processor (22 bytes in 115,000 were seen), and what fits on one machine has to fit on all. */
const SPREAD = 0.001;
/** What is compressed once, at build time, is compressed as far as it goes: the files that are served, and what is measured here. */
export const GZIP_LEVEL = constants.Z_BEST_COMPRESSION;
/** The one font that is preloaded. */
export const FONT_BYTES_MAX = 30 * 1024;

export function budgetOf(page: string): Budget {
  if (page === 'landing-page') return { js: 96 * K, css: CSS_MAX, all: 115 * K };
  // Every component on one page, for who works on them: nobody downloads it.
  if (page === 'kit-page') return { js: Number.POSITIVE_INFINITY, css: Number.POSITIVE_INFINITY };
  if (SITE_PAGES.has(page)) return { js: 100 * K, css: CSS_MAX, all: 120 * K };
  if (SIGN_IN_PAGES.has(page)) return { js: 110 * K, css: CSS_MAX };
  return { js: 175 * K, css: CSS_MAX };
}

export interface PageFiles {
  readonly page: string;
  readonly js: readonly string[];
  readonly css: readonly string[];
}

export interface PageSize {
  readonly page: string;
  readonly jsBytes: number;
  readonly cssBytes: number;
  readonly htmlBytes: number;
}

/** What each page costs to download, gzip. `htmlOf` names a page's HTML file. */
export async function measurePages(
  outDir: string,
  parts: readonly PageFiles[],
  htmlOf: (page: string) => string,
): Promise<PageSize[]> {
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = (file: string): Promise<number> => {
    const known =
      sizes.get(file) ?? readFile(join(outDir, file)).then((text) => gzipSync(text, { level: GZIP_LEVEL }).length);
    sizes.set(file, known);
    return known;
  };
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all(files.map(sizeOf))).reduce((total, bytes) => total + bytes, 0);
  return Promise.all(
    parts
      .filter(({ page }) => !FRAMES.has(page))
      .map((part) => withFrames(part, parts))
      .map(async ({ page, js, css }) => ({
        page,
        jsBytes: await sum(js),
        cssBytes: await sum(css),
        htmlBytes: await sizeOf(htmlOf(page)),
      })),
  );
}

/** A page with what it stands in. */
export function withFrames(part: PageFiles, parts: readonly PageFiles[]): PageFiles {
  const names = SITE_PAGES.has(part.page)
    ? [SITE_FRAME]
    : SIGN_IN_PAGES.has(part.page)
      ? [QUERY_ROOT]
      : [QUERY_ROOT, SHELL, ...(part.page.endsWith('-panel') ? [PANELS_PAGE] : [])];
  const frames = parts.filter(({ page }) => names.includes(page));
  return {
    page: part.page,
    js: [...new Set([...part.js, ...frames.flatMap(({ js }) => js)])],
    css: [...new Set([...part.css, ...frames.flatMap(({ css }) => css)])],
  };
}

/** What there is to say of a size; nothing where it fits. */
function over(what: string, bytes: number, allowed: number): readonly string[] {
  if (bytes <= allowed * (1 - SPREAD)) return [];
  const isNear = bytes <= allowed;
  return [
    `${what}, ${allowed} allowed${isNear ? ` less ${SPREAD * 100} %, since other machines compress otherwise` : ''}`,
  ];
}

/** Throws, naming every page that is heavier than allowed, or so near to it that it could be on another machine. */
export function assertWithinBudget(sizes: readonly PageSize[]): void {
  const heavy = sizes.flatMap(({ page, jsBytes, cssBytes, htmlBytes }) => {
    const { js, css, all = Number.POSITIVE_INFINITY } = budgetOf(page);
    const total = jsBytes + cssBytes + htmlBytes;
    return [
      ...over(`${page}: ${jsBytes} bytes of JavaScript`, jsBytes, js),
      ...over(`${page}: ${cssBytes} bytes of CSS`, cssBytes, css),
      ...over(`${page}: ${total} bytes in all`, total, all),
    ];
  });
  if (heavy.length > 0) throw new Error(`Pages over their size budget (gzip):\n${heavy.join('\n')}`);
}
