import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remedyBelow } from './remedy-below.ts';

test('a remedy of several findings that stand together is said once, below the last', () => {
  const findings = ['a', 'a', 'b', 'a', ''].map((remedy) => ({ remedy }));
  assert.deepEqual(
    findings.map((_finding, at) => remedyBelow(findings, at)),
    ['', 'a', 'b', 'a', ''],
  );
});
