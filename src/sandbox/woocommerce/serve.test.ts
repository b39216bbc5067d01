import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the standalone store prints one line when it is ready, answers, and stops on SIGTERM', async () => {
  const file = fileURLToPath(new URL('./serve.ts', import.meta.url));
  const flags = [
    '--products',
    '2',
    '--variants',
    '2',
    '--sku-prefix',
    'B-',
    '--key',
    'k',
    '--secret',
    's',
    '--queue',
    'action-scheduler',
  ];
  const child = spawn(process.execPath, [file, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { ready, url, origin } = JSON.parse(line.toString());
    assert.equal(ready, true);
    const answer = await fetch(
      `${url}/wp-json/wc/v3/variations?consumer_key=k&consumer_secret=s&_fields=sku&order=asc`,
    );
    assert.deepEqual(await answer.json(), [{ sku: 'B-1-1' }, { sku: 'B-1-2' }, { sku: 'B-2-1' }, { sku: 'B-2-2' }]);
    const shelf = await fetch(`${origin}/__sandbox/listShelf`, { method: 'POST' });
    assert.equal(((await shelf.json()) as { result: unknown[] }).result.length, 4);
  } finally {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  }
});
