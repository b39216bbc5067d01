import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const WEB = join(import.meta.dirname, '..');

/** Names that a component takes from a stylesheet which has none of that name: it would stand there without its style, and nobody be told. */
function strayNames(file: string): string[] {
  const text = readFileSync(join(WEB, file), 'utf8');
  return [...text.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].flatMap(([, local, sheet = '']) => {
    const style = readFileSync(join(WEB, dirname(file), sheet), 'utf8');
    const known = new Set([...style.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, name]) => name));
    const used = [...text.matchAll(new RegExp(`(?<![\\w./-])${local}\\.([a-zA-Z]\\w*)`, 'g'))].map(([, name]) => name);
    return [...new Set(used)].filter((name) => !known.has(name)).map((name) => `${file}: ${name}`);
  });
}

test('every class that a component names is in its stylesheet', () => {
  const files = globSync('**/*.tsx', { cwd: WEB });
  assert.ok(files.length > 100);
  assert.deepEqual(files.flatMap(strayNames), []);
});
