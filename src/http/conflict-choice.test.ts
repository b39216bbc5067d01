import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflictChoice } from './conflict-choice.ts';

test('of a delete there is nothing between kept and deleted, and the answer names what may be chosen', () => {
  const conflict = { field: 'deleted', side: 'woocommerce', base: false } as const;
  for (const choice of ['agreed', 'value'] as const)
    assert.throws(() => conflictChoice(conflict, { choice, value: true }), {
      code: 'VALIDATION',
      message: 'choice: a product is kept or deleted, so choose the side that is right: "woocommerce" or "shopify"',
    });
  assert.deepEqual(conflictChoice(conflict, { choice: 'woocommerce' }), { choice: 'remote' });
  assert.deepEqual(conflictChoice(conflict, { choice: 'shopify' }), { choice: 'hub' });
});
