import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OverviewReply } from '../../api/overview.ts';
import { couldPair, isSettingUp, needsBesidesSetup, ownOf, setupSteps } from './setup-steps.ts';

type Stores = OverviewReply['stores'];
type Pairs = OverviewReply['pairs'];

const [woo, shopify] = (['woocommerce', 'shopify'] as const).map((platform) => ({ platform, name: platform }));
const pairOf = (change: object) =>
  ({
    pair: { ...{ woocommerce: woo, shopify, linkedAt: null, openPlanId: null, runningRunId: null }, ...change },
  }) as unknown as Pairs[number];

function told(stores: readonly unknown[], pairs: Pairs = []): string[] {
  const steps = setupSteps({ stores: stores as Stores, pairs });
  return steps.map(({ isDone, action }) => (isDone ? 'done' : (action?.href ?? 'later')));
}

test('the steps follow what is there, in whichever order it came', () => {
  const [connectWoo, connectShopify] = ['/stores?connect=woocommerce', '/stores?connect=shopify'];
  assert.deepEqual(told([]), [connectWoo, connectShopify, 'later', 'later']);
  assert.deepEqual(told([shopify]), [connectWoo, 'done', 'later', 'later']);
  assert.deepEqual(told([woo, woo]), ['done', connectShopify, 'later', 'later']);
  assert.deepEqual(told([woo, shopify]), ['done', 'done', '/stores?connect=pair', 'later']);
});

test('the last step leads to the plan, and while it is applied to its run', () => {
  const lastOf = (...pairs: Pairs) => told([woo, shopify], pairs).at(-1);
  assert.equal(lastOf(pairOf({})), '/plans');
  assert.equal(lastOf(pairOf({}), pairOf({ openPlanId: 'pln_1' })), '/plans/pln_1');
  assert.equal(lastOf(pairOf({ openPlanId: 'pln_1', runningRunId: 'run_1' })), '/runs/run_1');
});

test('it is over with the first pair that was linked', () => {
  assert.equal(isSettingUp({ pairs: [] }), true);
  assert.equal(isSettingUp({ pairs: [pairOf({}), pairOf({ linkedAt: '2026-11-27T09:00:00.000Z' })] }), false);
});

test('demo data sets nothing up for stores of a person', () => {
  const sandbox = { platform: 'shopify', isSandbox: true };
  const seen = (stores: readonly unknown[]) => ({
    stores: stores as Stores,
    pairs: [pairOf({ linkedAt: '2026-11-27T09:00:00.000Z', isSandbox: true })],
  });
  assert.equal(isSettingUp(ownOf(seen([sandbox]))), false);
  const beside = ownOf(seen([sandbox, woo]));
  assert.equal(isSettingUp(beside), true);
  assert.deepEqual(
    setupSteps(beside).map(({ isDone }) => isDone),
    [true, false, false, false],
  );
});

test('what a step says is not asked for a second time; everything else is', () => {
  const needs = ['setup', 'plan_ready/pln_1', 'plan_ready/pln_2', 'store_error'].map((one) => {
    const [type, planId = null] = one.split('/');
    return { type, planId };
  }) as unknown as OverviewReply['needsYou'];
  const left = (pairs: Pairs) =>
    needsBesidesSetup({ needsYou: needs, pairs }).map(({ type, planId }) => planId ?? type);
  assert.deepEqual(left([pairOf({ openPlanId: 'pln_1' }), pairOf({ openPlanId: 'pln_2' })]), ['pln_2', 'store_error']);
  assert.equal(left([pairOf({ linkedAt: '2026-11-27T09:00:00.000Z' })]).length, 4);
});

test('a store of a person and one of the sandbox are no partners, nor are two of one platform', () => {
  const [own, other, sandbox] = [
    { platform: 'woocommerce', isSandbox: false },
    { platform: 'shopify', isSandbox: false },
    { platform: 'shopify', isSandbox: true },
  ] as const;
  assert.equal(couldPair(own, other), true);
  assert.equal(couldPair(own, sandbox), false);
  assert.equal(couldPair(other, sandbox), false);
});
