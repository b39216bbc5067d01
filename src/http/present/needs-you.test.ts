import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pair } from '../../contracts/pairs.ts';
import type { Store } from '../../contracts/stores.ts';
import type { PlanId } from '../../model/ids.ts';
import { needsYou } from './needs-you.ts';

test('a store that refuses our keys is named, with what it means and what it said', () => {
  const store = { _id: 'str_1', name: 'Northfold', status: 'error', statusReason: 'Sorry, you cannot list resources.' };
  const texts = (one: object) => needsYou([one as Store], [], new Map(), []).map(({ text }) => text);
  assert.deepEqual(texts(store), ['Northfold does not let us in any more: Sorry, you cannot list resources.']);
  assert.deepEqual(texts({ ...store, statusReason: null }), ['Northfold does not let us in any more']);
});

function pair(change: object): Pair {
  return {
    ...{ _id: 'pair_1', status: 'active', halt: null, lastSyncAt: '2026-01-02T10:00:00.000Z', openPlanId: 'plan_1' },
    ...{ woocommerce: { name: 'Northfold' }, shopify: { name: 'Studio' }, settings: { syncSchedule: 'manual' } },
    ...{ counts: { conflicts: 0, problems: 0 }, ...change },
  } as unknown as Pair;
}

test('a halted pair is named', () => {
  const halt = { message: 'WooCommerce answered with an empty catalogue.', count: 12 };
  const [told] = needsYou([], [pair({ status: 'halted', halt })], new Map(), []);
  assert.equal(told?.text, 'Northfold and Studio are halted: WooCommerce answered with an empty catalogue.');
});

test('a plan waits for a person as long as nothing but applying it, or a sync, makes its writes', () => {
  const at = Date.parse('2026-01-02T10:05:00.000Z');
  const texts = (change: object, plan: object = {}) => {
    const open = { id: 'plan_1' as PlanId, readyAt: at, writes: 3, ...plan };
    return needsYou([], [pair(change)], new Map([['pair_1', open]]), []).map(({ text }) => text);
  };
  assert.deepEqual(texts({}), ['A plan with 3 writes waits: Northfold and Studio']);
  assert.deepEqual(texts({ settings: { syncSchedule: 'daily' } }, { writes: 1 }), [
    'A plan with 1 write waits: Northfold and Studio',
  ]);
  assert.deepEqual(texts({ status: 'setup' }), ['Read the first plan of Northfold and Studio']);
  const nobody = [
    texts({ settings: { syncSchedule: 'realtime' } }),
    texts({ status: 'paused' }),
    texts({ lastSyncAt: '2026-01-02T10:06:00.000Z' }),
    texts({}, { writes: 0 }),
    texts({}, { readyAt: null }),
  ];
  assert.deepEqual(nobody, [[], [], [], [], []]);
});
