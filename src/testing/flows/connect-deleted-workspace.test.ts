import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { listStores } from '../../db/readers/pairs.ts';
import { purgeWorkspace } from '../../db/writers/purge-workspace.ts';
import { insertWorkspace } from '../../db/writers/workspaces.ts';
import { connectStore } from '../../engine/stores/connect-store.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import { WOO_KEY, WOO_URL } from './depth/shops.ts';
import { DepthWorld } from './depth/world.ts';

test('a store is never stored in a workspace that was deleted while it was being looked at', async () => {
  const world = await DepthWorld.open();
  try {
    const workspaceId = 'ws_short' as WorkspaceId;
    const row = { id: workspaceId, name: 'Short', isDemo: false, createdAt: world.clock.now() };
    transact(world.db, (tx) => insertWorkspace(tx, row));
    const { key: consumerKey, secret: consumerSecret } = WOO_KEY;
    const credentials = { platform: 'woocommerce', url: WOO_URL, consumerKey, consumerSecret } as const;
    const connect = () => connectStore(world.ctx, { workspaceId, name: 'Mine', credentials });
    const { store } = await world.clock.run(connect());
    assert.deepEqual(
      listStores(world.db).map(({ id }) => id),
      [store.id],
    );
    transact(world.db, (tx) => purgeWorkspace(tx, workspaceId, world.clock.now()));
    transact(world.db, (tx) => insertWorkspace(tx, row));
    const asked = connect();
    transact(world.db, (tx) => purgeWorkspace(tx, workspaceId, world.clock.now()));
    const events = () => world.db.connection.prepare('SELECT type FROM event').all();
    const before = events();
    await assert.rejects(world.clock.run(asked), { code: 'NOT_FOUND', message: /deleted while the store was/ });
    assert.deepEqual(listStores(world.db), []);
    assert.deepEqual(events(), before, 'nobody is told of a store that was connected, and taken away');
    assert.deepEqual(world.db.connection.prepare("SELECT key FROM job WHERE key LIKE 'webhooks:%'").all(), []);
  } finally {
    await world.close();
  }
});
