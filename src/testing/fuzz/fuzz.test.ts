import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from './fuzz.ts';

test('a thousand drawn requests find no 5xx, no hang, no error out of shape', async () => {
  const report = await fuzz({ seed: 'short', count: 1_000 });
  assert.deepEqual(report.findings, []);
  // A fuzzer that is turned away at the door finds nothing.
  assert.ok(report.reached >= 25, `only ${report.reached} of ${report.routes} routes were reached`);
  for (const status of ['200', '401', '403', '404', '422'])
    assert.ok((report.byStatus[status] ?? 0) > 5, `${status} ${JSON.stringify(report.byStatus)}`);
});
