import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MatchKey } from '../model/match.ts';
import { fields, snapshot, variantSnapshot } from '../testing/support/products.ts';
import { type KeyHolders, matchRecord, recordKeys, titleKey } from './match.ts';

const GTIN = '4006381333931';

test('[M1] a record is matched by our mark, valid barcodes, SKUs, and its handle with its option values', () => {
  const keys = recordKeys(
    snapshot({
      marks: [
        { pairId: 'pair_1', hubId: 'prd_1' },
        { pairId: 'pair_2', hubId: 'prd_2' },
      ],
      variants: [
        variantSnapshot('1', { sku: ' A ', barcode: GTIN, optionValues: ['S'] }),
        variantSnapshot('2', { sku: 'A', barcode: '123', optionValues: ['M'] }),
        variantSnapshot('3', { sku: '', barcode: '', optionValues: ['L'] }),
      ],
    }),
    'pair_1',
  );
  assert.deepEqual(keys.map(({ type }) => type).sort(), ['barcode', 'handle', 'mark', 'sku']);
  assert.deepEqual(
    keys.filter(({ type }) => type !== 'handle'),
    [
      { type: 'mark', value: 'prd_1' },
      { type: 'barcode', value: GTIN.padStart(14, '0') },
      { type: 'sku', value: 'a' },
    ],
  );
});

test('[M1] never by title; by handle only with the same option values, in any order', () => {
  const bare = { marks: [], variants: [variantSnapshot('1', { sku: '' })] };
  assert.deepEqual(recordKeys(snapshot({ ...bare, fields: fields({ handle: '' }) }), 'pair_1'), []);
  const sizes = (...values: string[]) =>
    recordKeys(
      snapshot({ variants: values.map((value, i) => variantSnapshot(`${i}`, { sku: '', optionValues: [value] })) }),
      'pair_1',
    )[0]?.value;
  assert.equal(sizes('S', 'M'), sizes('m', 'S'));
  assert.notEqual(sizes('S', 'M'), sizes('S', 'M', 'L'));
});

test('[M1] namesakes are told by their titles as texts are compared, letter case and accents apart', () => {
  for (const title of ['KAFFEEMÜHLE', 'Kaffeem&#252;hle', ' Kaffeemu\u0308hle ', 'Kaffeemuhle'])
    assert.equal(titleKey(title), 'kaffeemuhle');
  assert.equal(titleKey('Mug – “blue”'), titleKey('mug - "blue"'));
  assert.notEqual(titleKey('Mug'), titleKey('Mugs'));
  // A vowel sign of another script is part of the word.
  assert.notEqual(titleKey('\u0915\u093f'), titleKey('\u0915'));
  assert.equal(titleKey(' &nbsp; '), '');
});

const key = (type: MatchKey, own: string[], other: string[], value = `${type}`): KeyHolders => ({
  key: { type, value },
  own,
  other,
});

test('[M2, M3, M4] the strongest key that finds anything decides; what is not unique is never guessed', () => {
  const rows: readonly (readonly [string, KeyHolders[], string])[] = [
    ['nothing found', [key('sku', ['me'], [])], 'alone'],
    ['no keys', [], 'alone'],
    ['one SKU', [key('sku', ['me'], ['x'])], 'matched x by sku'],
    ['barcode before SKU', [key('sku', ['me'], ['x']), key('barcode', ['me'], ['y'])], 'matched y by barcode'],
    ['mark before all', [key('mark', ['me'], ['z']), key('barcode', ['me'], ['y'])], 'matched z by mark'],
    ['a stronger key that finds nothing', [key('barcode', ['me'], []), key('sku', ['me'], ['x'])], 'matched x by sku'],
    ['handle last', [key('handle', ['me'], ['h'])], 'matched h by handle'],
    ['SKU on two records over there', [key('sku', ['me'], ['x', 'y'])], 'ambiguous x y by sku'],
    ['SKU on two records here', [key('sku', ['me', 'twin'], ['x'])], 'ambiguous x twin by sku'],
    ['SKU on two records here and none there', [key('sku', ['me', 'twin'], [])], 'ambiguous twin by sku'],
    [
      'barcode on two records here, although the SKU would do',
      [key('barcode', ['me', 'twin'], []), key('sku', ['me'], ['x'])],
      'ambiguous twin by barcode',
    ],
    ['a copied mark', [key('mark', ['me', 'copy'], ['x'])], 'ambiguous x copy by mark'],
    [
      'two SKUs that point apart',
      [key('sku', ['me'], ['x'], 'A'), key('sku', ['me'], ['y'], 'B')],
      'ambiguous x y by sku',
    ],
    [
      'two SKUs that point to one',
      [key('sku', ['me'], ['x'], 'A'), key('sku', ['me'], ['x'], 'B')],
      'matched x by sku',
    ],
    ['handles of one side may repeat while nothing there has them', [key('handle', ['me', 'twin'], [])], 'alone'],
    ['a handle that two of us have', [key('handle', ['me', 'twin'], ['h'])], 'ambiguous h by handle'],
  ];
  for (const [name, holders, expected] of rows) {
    const match = matchRecord('me', holders);
    const words =
      match.is === 'alone'
        ? 'alone'
        : match.is === 'matched'
          ? `matched ${match.externalId} by ${match.by}`
          : `ambiguous ${match.candidates.join(' ')} by ${match.by}`;
    assert.equal(words, expected, name);
  }
});
