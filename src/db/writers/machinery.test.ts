import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreId, WorkspaceId } from '../../model/ids.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { transact } from '../database.ts';
import { latestEventSeq, listEventsAfter, listRecentEvents, prunedThroughSeq } from '../readers/events.ts';
import { findMeta, listMeta } from '../readers/meta.ts';
import { insertDelivery, pruneDeliveries } from './deliveries.ts';
import { pruneEvents, recordEvent } from './events.ts';
import { setMeta } from './meta.ts';

const STORE = 'str_1' as StoreId;
const WORKSPACE = 'ws_1' as WorkspaceId;

test('a delivery is new once per store; repeats are told; old ones are forgotten in portions', () => {
  const db = openMemoryDatabase();
  const insert = (storeId: StoreId, deliveryId: string, receivedAt = 0) =>
    transact(db, (tx) => insertDelivery(tx, { storeId, deliveryId, topic: 't', receivedAt }));
  assert.equal(insert(STORE, 'a'), true);
  assert.equal(insert(STORE, 'a', 5), false);
  assert.equal(insert('str_2' as StoreId, 'a'), true);
  for (let index = 0; index < 10; index++) insert(STORE, `k${index}`, index);
  assert.equal(
    transact(db, (tx) => pruneDeliveries(tx, 5, 4)),
    4,
  );
  assert.equal(
    transact(db, (tx) => pruneDeliveries(tx, 5, 100)),
    3,
  );
  assert.equal(insert(STORE, 'k4', 9), true);
  assert.equal(insert(STORE, 'k5', 9), false);
});

test('events are numbered, listed by workspace, and pruned by age and by count without reusing a number', () => {
  const db = openMemoryDatabase();
  const record = (at: number, workspaceId = WORKSPACE) =>
    transact(db, (tx) => recordEvent(tx, { workspaceId, pairId: null, type: 'x', payload: { at }, at }));
  for (let at = 1; at <= 10; at++) assert.equal(record(at, at % 5 === 0 ? ('ws_2' as WorkspaceId) : WORKSPACE), at);
  assert.deepEqual(
    listEventsAfter(db, WORKSPACE, 3, 2).map(({ seq }) => seq),
    [4, 6],
  );
  assert.deepEqual(
    listRecentEvents(db, WORKSPACE, 2).map(({ payload }) => payload),
    [{ at: 9 }, { at: 8 }],
  );
  assert.deepEqual(
    listRecentEvents(db, WORKSPACE, 2, 8).map(({ seq }) => seq),
    [7, 6],
  );
  assert.equal(
    transact(db, (tx) => pruneEvents(tx, { beforeMs: 4, keepMax: 100, max: 2 })),
    2,
  );
  assert.equal(prunedThroughSeq(db), 2);
  assert.equal(
    transact(db, (tx) => pruneEvents(tx, { beforeMs: 4, keepMax: 100, max: 50 })),
    1,
  );
  assert.equal(
    transact(db, (tx) => pruneEvents(tx, { beforeMs: 0, keepMax: 2, max: 50 })),
    5,
  );
  assert.equal(
    transact(db, (tx) => pruneEvents(tx, { beforeMs: 99, keepMax: 2, max: 50 })),
    2,
  );
  assert.equal(
    transact(db, (tx) => pruneEvents(tx, { beforeMs: 99, keepMax: 2, max: 50 })),
    0,
  );
  assert.equal(latestEventSeq(db), 10);
  assert.equal(record(11), 11);
});

test('meta keeps small facts and forgets them', () => {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    setMeta(tx, 'a.1', 'one');
    setMeta(tx, 'a.2', 'two');
    setMeta(tx, 'b', 'other');
    setMeta(tx, 'a.1', 'uno');
  });
  assert.equal(findMeta(db, 'a.1'), 'uno');
  assert.deepEqual(
    [...listMeta(db, 'a.')],
    [
      ['1', 'uno'],
      ['2', 'two'],
    ],
  );
  transact(db, (tx) => setMeta(tx, 'a.1', null));
  assert.equal(findMeta(db, 'a.1'), null);
});
