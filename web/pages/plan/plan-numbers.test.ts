import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanItem } from '../../api/plans.ts';
import { kindOf, reasonOf, restWords } from './plan-numbers.ts';

function item(over: Partial<PlanItem>): PlanItem {
  return {
    ...{
      seq: 1,
      action: 'update',
      side: null,
      title: 'Mug',
      sku: 'MUG',
      imageUrl: '',
      reason: 'linked',
      recordId: 'prd_1',
    },
    ...{
      woocommerceId: '1',
      shopifyId: '2',
      fields: [],
      stock: [],
      conflicts: 0,
      unlike: null,
      refused: [],
      candidates: [],
    },
    ...over,
  };
}

test('what is linked already and writes nothing says what it waits for, not that it is linked', () => {
  const held = item({ conflicts: 2 });
  assert.deepEqual([kindOf(held), restWords(held)], ['ask', 'Nothing is written']);
  assert.equal(reasonOf(held), 'Already linked, 2 fields wait for you');
  assert.equal(reasonOf(item({ conflicts: 1 })), 'Already linked, 1 field waits for you');
  assert.deepEqual([kindOf(item({})), reasonOf(item({}))], ['none', 'Already linked'], 'nothing is asked');
  const link = item({ action: 'link', reason: 'sku' });
  assert.deepEqual([kindOf(link), restWords(link), reasonOf(link)], ['link', 'Link only', 'Matched by SKU']);
});

test('what is listed because of its title is not said to be matched', () => {
  const namesake = item({ action: 'ambiguous', reason: 'title' });
  assert.deepEqual([kindOf(namesake), reasonOf(namesake)], ['ask', 'The same title in both stores']);
});

test('what is written is marked as a change', () => {
  const fields = [{ side: 'shopify' as const, field: 'Title', from: 'Mug', to: 'Cup' }];
  assert.equal(kindOf(item({ fields })), 'mod');
});
