import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestStore } from './test-store.ts';

test('the catalogue of a seed is fixed', () => {
  const { controls } = createTestStore().sandbox;
  controls.seed(2, 3);
  controls.seed(1, 1, 'X-');
  assert.deepEqual(
    controls.listShelf().map((row) => [row.title, row.variantTitle, row.sku, row.price, row.available]),
    [
      ['Sample product 1', 'Size 1', 'TS-1-1', '10.01', 28],
      ['Sample product 1', 'Size 2', 'TS-1-2', '11.01', 29],
      ['Sample product 1', 'Size 3', 'TS-1-3', '12.01', 30],
      ['Sample product 2', 'Size 1', 'TS-2-1', '10.02', 35],
      ['Sample product 2', 'Size 2', 'TS-2-2', '11.02', 36],
      ['Sample product 2', 'Size 3', 'TS-2-3', '12.02', 37],
      ['Sample product 1', 'Default Title', 'X-1', '10.01', 28],
    ],
  );
});

test('the standalone process announces itself, takes controls from loopback and counts', async () => {
  const script = fileURLToPath(new URL('./serve.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      script,
      '--products',
      '5',
      '--variants',
      '2',
      '--token',
      't',
      '--unthrottled',
      '--record-times',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { origin, ready } = JSON.parse(line);
  assert.equal(ready, true);
  const post = async (path: string, body: unknown) =>
    (
      await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': 't' },
        body: JSON.stringify(body),
      })
    ).json();
  const shelf = await post('/__sandbox/listShelf', []);
  assert.equal(shelf.result.length, 10);
  await post('/__sandbox/setPrice', ['TS-1-1', '99.5', null]);
  const answer = await post('/admin/api/2026-10/graphql.json', {
    query: 'query Prices { products(first: 1) { nodes { variants(first: 1) { nodes { price } } } } }',
  });
  assert.equal(answer.data.products.nodes[0].variants.nodes[0].price, '99.50');
  assert.match((await post('/__sandbox/nothing', [])).error, /no control/);
  const stats = await (await fetch(`${origin}/__sandbox/stats`)).json();
  assert.equal(stats.byOperation.Prices.calls, 1);
  assert.ok(
    stats.times.some(
      (entry: { operation: string; startedAt: number; endedAt: number }) =>
        entry.operation === 'Prices' && entry.endedAt >= entry.startedAt,
    ),
  );
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('control routes are closed unless asked for; twenty stores live side by side', async () => {
  const stores = Array.from({ length: 20 }, () => createTestStore());
  const { sandbox } = stores[0] ?? createTestStore();
  assert.equal((await sandbox.app.inject({ method: 'POST', url: '/__sandbox/listShelf' })).statusCode, 404);
  sandbox.controls.addProduct({ title: 'only here' });
  assert.equal(stores[1]?.sandbox.controls.listShelf().length, 0);
  await Promise.all(stores.map((store) => store.sandbox.close()));
});
