import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Largest download of one page, gzip, in bytes. The numbers are the design guide's (libraries.md). */
const K = 1024;
const JS_BYTES_MAX = 175 * K;
const JS_BYTES_MAX_SIGN_IN = 110 * K;
const CSS_BYTES_MAX = 12 * K;
/** Pages that nobody needs to be signed in for. */
export const SIGN_IN_PAGES: ReadonlySet<string> = new Set([
  'login-page',
  'signup-page',
  'landing-page',
  'not-found-page',
]);
/** What every page of the signed-in area stands in. */
export const SHELL = 'shell';

export interface PageFiles {
  readonly page: string;
  readonly js: readonly string[];
  readonly css: readonly string[];
}

export interface PageSize {
  readonly page: string;
  readonly jsBytes: number;
  readonly cssBytes: number;
}

/** What each page costs to download, gzip. */
export async function measurePages(outDir: string, parts: readonly PageFiles[]): Promise<PageSize[]> {
  const shell = parts.find(({ page }) => page === SHELL);
  const pages = parts.filter(({ page }) => page !== SHELL).map((part) => withShell(part, shell));
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = (file: string): Promise<number> => {
    const known = sizes.get(file) ?? readFile(join(outDir, file)).then((text) => gzipSync(text).length);
    sizes.set(file, known);
    return known;
  };
  const sum = async (files: readonly string[]): Promise<number> =>
    (await Promise.all(files.map(sizeOf))).reduce((total, bytes) => total + bytes, 0);
  return Promise.all(
    pages.map(async ({ page, js, css }) => ({ page, jsBytes: await sum(js), cssBytes: await sum(css) })),
  );
}

function withShell(part: PageFiles, shell: PageFiles | undefined): PageFiles {
  if (!shell || SIGN_IN_PAGES.has(part.page)) return part;
  return {
    page: part.page,
    js: [...new Set([...part.js, ...shell.js])],
    css: [...new Set([...part.css, ...shell.css])],
  };
}

/** Throws, naming every page that is heavier than allowed. */
export function assertWithinBudget(sizes: readonly PageSize[]): void {
  const over = sizes.flatMap(({ page, jsBytes, cssBytes }) => {
    const jsMax = SIGN_IN_PAGES.has(page) ? JS_BYTES_MAX_SIGN_IN : JS_BYTES_MAX;
    return [
      ...(jsBytes > jsMax ? [`${page}: ${jsBytes} bytes of JavaScript, ${jsMax} allowed`] : []),
      ...(cssBytes > CSS_BYTES_MAX ? [`${page}: ${cssBytes} bytes of CSS, ${CSS_BYTES_MAX} allowed`] : []),
    ];
  });
  if (over.length > 0) throw new Error(`Pages over their size budget (gzip):\n${over.join('\n')}`);
}
