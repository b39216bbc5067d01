import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isOtherLayout, underNames } from './option-layout.ts';

const name = fc.constantFrom('Size', 'Color', 'Fabric', 'Fit');
const names = fc.uniqueArray(name, { maxLength: 3 });
const values = (count: number) => fc.array(fc.string({ maxLength: 3 }), { minLength: count, maxLength: count });

test('[R4] a mere change of a name is no other layout, another order or number is', () => {
  assert.equal(isOtherLayout(['Size', 'Color'], ['Size', 'Colour']), false);
  assert.equal(isOtherLayout(['Size', 'Color'], ['size', 'color']), false);
  assert.equal(isOtherLayout(['Size', 'Color'], ['Color', 'Size']), true);
  assert.equal(isOtherLayout(['Size'], ['Size', 'Color']), true);
});

test('[R4] each value stands under its own name, in every order', () => {
  const anyCase = names.chain((from) =>
    fc.tuple(fc.constant(from), fc.shuffledSubarray(from, { minLength: from.length }), values(from.length)),
  );
  fc.assert(
    fc.property(anyCase, ([from, to, own]) => {
      const there = underNames(own, from, to, []);
      for (const [i, each] of to.entries()) assert.equal(there[i], own[from.indexOf(each)]);
      assert.deepEqual(underNames(there, to, from, []), own, 'and comes back');
    }),
  );
});

test('[R4] what is under no known name is what the other has there; as many values as names', () => {
  assert.deepEqual(underNames(['S'], ['Size'], ['Fit', 'Size'], ['Slim', 'M']), ['Slim', 'S']);
  assert.deepEqual(underNames(['S', 'Red'], ['Size', 'Color'], ['Size'], []), ['S']);
  // Renamed where it stands, while another one was added.
  assert.deepEqual(underNames(['Red'], ['Color'], ['Shade', 'Size'], ['Blue', 'M']), ['Red', 'M']);
  const anyTwo = names.chain((from) => fc.tuple(fc.constant(from), names, values(from.length)));
  fc.assert(
    fc.property(anyTwo, fc.array(fc.string(), { maxLength: 3 }), ([from, to, own], otherwise) => {
      if (isOtherLayout(from, to)) assert.equal(underNames(own, from, to, otherwise).length, to.length);
      else assert.deepEqual(underNames(own, from, to, otherwise), own);
    }),
  );
});
