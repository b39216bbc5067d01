import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerMessage } from '../../src/contracts/live.ts';
import { namesMoved } from './names-moved.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

function activity(type: string): ServerMessage {
  const payload = { seq: 1, type, level: 'info', text: '', pairId: null, payload: {}, at: timestamp } as const;
  return { type: 'activity', payload, timestamp };
}

test('the list of stores moves with what happens to a store, and not with every sale', () => {
  for (const type of ['store_connected', 'store_renamed', 'store_moved', 'store_keys_renewed', 'store_disconnected'])
    assert.ok(namesMoved(activity(type)).includes('stores'), type);
  assert.ok(!namesMoved(activity('stock_changed')).includes('stores'));
});

test('a sale asks nobody anything: the list of conflicts does not move with it', () => {
  for (const type of ['stock_changed', 'stock_written'])
    assert.ok(!namesMoved(activity(type)).includes('conflicts'), type);
  for (const type of ['field_changed', 'product_written', 'conflict_opened', 'conflict_resolved'])
    assert.ok(namesMoved(activity(type)).includes('conflicts'), type);
});

test('a pair that is made or removed moves the list of stores, and one that is removed the lists of what was its own', () => {
  assert.ok(namesMoved(activity('pair_created')).includes('stores'));
  const names = namesMoved(activity('pair_deleted'));
  for (const name of ['stores', 'runs', 'plans', 'pairs', 'overview']) assert.ok(names.includes(name), name);
});

test('with demo data its stores, runs, plans and lines of the feed go', () => {
  const names = namesMoved(activity('demo_data_removed'));
  for (const name of ['stores', 'runs', 'plans', 'activity', 'overview']) assert.ok(names.includes(name), name);
});

test('a store that does not answer, or does again, moves its row, its pairs and what is told of it', () => {
  const health = { storeId: 'str_1', platform: 'shopify', connectionStatus: 'error', reason: null } as const;
  const names = namesMoved({ type: 'store_health_changed', payload: health, timestamp });
  assert.deepEqual(names.toSorted(), ['overview', 'pairs', 'problems', 'stores']);
});
