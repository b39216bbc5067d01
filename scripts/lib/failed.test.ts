import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTempDir } from '../../src/testing/support/temp-dir.ts';
import { tellFailed } from './failed.ts';

test('each failed test is told with its file, the first lines of why, and where', () => {
  using dir = makeTempDir();
  const file = dir.join('some.test.mjs');
  const tests = [
    "test('is one', () => { throw new Error('not one\\n\\nbut two'); });",
    "test('is well', () => {});",
    "test('throws a word', () => { throw 'word'; });",
  ];
  writeFileSync(
    file,
    `import { describe, test } from 'node:test';\ndescribe('group', () => {\n${tests.join('\n')}\n});`,
  );
  const { NODE_TEST_CONTEXT: _ofThisRun, ...env } = process.env;
  const reporter = join(import.meta.dirname, 'failed-reporter.ts');
  const args = ['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${dir.join('failed')}`, file];
  const { status } = spawnSync(process.execPath, args, { env });
  assert.equal(status, 1);
  const told = tellFailed(readFileSync(dir.join('failed'), 'utf8'), dir.join('.')).split('\n');
  const [first, error, rest, where, ...others] = told;
  assert.deepEqual([first, error, rest], ['  some.test.mjs: is one', '      Error: not one', '      but two']);
  assert.match(where ?? '', /^ {6}at .*some\.test\.mjs:3:\d+\)$/);
  assert.deepEqual(others, ['  some.test.mjs: throws a word', '      word']);
  assert.equal(tellFailed('', dir.join('.')), '');
});
