import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncStats } from '../../api/runs.ts';
import { historyFigures } from './history-figures.ts';

const STATS: SyncStats = {
  ...{ period: 'month', since: '2026-10-29T00:00:00.000Z', total: 128, completed: 120, failed: 5, cancelled: 2 },
  ...{ running: 1, recordsProcessed: 1_512, recordsWritten: 310, recordsFailed: 2, changes: 940 },
  averageDurationMs: 4_100,
};

const shown = (stats: SyncStats) => historyFigures(stats).map(({ label, value, note }) => [label, value, note]);

test('the figures are of whole runs and of their records, each with what it is a part of', () => {
  assert.deepEqual(shown(STATS), [
    ['Runs', '128', '4.1 s on average'],
    ['Failed runs', '5', '3.9% of runs'],
    ['Records written', '310', 'of 1,512 looked at'],
    ['Records failed', '2', '0.1% of records'],
  ]);
});

test('of nothing no part is named, and no duration of what goes on', () => {
  const none = {
    total: 0,
    failed: 0,
    recordsProcessed: 0,
    recordsWritten: 0,
    recordsFailed: 0,
    averageDurationMs: null,
  };
  assert.deepEqual(shown({ ...STATS, ...none }), [
    ['Runs', '0', undefined],
    ['Failed runs', '0', undefined],
    ['Records written', '0', 'of 0 looked at'],
    ['Records failed', '0', undefined],
  ]);
});
