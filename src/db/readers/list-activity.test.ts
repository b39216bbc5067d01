import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { transact } from '../database.ts';
import { recordEvent } from '../writers/events.ts';
import { countActivity, listActivity } from './list-activity.ts';

const HARBOUR = 'ws_harbour' as WorkspaceId;
const TYPES = [
  ...['stock_changed', 'product_written', 'field_changed', 'conflict_opened', 'order_mirrored', 'pair_paused'],
  ...['problem', 'run_failed', 'plan_failed', 'pair_halted', 'store_health_changed', 'run_progress', 'plan_progress'],
];

test('each filter counts what it lists, for the workspace and for one pair', () => {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    for (let n = 0; n < 400; n += 1) {
      const type = TYPES[n % TYPES.length] ?? '';
      const pairId = n % 4 === 0 ? null : (`pair_${n % 3}` as PairId);
      const workspaceId = n % 5 === 0 ? ('ws_other' as WorkspaceId) : HARBOUR;
      recordEvent(tx, { workspaceId, pairId, type, payload: { status: n % 2 === 0 ? 'error' : 'ok' }, at: n });
    }
  });
  for (const pairId of [undefined, 'pair_1', 'pair_none']) {
    const counts = countActivity(db, HARBOUR, { pairId });
    for (const filter of ['all', 'orders', 'products', 'errors'] as const) {
      const { rows } = listActivity(db, HARBOUR, { filter, pairId, limit: 1_000 });
      assert.equal(counts[filter], rows.length, `${filter} of ${pairId}`);
      assert.ok(rows.length > 0 || pairId === 'pair_none');
      assert.ok(rows.every(({ type }) => !type.endsWith('_progress')));
    }
  }
  db.connection.close();
});
