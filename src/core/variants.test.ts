import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VariantId } from '../model/ids.ts';
import type { VariantFields } from '../model/product.ts';
import { product, snapshot, V1, V2, variant, variantSnapshot } from '../testing/support/products.ts';
import { canonicalOf, matchVariants, optionKey, pairUp } from './variants.ts';

const GTIN = '4006381333931';

test('[V1] what is bound is never matched again, whatever it is called now', () => {
  const hub = product({}, { [V1]: variant({ sku: 'A' }), [V2]: variant({ sku: 'B' }) });
  const bound = new Map([
    ['201', V1],
    ['202', V2],
  ]);
  const swapped = snapshot({ variants: [variantSnapshot('201', { sku: 'B' }), variantSnapshot('202', { sku: 'A' })] });
  const match = matchVariants(hub, bound, swapped);
  assert.deepEqual(
    [...match.known].map(([id, { externalId }]) => [id, externalId]),
    [
      [V1, '201'],
      [V2, '202'],
    ],
  );
  assert.deepEqual([match.recognised, match.added, match.missing], [[], [], []]);
});

test('[V2] an unbound variant is recognised by SKU, else barcode, else option values; first that is unique on both lists', () => {
  const rows: readonly (readonly [string, Partial<VariantFields>[], Partial<VariantFields>[], string])[] = [
    // name, on the side, in the hub, pairs found as "side:hub"
    ['by SKU', [{ sku: 'A' }, { sku: 'B' }], [{ sku: 'B' }, { sku: 'A' }], '0:1 1:0'],
    [
      'SKU before option values',
      [{ sku: 'A', optionValues: ['M'] }],
      [
        { sku: 'X', optionValues: ['M'] },
        { sku: 'A', optionValues: ['L'] },
      ],
      '0:1',
    ],
    ['by barcode', [{ sku: '', barcode: GTIN }], [{ sku: 'A', barcode: ` ${GTIN}` }], '0:0'],
    [
      'not by an invalid barcode',
      [{ sku: '', barcode: '123', optionValues: ['S'] }],
      [{ sku: 'A', barcode: '123', optionValues: ['M'] }],
      '',
    ],
    ['by option values', [{ sku: '', optionValues: ['Größe  M'] }], [{ sku: 'A', optionValues: ['größe m'] }], '0:0'],
    [
      'a SKU used twice is passed over',
      [
        { sku: 'A', optionValues: ['S'] },
        { sku: 'A', optionValues: ['M'] },
      ],
      [{ sku: 'A', optionValues: ['M'] }],
      '1:0',
    ],
    [
      'a barcode used twice tells of the one that no SKU has told',
      [
        { sku: 'A', barcode: GTIN },
        { sku: '', barcode: GTIN },
      ],
      [{ sku: 'A' }, { sku: 'B', barcode: GTIN }],
      '0:0 1:1',
    ],
    ['nothing unique', [{ sku: 'A' }, { sku: 'A' }], [{ sku: 'A' }, { sku: 'A' }], ''],
    ['blank SKUs pair nothing', [{ sku: ' ', optionValues: ['S'] }], [{ sku: '', optionValues: ['M'] }], ''],
    [
      'left over for the next key',
      [{ sku: 'A' }, { sku: 'Z', optionValues: ['L'] }],
      [{ sku: 'A' }, { sku: '', optionValues: ['L'] }],
      '0:0 1:1',
    ],
  ];
  for (const [name, left, right, expected] of rows) {
    const lefts = left.map((change, item) => ({
      item,
      fields: variant({ optionValues: [`left ${item}`], ...change }),
    }));
    const rights = right.map((change, item) => ({
      item,
      fields: variant({ optionValues: [`right ${item}`], ...change }),
    }));
    const found = [...pairUp(lefts, rights)].sort(([a], [b]) => a - b).map(([a, b]) => `${a}:${b}`);
    assert.equal(found.join(' '), expected, name);
  }
});

test('[V2, V3, V4] of one reading: known, recognised, new and gone', () => {
  const gone = 'var_3' as VariantId;
  const hub = product(
    {},
    {
      [V1]: variant({ sku: 'A', optionValues: ['S'] }),
      [V2]: variant({ sku: 'B', optionValues: ['M'] }),
      [gone]: variant({ sku: 'C', optionValues: ['L'] }),
    },
  );
  const reading = snapshot({
    variants: [
      variantSnapshot('201', { sku: 'A', optionValues: ['S'] }),
      variantSnapshot('202', { sku: 'B', optionValues: ['M'] }),
      variantSnapshot('204', { sku: 'D', optionValues: ['XL'] }),
    ],
  });
  const match = matchVariants(
    hub,
    new Map([
      ['201', V1],
      ['203', gone],
    ]),
    reading,
  );
  assert.deepEqual(match.recognised, [V2]);
  assert.deepEqual(
    match.added.map(({ externalId }) => externalId),
    ['204'],
  );
  assert.deepEqual(match.missing, [gone]);
  assert.deepEqual(Object.keys(canonicalOf(reading, match.known).variants).sort(), [V1, V2]);
});

test('[V2] option values say the same in any letter case and spacing, and order matters', () => {
  assert.equal(optionKey(['Red ', 'L']), optionKey(['red', ' l']));
  assert.notEqual(optionKey(['L', 'Red']), optionKey(['Red', 'L']));
  assert.notEqual(optionKey(['a', 'b']), optionKey(['ab']));
});

test('[V2] spaces around the sign between parts of a value tell no variants apart, unless one product has both spellings', () => {
  const candidates = (...values: readonly string[]) =>
    values.map((value, item) => ({ item, fields: variant({ sku: '', optionValues: [value] }) }));
  for (const [left, right, expected] of [
    [
      ['S/M', 'L/XL'],
      ['L / XL', 'S / M'],
      [1, 0],
    ],
    [
      ['Red & Blue', 'Red+Blue', '30-40', 'A B'],
      ['red&blue', 'Red + Blue', '30 \u2013 40', 'AB'],
      [0, 1, 2, undefined],
    ],
    [
      ['S / M', 'S/M'],
      ['S/M', 'S / M'],
      [1, 0],
    ],
    [['S / M'], ['S/M', 'S / M'], [1]],
    [['S /M'], ['S/M', 'S / M'], [undefined]],
  ] as const) {
    const pairs = pairUp(candidates(...left), candidates(...right));
    assert.deepEqual(
      left.map((_value, i) => pairs.get(i)),
      expected,
      left.join(),
    );
  }
});
