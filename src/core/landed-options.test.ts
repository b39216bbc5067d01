import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalProduct } from '../model/product.ts';
import { product, V1, V2, variant } from '../testing/support/products.ts';
import { landedOptions } from './landed-options.ts';

const worn = (optionNames: readonly string[], one: readonly string[], two: readonly string[]): CanonicalProduct =>
  product({ optionNames }, { [V1]: variant({ optionValues: one }), [V2]: variant({ optionValues: two }) });

const shown = ({ fields, variants }: CanonicalProduct) => [
  fields.optionNames,
  ...Object.values(variants).map(({ optionValues }) => optionValues),
];

const base = worn(['Size', 'Color'], ['S', 'Red'], ['M', 'Blue']);
const sent = worn(['Size', 'Colour', 'Made of'], ['Small', 'Red', 'Cotton'], ['M', 'Blue', 'Wool']);
const landed = (remote: CanonicalProduct) => shown(landedOptions({ base, landed: base, sent, remote }));

test('[W4] what stands between the steps of a change of options is known as it is', () => {
  for (const step of [
    worn(['Size', 'Color'], ['Small', 'Red'], ['M', 'Blue']),
    worn(['Size', 'Colour'], ['Small', 'Red'], ['M', 'Blue']),
    worn(['Size', 'Colour', 'Made of'], ['Small', 'Red', 'Cotton'], ['M', 'Blue', 'Cotton']),
    sent,
  ])
    assert.deepEqual(landed(step), shown(step));
});

test('[W4] what was typed there meanwhile is an edit, of names as of values', () => {
  assert.deepEqual(landed(worn(['Size', 'Shade'], ['S', 'Red'], ['M', 'Blue'])), shown(base));
  assert.deepEqual(landed(worn(['Color', 'Size'], ['Red', 'S'], ['Blue', 'M'])), shown(base));
  assert.deepEqual(landed(worn(['Size', 'Color'], ['Tiny', 'Red'], ['M', 'Blue'])), shown(base));
  assert.deepEqual(landed(worn(['Size', 'Colour', 'Made of'], ['Small', 'Red', 'Cotton'], ['M', 'Blue', 'Silk'])), [
    ['Size', 'Colour', 'Made of'],
    ['Small', 'Red', 'Cotton'],
    ['M', 'Blue', ''],
  ]);
});
