import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerMessage } from '../../../src/contracts/live.ts';
import { liveNotice } from './live-notice.ts';

const TIMESTAMP = '2026-11-29T09:42:31.000Z';

function ended(type: 'sync_completed' | 'sync_failed', failed: number): ServerMessage {
  const status = type === 'sync_completed' ? 'completed' : 'failed';
  const stats = { totalProcessed: 50, successful: 50 - failed, failed, skipped: 0, written: 5 };
  return {
    type,
    payload: { storeId: 'store_1', pairId: 'pair_1', runId: 'run_1', status, stats, error: null },
    timestamp: TIMESTAMP,
  };
}

test('a run that left records behind is no success', () => {
  assert.deepEqual(liveNotice(ended('sync_completed', 0)), ['success', 'Sync completed successfully!']);
  assert.deepEqual(liveNotice(ended('sync_completed', 1)), ['warning', 'Sync finished, 1 record failed.']);
  assert.deepEqual(liveNotice(ended('sync_completed', 37)), ['warning', 'Sync finished, 37 records failed.']);
  assert.deepEqual(liveNotice(ended('sync_failed', 37)), ['error', 'Sync failed. Please check your settings.']);
});

test('other messages say nothing, but for an alert about usage', () => {
  assert.equal(liveNotice({ type: 'heartbeat', payload: {}, timestamp: TIMESTAMP }), null);
  assert.deepEqual(
    liveNotice({ type: 'usage_alert', payload: { message: 'Near the limit', level: 'warning' }, timestamp: TIMESTAMP }),
    ['warning', 'Usage alert: Near the limit'],
  );
});
