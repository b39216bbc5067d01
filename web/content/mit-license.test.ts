import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MIT_LICENSE } from './mit-license.ts';

test('the licence of the page is the repository’s, but for where its lines end', () => {
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  const licence = readFileSync(join(import.meta.dirname, '../../LICENSE'), 'utf8');
  assert.deepEqual(words(MIT_LICENSE), words(licence));
});
