import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActivityReply } from '../../contracts/activity.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { startLinkedApp } from './start-linked-app.ts';

test('a pair that was removed is told by the names of its stores, also when those are disconnected after it', async () => {
  using dir = makeTempDir();
  await using app = await startLinkedApp(dir.path, [{ title: 'Mug', sku: 'MUG' }]);
  const ask = async <T>(method: 'GET' | 'DELETE', path: string) =>
    (await app.running.call<T>(method, path, null, app.session)).body;
  await ask('DELETE', `/api/pairs/${app.pairId}`);
  for (const id of Object.values(app.storeIds)) await ask('DELETE', `/api/stores/${id}`);
  const { activity } = await ask<ActivityReply>('GET', '/api/activity?limit=10');
  const texts = activity.map(({ text }) => text);
  assert.ok(texts.includes('The pair of Garden Shop and Garden Studio was removed'), texts.join('\n'));
});
