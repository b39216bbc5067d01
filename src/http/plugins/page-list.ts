import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `pages.json`, as the web build writes it: which file answers to which path. */
interface PageList {
  readonly drawn: Readonly<Record<string, string>>;
  readonly patterns: readonly string[];
  readonly missing: string;
}

interface PageAnswer {
  readonly file: string;
  readonly status: 200 | 404;
}

/** Finds the HTML file for a path of the web app. Paths that the app does not know answer 404, with its page for that. */
export function createPageFinder(webDir: string): (path: string) => PageAnswer {
  const file = join(webDir, 'pages.json');
  // A web directory without the list holds an app that finds its own way.
  if (!existsSync(file)) return () => ({ file: 'index.html', status: 200 });
  const { drawn, patterns, missing } = JSON.parse(readFileSync(file, 'utf8')) as PageList;
  const known = patterns.map((pattern) => pattern.split('/').filter(Boolean));
  return (path) => {
    const parts = path.split('/').filter(Boolean);
    const page = drawn[`/${parts.join('/')}`];
    if (page !== undefined) return { file: page, status: 200 };
    const isKnown = known.some(
      (wanted) =>
        wanted.length === parts.length && wanted.every((part, index) => part.startsWith(':') || part === parts[index]),
    );
    return isKnown ? { file: 'index.html', status: 200 } : { file: missing, status: 404 };
  };
}
