import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PRODUCT_STATUSES } from '../model/product.ts';
import { guardLimit, isDrafting, isPriceCut, isZeroing, judgeListing } from './safety.ts';

test('[G1] 10 or 5 % of the linked records, whichever is larger, at most 250', () => {
  const rows = [
    [0, 10],
    [1, 10],
    [200, 10],
    [219, 10],
    [220, 11],
    [1_000, 50],
    [4_999, 249],
    [5_000, 250],
    [1_000_000, 250],
  ] as const;
  for (const [linked, limit] of rows) assert.equal(guardLimit(linked), limit, `${linked} linked`);
});

test('[G2] counted: from sale into draft or archive', () => {
  for (const from of PRODUCT_STATUSES) {
    for (const to of PRODUCT_STATUSES) {
      const isCounted = (from === 'active' || from === 'unlisted') && (to === 'draft' || to === 'archived');
      assert.equal(isDrafting(from, to), isCounted, `${from} -> ${to}`);
    }
  }
});

test('[G3] counted: stock that falls from 5 or more to nothing in one step', () => {
  for (const [from, to, isCounted] of [
    [5, 0, true],
    [40, -1, true],
    [4, 0, false],
    [5, 1, false],
    [0, 0, false],
    [0, 5, false],
  ] as const)
    assert.equal(isZeroing(from, to), isCounted, `${from} -> ${to}`);
});

test('[G4] counted: a price cut to half or less, of what is charged', () => {
  const price = (regularMinor: number | null, saleMinor: number | null = null) => ({ regularMinor, saleMinor });
  for (const [from, to, isCounted] of [
    [price(1000), price(500), true],
    [price(1000), price(501), false],
    [price(1000), price(0), true],
    [price(1000), price(1000, 500), true],
    [price(1000, 800), price(1000, 401), false],
    [price(1000), price(2000), false],
    [price(null), price(100), false],
    [price(1000), price(null), false],
    [price(0), price(0), false],
  ] as const)
    assert.equal(isPriceCut(from, to), isCounted, JSON.stringify([from, to]));
});

test('[G5, G6, B10, B11] a listing that is empty or lost more than the guard allows is not believed', () => {
  const rows = [
    [0, 0, null],
    [1, 0, 'empty_listing'],
    [500, 0, 'empty_listing'],
    [100, 90, null],
    [100, 89, 'shrunken_listing'],
    [4_000, 3, 'shrunken_listing'],
    [4_000, 3_800, null],
    [4_000, 3_799, 'shrunken_listing'],
    [10, 1, null],
    [10, 4_000, null],
  ] as const;
  for (const [before, now, reason] of rows) assert.equal(judgeListing(before, now), reason, `${before} -> ${now}`);
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (before, now) => {
      const isBelieved = judgeListing(before, now) === null;
      if (isBelieved) assert.ok(before === 0 || (now > 0 && before - now <= guardLimit(before)));
    }),
  );
});
