import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GUARD_WAIVER_MS, LISTING_WAIVER_MS } from '../../src/core/safety.ts';
import { HALT_REASONS } from '../../src/model/pair.ts';
import { haltWords } from './halt-words.ts';

const HOUR_MS = 60 * 60 * 1000;

test('[G10] resuming a halted pair says how long the harm passes, and the button repeats what it lets through', () => {
  const wordsFor = (reason: (typeof HALT_REASONS)[number]) => haltWords({ reason, side: 'shopify', count: 40 });
  for (const reason of HALT_REASONS) {
    const { consequence, action } = wordsFor(reason);
    const isListing = reason.endsWith('_listing');
    assert.match(consequence, isListing ? /^For 36 hours / : / for an hour, /);
    assert.match(action, /^Resume and let .+ through$/);
    if (isListing) assert.match(action, /40 products/);
  }
  assert.match(wordsFor('shrunken_listing').consequence, /what Shopify says is gone is put away in WooCommerce/);
  assert.match(wordsFor('mass_price_cut').action, /price cuts/);
  assert.deepEqual([GUARD_WAIVER_MS, LISTING_WAIVER_MS], [HOUR_MS, 36 * HOUR_MS]);
});
