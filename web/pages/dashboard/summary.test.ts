import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownAs } from '../../api/known-as.ts';
import type { OverviewReply } from '../../api/overview.ts';
import type { Pair } from '../../api/pairs.ts';
import { pairStatus } from './pair-status.ts';
import { summaryOf } from './summary.ts';

const SETTINGS = { syncDirection: 'bidirectional', syncSchedule: 'realtime' } as Pair['settings'];

function pair(change: object = {}, counts: object = {}): Pair {
  const store = { name: 'Northfold', status: 'connected' };
  return {
    ...{ status: 'active', linkedAt: '2026-01-01', runningRunId: null, settings: SETTINGS, woocommerce: store },
    ...{
      shopify: { ...store, name: 'Studio' },
      counts: { records: 6, level: 6, pending: 0, conflicts: 0, problems: 0 },
    },
    ...change,
    ...(Object.keys(counts).length === 0 ? {} : { counts: { records: 6, pending: 0, ...counts } }),
  } as unknown as Pair;
}

const summary = (pairs: readonly Pair[], waiting = 0): string =>
  summaryOf({
    pairs: pairs.map((one) => ({ pair: one, heartbeat: [] })),
    stores: [{}, {}],
    needsYou: Array.from({ length: waiting }, () => ({})),
  } as unknown as Pick<OverviewReply, 'pairs' | 'stores' | 'needsYou'>);

test('what the overview says of all pairs is counted, not taken from what waits for a person', () => {
  const start = '1 pair, 2 stores connected. ';
  assert.equal(summary([pair()]), `${start}Everything is level.`);
  assert.equal(
    summary([pair({}, { level: 4 })], 2),
    `${start}4 of 6 records are level. What waits for you is listed below.`,
  );
  assert.equal(summary([pair({}, { level: 5, pending: 1 })]), `${start}5 of 6 records are level. 1 record on the way.`);
});

test('what was seen at the last sync is not said of now', () => {
  const start = '1 pair, 2 stores connected. ';
  const byHand = { settings: { ...SETTINGS, syncSchedule: 'manual' } };
  assert.equal(summary([pair(byHand)]), `${start}Everything was level at the last sync.`);
  assert.equal(summary([pair(byHand, { level: 4 })]), `${start}4 of 6 records were level at the last sync.`);
  assert.equal(
    summary([pair(byHand), pair()], 1),
    '2 pairs, 2 stores connected. Everything was level at the last sync. What waits for you is listed below.',
  );
  assert.equal(knownAs(pair(byHand)), 'at_last_sync');
  assert.equal(knownAs(pair()), 'now');
  assert.equal(knownAs(pair({ status: 'paused' })), 'when_it_stopped');
});

test('a pair whose store does not let us in is not said to be level, and not to be syncing', () => {
  const shutOut = pair({ woocommerce: { name: 'Northfold', status: 'error' } });
  assert.equal(summary([shutOut], 1), '1 pair, 2 stores connected. 1 pair stands still.');
  assert.deepEqual(pairStatus(shutOut), ['bad', 'Stands still']);
  assert.deepEqual(pairStatus(pair()), ['ok', 'Bidirectional Sync']);
  assert.deepEqual(pairStatus(pair({ status: 'paused', shopify: { name: 'Studio', status: 'error' } })), [
    'quiet',
    'Paused',
  ]);
});
