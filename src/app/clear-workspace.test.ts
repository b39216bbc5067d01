import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../db/database.ts';
import { findStore, listPairs, listStores } from '../db/readers/pairs.ts';
import { deletePairRow, deleteStore, insertStore } from '../db/writers/stores.ts';
import { insertWorkspace } from '../db/writers/workspaces.ts';
import type { PairId, StoreId, WorkspaceId } from '../model/ids.ts';
import { insertWorld } from '../testing/http/insert-world.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { clearWorkspace } from './clear-workspace.ts';

const OWN = 'ws_own' as WorkspaceId;
const OTHER = 'ws_other' as WorkspaceId;

function twoWorkspaces() {
  const db = openMemoryDatabase();
  const worlds = [OWN, OTHER].map((id) => {
    transact(db, (tx) => insertWorkspace(tx, { id, name: id, isDemo: false, createdAt: 0 }));
    return insertWorld(db, id, 0);
  });
  const engine = {
    deletePair: (id: PairId) => transact(db, (tx) => deletePairRow(tx, id)),
    disconnectStore: async (id: StoreId) => transact(db, (tx) => deleteStore(tx, id)),
  };
  return { db, engine, own: worlds[0] ?? assert.fail() };
}

test('a workspace is cleared of a store, too, that is connected while others are taken away', async () => {
  const { db, engine, own } = twoWorkspaces();
  const model = findStore(db, own.storeIds.shopify) ?? assert.fail();
  let isConnected = false;
  await clearWorkspace(
    db,
    {
      ...engine,
      async disconnectStore(id) {
        if (!isConnected)
          transact(db, (tx) => insertStore(tx, { ...model, id: 'str_late' as StoreId, identity: 'late' }));
        isConnected = true;
        await engine.disconnectStore(id);
      },
    },
    OWN,
  );
  assert.deepEqual(
    [...listStores(db), ...listPairs(db)].map(({ workspaceId }) => workspaceId),
    [OTHER, OTHER, OTHER],
  );
});
