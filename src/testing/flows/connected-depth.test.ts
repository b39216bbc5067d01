import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateDepth } from './depth/simulate.ts';

/** A taste of every day; more of them: `node src/testing/flows/depth/cli.ts --seeds 100 --steps 400`. */
const SEEDS = [1, 2, 3] as const;
const SIZE = { steps: 120, products: 14 } as const;

/** Must strike somewhere in the seeds above, or they prove nothing. */
const STRIKES = [
  'killed',
  'answer_lost',
  'lands_late',
  'never_lands',
  'webhook_lost',
  'webhook_doubled',
  'webhook_late',
];

test('the real connectors against the sandbox stores, on bad days', async () => {
  const struck = new Map<string, number>();
  for (const seed of SEEDS) {
    const result = await simulateDepth({ seed, ...SIZE });
    assert.deepEqual(result.violations, [], `seed ${seed}`);
    assert.ok(
      result.writes > 20 && result.webhooks > 50,
      `seed ${seed}: ${result.writes} writes, ${result.webhooks} webhooks`,
    );
    for (const [name, times] of Object.entries(result.faults)) struck.set(name, (struck.get(name) ?? 0) + times);
  }
  const silent = STRIKES.filter((name) => !struck.has(name));
  assert.deepEqual(silent, [], 'every kind of fault strikes');
  for (const store of ['woo_', 'shopify_'])
    assert.ok(
      [...struck.keys()].filter((name) => name.startsWith(store)).length >= 4,
      `${store} fails in several ways`,
    );
});

test('one seed is one story, request by request', async () => {
  const [a, b] = [
    await simulateDepth({ seed: 7, steps: 30, products: 6 }),
    await simulateDepth({ seed: 7, steps: 30, products: 6 }),
  ];
  assert.deepEqual(a, b);
});
