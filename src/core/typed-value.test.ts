import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseTyped } from './typed-value.ts';

const FITS: readonly (readonly [string, unknown])[] = [
  ['title', 'Mug'],
  ['descriptionHtml', ''],
  ['sku', ''],
  ['status', 'draft'],
  ['backorders', 'notify'],
  ['tags', []],
  ['optionNames', ['Size']],
  ['optionValues', ['S']],
  ['price', { regularMinor: 1200, saleMinor: null }],
  ['price', { regularMinor: 1200, saleMinor: 0 }],
  ['price', { regularMinor: null, saleMinor: null }],
  ['weightMg', null],
  ['weightMg', 0],
];

const REFUSED: readonly (readonly [string, unknown])[] = [
  ...['', '  ', 5, null, 'x'.repeat(256)].map((value) => ['title', value] as const),
  ...[null, 5].map((value) => ['descriptionHtml', value] as const),
  ...[null, 7, 'x'.repeat(256)].map((value) => ['sku', value] as const),
  ...['publish', '', null].map((value) => ['status', value] as const),
  ...[true, 'maybe'].map((value) => ['backorders', value] as const),
  ...['red', [5], [''], new Array(251).fill('t')].map((value) => ['tags', value] as const),
  ...[['Size', 'Colour'], [], [' '], 'Size'].map((value) => ['optionNames', value] as const),
  ...[
    { regularMinor: -5, saleMinor: null },
    { regularMinor: 9.99, saleMinor: null },
    { regularMinor: '9', saleMinor: null },
    { regularMinor: 900, saleMinor: 900 },
    { regularMinor: null, saleMinor: 5 },
    { regularMinor: 900 },
    { regularMinor: 900, saleMinor: null, currency: 'EUR' },
    900,
    null,
  ].map((value) => ['price', value] as const),
  ...[-1, 0.5, '5'].map((value) => ['weightMg', value] as const),
  ['handle', 'mug'],
  ['nothing', 'x'],
];

test('[R13] what a person types for a field is what the field can hold', () => {
  for (const [field, value] of FITS) assert.equal(refuseTyped(field, value, [['A'], null]), null, `${field} ${value}`);
  for (const [field, value] of REFUSED)
    assert.notEqual(refuseTyped(field, value, [['A'], null]), null, `${field} ${JSON.stringify(value)}`);
});
