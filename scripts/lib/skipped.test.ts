import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { whyMissing } from '../../src/testing/support/missing-tools.ts';
import { makeTempDir } from '../../src/testing/support/temp-dir.ts';
import { readSkipped, tellSkipped } from './skipped.ts';

test('what is skipped is counted, and missing tools are told from other reasons', () => {
  using dir = makeTempDir();
  const reasons = [
    whyMissing(['Chromium'], 'apt-get install chromium, or set CHROMIUM'),
    whyMissing([], 'nothing'),
    'no such field there',
  ];
  const tests = reasons.map((reason, at) => `test('${at}', { skip: ${JSON.stringify(reason)} }, () => {});`);
  const group = `describe('group', { skip: ${JSON.stringify(whyMissing(['curl', 'jq'], 'apt-get install'))} }, () => { ${tests[2]} });`;
  writeFileSync(
    dir.join('some.test.mjs'),
    `import { describe, test } from 'node:test';\n${tests.join('\n')}\n${group}`,
  );
  const { NODE_TEST_CONTEXT: _ofThisRun, ...env } = process.env;
  const reporter = join(import.meta.dirname, 'skipped-reporter.ts');
  const args = ['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${dir.join('skipped')}`];
  const { status, stderr } = spawnSync(process.execPath, [...args, dir.join('some.test.mjs')], {
    env,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const skipped = readSkipped(readFileSync(dir.join('skipped'), 'utf8'));
  assert.deepEqual(skipped, { count: 3, tools: ['Chromium', 'curl', 'jq'] });
  assert.equal(tellSkipped(skipped), ', 3 skipped: no Chromium, no curl, no jq');
  assert.equal(tellSkipped({ count: 2, tools: [] }), ', 2 skipped');
  assert.equal(tellSkipped(readSkipped('')), '');
});
