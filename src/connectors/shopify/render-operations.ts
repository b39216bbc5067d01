import { readdirSync, readFileSync } from 'node:fs';

/** The text of `operations.gen.ts`, made from `operations/*.graphql`. Used by `scripts/generate-operations.ts` and by the test that the file is up to date. */
export function renderOperations(): string {
  const folder = new URL('./operations/', import.meta.url);
  const sources = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.graphql'))
      .sort()
      .map((name) => [name.replace(/\.graphql$/, ''), readFileSync(new URL(name, folder), 'utf8')] as const),
  );
  const entries: string[] = [];
  for (const [file, source] of sources) {
    const operation = /^(query|mutation) (\w+)/m.exec(source);
    if (!operation) continue; // a fragment: it is put into those that import it
    const text = [file, ...importsOf(file, sources)].map((part) => compact(sources.get(part) ?? '')).join(' ');
    const key = file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    entries.push(
      `  ${key}: {\n    name: '${operation[2]}',\n    kind: '${operation[1]}',\n    text: ${JSON.stringify(text)},\n  },`,
    );
  }
  return [
    '// Made by scripts/generate-operations.ts from operations/*.graphql: edit those, then run it.',
    'export const OPERATIONS = {',
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

function importsOf(file: string, sources: ReadonlyMap<string, string>, seen = new Set<string>()): string[] {
  for (const [, name = ''] of (sources.get(file) ?? '').matchAll(/^#import (\S+)/gm)) {
    if (!sources.has(name)) throw new Error(`${file}.graphql imports ${name}, which does not exist`);
    if (seen.has(name)) continue;
    seen.add(name);
    importsOf(name, sources, seen);
  }
  return [...seen];
}

/** Comments and line breaks go: no operation of ours has a string with a `#` or a line break in it. */
function compact(source: string): string {
  return source.replace(/#.*$/gm, '').replace(/\s+/g, ' ').trim();
}
