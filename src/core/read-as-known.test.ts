import assert from 'node:assert/strict';
import { test } from 'node:test';
import { product, snapshot, V1, V2, variant, variantSnapshot } from '../testing/support/products.ts';
import { readAsKnown } from './read-as-known.ts';

test('[R17] a list of the whole shop has its own letter case, accents and spaces around a sign: another value is another one', () => {
  const known = product(
    { optionNames: ['Size'] },
    { [V1]: variant({ optionValues: ['S / M'] }), [V2]: variant({ optionValues: ['Café'] }) },
  );
  for (const [shown, read] of [
    [
      ['s/m', 'cafe'],
      ['S / M', 'Café'],
    ],
    [
      ['S-M', 'Cafes'],
      ['S-M', 'Cafes'],
    ],
  ] as const)
    for (const sharedOptions of [[0], undefined]) {
      const variants = shown.map((value, i) => variantSnapshot(`${i}`, { optionValues: [value] }));
      const [first, second] = variants;
      assert.ok(first && second);
      const reading = snapshot({ fields: { ...known.fields }, variants });
      const seen = readAsKnown(
        { ...reading, ...(sharedOptions && { sharedOptions }) },
        new Map([
          [V1, first],
          [V2, second],
        ]),
        [known],
      );
      const values = [V1, V2].map((id) => seen.variants[id]?.optionValues[0]);
      assert.deepEqual(values, sharedOptions === undefined ? shown : read);
    }
});
