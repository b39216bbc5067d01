import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LockFile, nameAt, productionPackages } from './lock-file.ts';

const ROOT = join(import.meta.dirname, '../..');
const LICENSE_FILE = /^(un)?licen[cs]e|^copying|^notice/i;

/**
 * Names, versions and licence texts of everything that is given away with a build, packages and what of others lies among the
 * sources: most licences ask for it.
 */
export function collectNotices(lock: LockFile): string {
  const parts = new Map<string, string>();
  for (const [place, { version, license, optional }] of productionPackages(lock)) {
    const folder = join(ROOT, place);
    // Other platforms' binaries are not here, and are given to nobody.
    if (optional === true || !existsSync(folder)) continue;
    const texts = readdirSync(folder)
      .filter((file) => LICENSE_FILE.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const { author, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const by = typeof author === 'object' && author !== null ? (author as { readonly name?: string }).name : author;
    const said =
      texts.length > 0 ? texts : [`(no text of its own) ${String(by ?? '')} ${String(homepage ?? '')}`.trim()];
    parts.set(`${nameAt(place)} ${version}`, [`== ${nameAt(place)} ${version} (${license})`, ...said].join('\n\n'));
  }
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${[...sorted, ...noticesOfSources()].join('\n\n')}\n`;
}

/** What a NOTICE says about the files beside it, headed by their folder. */
function noticesOfSources(): readonly string[] {
  return globSync('src/**/NOTICE', { cwd: ROOT })
    .sort()
    .map((file) => `== ${dirname(file)}\n\n${readFileSync(join(ROOT, file), 'utf8').trim()}`);
}
