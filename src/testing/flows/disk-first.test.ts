// What was not made to last is neither acknowledged nor sent: a disk that takes nothing holds everything up, and nothing is lost by it.
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTempDir } from '../support/temp-dir.ts';
import { startLinkedApp } from './start-linked-app.ts';
import { eventually } from './start-test-app.ts';

test('a webhook is acknowledged, and a write leaves, only when the disk has what was stored', async (t) => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.join('data'), [{ title: 'Mug', sku: 'MUG' }]);
  const { woo, shopify, running } = app;
  const hooked = await eventually('our webhooks', () => (woo.controls.webhooks().length > 0 ? true : null));
  assert.ok(hooked);
  const shown = () => shopify.controls.listShelf().find(({ sku }) => sku === 'MUG');

  const probe = await open(join(dir.join('data'), 'probe'), 'w');
  const prototype = Object.getPrototypeOf(probe) as { datasync: () => Promise<void> };
  await probe.close();
  let failures = 0;
  const disk = t.mock.method(prototype, 'datasync', async () => {
    failures += 1;
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  });
  woo.controls.placeOrder([{ ref: 'MUG', quantity: 3 }]);
  await eventually('a refused delivery', () =>
    woo.controls.webhooks().some(({ failureCount }) => failureCount > 0) ? true : null,
  );
  const seen = failures;
  // Nobody is told of the price: a person asks for a sync, which reads both shops and finds the two changes.
  woo.controls.setPrice('MUG', '15.00');
  const { status } = await running.call('POST', '/api/sync/manual', { pairId: app.pairId }, app.session);
  assert.equal(status, 202);
  await eventually('more tries to flush', () => (failures >= seen + 4 ? true : null));
  assert.deepEqual([shown()?.available, shown()?.price], [10, '12.00'], 'nothing was sent');
  disk.mock.restore();
  await eventually(
    'both changes',
    () => (shown()?.available === 7 && shown()?.price === '15.00' ? true : null),
    60_000,
  );
});
