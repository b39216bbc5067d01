import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../model/snapshot.ts';
import { fields, product, snapshot, V1, variant, variantSnapshot } from '../testing/support/products.ts';
import { isAnotherRecord } from './another-record.ts';

const mark = { pairId: 'pair_1', hubId: 'prd_1' };
const known = product({}, { [V1]: variant({ barcode: '4006381333931' }) });

/** The mug that is known, and a teapot under its id. */
function isAnother(change: Partial<ProductSnapshot> = {}, base = known, madeAt: number | null = 1_000): boolean {
  const teapot = {
    fields: fields({ title: 'Teapot', handle: 'teapot' }),
    variants: [variantSnapshot('1', { sku: 'TEA' })],
    madeAt: 2_000,
  };
  return isAnotherRecord({ base: () => base, madeAt, mark }, snapshot({ ...teapot, ...change }));
}

test('[V6] another record: made at another time, with another title, another address and other keys', () => {
  assert.equal(isAnother(), true);
  assert.equal(isAnother({ variants: [variantSnapshot('1', { sku: '' })] }), true);
  assert.equal(isAnother({ variants: [] }), true);
  assert.equal(isAnother({ marks: [{ ...mark, hubId: 'prd_2' }] }), true);
});

test('[V6] where one of these is as it was, or it bears our mark, it is the same record with edits', () => {
  assert.equal(isAnother({ madeAt: 1_000 }), false);
  assert.equal(isAnother({ fields: fields({ handle: 'teapot' }) }), false);
  assert.equal(isAnother({ fields: fields({ title: 'Teapot' }) }), false);
  assert.equal(isAnother({ variants: [variantSnapshot('1', { sku: 'mug' })] }), false);
  assert.equal(isAnother({ variants: [variantSnapshot('1', { sku: 'TEA', barcode: '4006381333931' })] }), false);
  assert.equal(isAnother({ marks: [mark] }), false);
});

test('[V6] what was never known of it decides nothing: when it was made, its address, its keys', () => {
  assert.equal(isAnother({ madeAt: null }), false);
  assert.equal(isAnother({}, known, null), false);
  assert.equal(isAnother({}, product({ handle: '' })), false);
  assert.equal(isAnother({}, product({}, { [V1]: variant({ sku: '' }) })), false);
});
