import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceId } from '../../model/ids.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { type Db, transact } from '../database.ts';
import { findPair } from '../readers/pairs.ts';
import { isOfSandbox } from '../readers/sandbox.ts';
import { pair } from '../schema/pair.ts';
import { store } from '../schema/store.ts';
import { recordEvent } from './events.ts';
import { enqueueJob } from './jobs.ts';
import { dropSandboxRows, purgeSandbox } from './purge-sandbox.ts';
import { forgetSandboxGone } from './sandbox-gone.ts';
import { deletePairRow, deleteStore, updatePair, updateStore } from './stores.ts';

const AT = Date.UTC(2026, 0, 5, 9);
const OURS = 'ws_ours' as WorkspaceId;
const THEIRS = 'ws_theirs' as WorkspaceId;

/** Every row of every table. */
function everything(db: Db): Record<string, unknown[]> {
  const names = db.connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all() as string[];
  return Object.fromEntries(names.map((name) => [name, db.connection.prepare(`SELECT * FROM "${name}"`).all()]));
}

function insertSandbox(db: Db, workspaceId: WorkspaceId, at: number) {
  const world = insertWorld(db, workspaceId, at, 'sandbox' as WorkspaceId);
  transact(db, (tx) => {
    for (const id of Object.values(world.storeIds)) {
      updateStore(tx, id, { isSandbox: true });
      const named = { storeId: id, name: 'Harbour', platform: 'shopify' };
      recordEvent(tx, { workspaceId, pairId: null, type: 'store_connected', payload: named, at });
      const away = { code: 'STORE_AWAY', subject: id, message: 'It does not answer.' };
      recordEvent(tx, { workspaceId, pairId: null, type: 'problem', payload: away, at });
      for (const groupKey of [id, world.pairId])
        enqueueJob(tx, {
          ...{ key: `test:${groupKey}`, task: 'poll_store', groupKey, payload: {}, priority: 30 },
          runAt: at,
        });
    }
  });
  return world;
}

/** Two worlds in one workspace would be the same two shops. */
function renameShops(db: Db): void {
  db.connection.exec('UPDATE store SET identity = id');
}

test('a sandbox goes with everything that is stored of it, and nothing else does: not in its workspace, not in another', () => {
  const db = openMemoryDatabase();
  insertWorld(db, OURS, AT);
  insertWorld(db, THEIRS, AT);
  renameShops(db);
  const before = everything(db);
  const { pairId } = insertSandbox(db, OURS, AT + 10);
  assert.notDeepEqual(everything(db), before);
  const gone = transact(db, (tx) => purgeSandbox(tx, OURS, AT + 20));
  assert.deepEqual(gone.pairs, [pairId]);
  assert.equal(gone.stores.length, 2);
  transact(db, forgetSandboxGone);
  assert.deepEqual(everything(db), before);
  assert.equal(findPair(db, pairId), null);
});

test('what is stored of it after it has gone is found by its ids', () => {
  const db = openMemoryDatabase();
  insertWorld(db, OURS, AT);
  renameShops(db);
  const before = everything(db);
  insertSandbox(db, OURS, AT + 10);
  const gone = transact(db, (tx) => purgeSandbox(tx, OURS, AT + 20));
  insertSandbox(db, OURS, AT + 30);
  db.query.delete(pair).run();
  db.query.delete(store).run();
  transact(db, (tx) => dropSandboxRows(tx, gone, AT + 40));
  transact(db, forgetSandboxGone);
  assert.deepEqual(everything(db), { ...before, pair: [], store: [] });
});

test('of a journal that was looked through once only what is noted later is looked at again', () => {
  const db = openMemoryDatabase();
  insertSandbox(db, OURS, AT + 10);
  transact(db, (tx) => {
    for (let n = 0; n < 5; n += 1)
      recordEvent(tx, { workspaceId: OURS, pairId: null, type: 'stock_changed', payload: {}, at: AT + 11 });
  });
  const latest = db.connection.prepare('SELECT max(seq) FROM event').pluck().get();
  const gone = transact(db, (tx) => purgeSandbox(tx, OURS, AT + 20));
  assert.equal(gone.eventsAfter, latest);
});

test('a workspace without sandbox stores loses nothing', () => {
  const db = openMemoryDatabase();
  insertWorld(db, OURS, AT);
  const before = everything(db);
  const gone = transact(db, (tx) => purgeSandbox(tx, OURS, AT + 20));
  transact(db, (tx) => dropSandboxRows(tx, gone, AT + 20));
  assert.deepEqual(everything(db), before);
});

test('an event is of a sandbox by its pair, or by the store that it is about', () => {
  const db = openMemoryDatabase();
  const real = insertWorld(db, OURS, AT);
  renameShops(db);
  const sandbox = insertSandbox(db, OURS, AT);
  transact(db, (tx) => updatePair(tx, sandbox.pairId, { status: 'paused' }));
  const is = (pairId: typeof real.pairId | null, payload: object) => isOfSandbox(db, { pairId, payload });
  assert.equal(is(sandbox.pairId, {}), true);
  assert.equal(is(null, { storeId: sandbox.storeIds.shopify }), true);
  assert.equal(is(null, { subject: sandbox.storeIds.woocommerce }), true);
  assert.equal(is(real.pairId, { subject: 'prd_1' }), false);
  assert.equal(is(null, { storeId: real.storeIds.shopify }), false);
});

/** What a job under way notes of a pair and a store. */
function noteLate(db: Db, { pairId, storeIds }: ReturnType<typeof insertSandbox>): (readonly [object, boolean])[] {
  const late = [
    { pairId, payload: { productId: 'prd_1', quantity: 3 } },
    { pairId: null, payload: { storeId: storeIds.shopify } },
    { pairId: null, payload: { subject: storeIds.woocommerce } },
  ];
  transact(db, (tx) => {
    for (const one of late) recordEvent(tx, { workspaceId: OURS, type: 'problem', at: AT + 30, ...one });
  });
  return late.map((one) => [one.payload, isOfSandbox(db, one)]);
}

test('what is noted of it when it has gone is of a sandbox still, until nothing can be noted any more', () => {
  const db = openMemoryDatabase();
  const real = insertWorld(db, OURS, AT);
  renameShops(db);
  const before = everything(db);
  const sandbox = insertSandbox(db, OURS, AT + 10);
  transact(db, (tx) => purgeSandbox(tx, OURS, AT + 20));
  for (const [payload, isOf] of noteLate(db, sandbox)) assert.equal(isOf, true, JSON.stringify(payload));
  assert.equal(isOfSandbox(db, { pairId: real.pairId, payload: { storeId: real.storeIds.shopify } }), false);
  transact(db, forgetSandboxGone);
  assert.deepEqual(everything(db), before);
});

test('so it is where people have removed its pair and disconnected its stores by themselves; of their own nothing is kept from anybody', () => {
  const db = openMemoryDatabase();
  const real = insertWorld(db, OURS, AT);
  renameShops(db);
  const sandbox = insertSandbox(db, OURS, AT + 10);
  for (const { pairId, storeIds } of [real, sandbox])
    transact(db, (tx) => {
      deletePairRow(tx, pairId);
      for (const id of Object.values(storeIds)) deleteStore(tx, id);
    });
  for (const [payload, isOf] of noteLate(db, sandbox)) assert.equal(isOf, true, JSON.stringify(payload));
  for (const [payload, isOf] of noteLate(db, real)) assert.equal(isOf, false, JSON.stringify(payload));
});
