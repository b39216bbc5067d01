// While the server is away a shop switches its webhooks off, as WooCommerce does after five that nobody took.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTempDir } from '../support/temp-dir.ts';
import { startLinkedApp } from './start-linked-app.ts';
import { eventually, startTestApp } from './start-test-app.ts';

test('after a start the webhooks are looked at first of all, and made again where they are off', async () => {
  using dir = makeTempDir();
  await using linked = await startLinkedApp(dir.path, [{ title: 'Cup', sku: 'CUP' }]);
  await linked.running.app.stop();
  const credentials = Buffer.from('ck_sandbox:cs_sandbox').toString('base64');
  for (const { id } of linked.woo.controls.webhooks())
    await fetch(`${linked.woo.url()}/wp-json/wc/v3/webhooks/${id}`, {
      method: 'PUT',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'disabled' }),
    });
  const active = () => linked.woo.controls.webhooks().filter(({ status }) => status === 'active').length;
  assert.equal(active(), 0);
  const again = await startTestApp(dir.path);
  try {
    assert.ok(await eventually('the webhooks', async () => (active() > 0 ? active() : null)));
  } finally {
    await again.app.stop();
  }
});
