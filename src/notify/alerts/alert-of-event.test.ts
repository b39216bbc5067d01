import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventRow } from '../../db/schema/machinery.ts';
import { alertOfEvent } from './alert-of-event.ts';

const event = (type: string, payload: unknown) => ({ type, payload, pairId: 'pair_1' }) as EventRow;

test('an alert names what it is about: whoever reads the mail has no page beside it', () => {
  const pair = 'Northfold and Northfold Studio';
  for (const [row, names, words] of [
    [
      event('store_health_changed', { storeId: 'str_1', status: 'error', reason: 'the key is unknown' }),
      { store: 'Northfold' },
      'Northfold can not be worked with any more: the key is unknown',
    ],
    [
      event('problem', { code: 'STORE_AWAY', subject: 'str_1', message: 'WooCommerce has not answered.' }),
      { store: 'Northfold' },
      'Northfold: WooCommerce has not answered.',
    ],
    [event('run_failed', { error: { message: 'no room' } }), { pair }, `A sync of ${pair} failed: no room`],
    [
      event('pair_halted', { reason: 'mass_delete', side: 'shopify' }),
      { pair },
      `The sync of ${pair} was halted for safety (mass delete in Shopify). Products wait until you decide; stock goes on where the pair syncs in real time.`,
    ],
    [
      event('pair_halted', { reason: 'mass_zero', side: 'shopify' }),
      { pair },
      `The sync of ${pair} was halted for safety (mass zero in Shopify). Nothing is written until you decide.`,
    ],
    [
      event('conflict_opened', { productId: 'prd_1', title: 'Mug', field: 'variant.var_1.price' }),
      { variant: 'MUG-CREAM' },
      '"Mug" (MUG-CREAM) was changed differently on both sides: price. It waits for your decision.',
    ],
  ] as const)
    assert.equal(alertOfEvent(row, names)?.message, words);
});
