import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { planOptions, type Update } from './option-updater.ts';

function seenOf(optionNames: readonly string[], values: readonly (readonly string[])[]): ProductSnapshot {
  return {
    externalId: 'p',
    fields: { title: 'T', descriptionHtml: '', status: 'active', tags: [], optionNames, handle: 't' },
    variants: values.map((optionValues, index) => ({
      externalId: `v${index}`,
      stockId: `i${index}`,
      fields: {
        sku: '',
        barcode: '',
        price: { regularMinor: 1, saleMinor: null },
        weightMg: null,
        optionValues,
        backorders: 'no',
      },
      stock: { tracked: true, quantity: 0, stamp: null },
    })),
    marks: [],
    trashed: false,
    unsyncable: null,
    modifiedAt: null,
    adminUrl: '',
    imageUrl: '',
    passthrough: null,
  };
}

function plan(
  seen: ProductSnapshot,
  optionNames: readonly string[] | undefined,
  values: Readonly<Record<string, readonly string[]>> = {},
) {
  const update: Update = {
    type: 'update',
    externalId: 'p',
    fields: optionNames === undefined ? {} : { optionNames },
    variants: Object.entries(values).map(([externalId, optionValues]) => ({ externalId, fields: { optionValues } })),
    newVariants: [],
    archiveVariants: [],
    seen,
  };
  const result = planOptions(update);
  return (
    result && {
      renames: result.renames.map(({ position, name, values: renamed }) => [
        position,
        name,
        Object.fromEntries(renamed),
      ]),
      added: result.added.map(({ name, value }) => [name, value]),
      single: Object.fromEntries(result.variantValues),
    }
  );
}

const sizes = seenOf(['Size'], [['M'], ['L'], ['M']]);

test('nothing about options: no plan; the same as seen: nothing to do', () => {
  assert.equal(plan(sizes, undefined), null);
  assert.deepEqual(plan(sizes, ['Size'], { v0: ['M'] }), { renames: [], added: [], single: {} });
});

test('a value that all its bearers give up for the same new one is renamed in place', () => {
  assert.deepEqual(plan(sizes, undefined, { v0: ['Medium'], v2: ['Medium'] }), {
    renames: [[0, 'Size', { M: 'Medium' }]],
    added: [],
    single: {},
  });
});

test('what only some of them take, or what another bears already, is a change of single variants', () => {
  assert.deepEqual(plan(sizes, undefined, { v0: ['XL'] })?.single, { v0: ['XL'] });
  assert.deepEqual(plan(sizes, undefined, { v1: ['M'] })?.single, { v1: ['M'] });
  const swap = plan(seenOf(['Size'], [['M'], ['L']]), undefined, { v0: ['L'], v1: ['M'] });
  assert.deepEqual(swap, { renames: [], added: [], single: { v0: ['L'], v1: ['M'] } });
});

test('an option is renamed by its place', () => {
  assert.deepEqual(plan(sizes, ['Größe'])?.renames, [[0, 'Größe', {}]]);
});

test('a product without options gets its first: name and value of the lone variant are renamed', () => {
  assert.deepEqual(plan(seenOf([], [[]]), ['Size'], { v0: ['S'] }), {
    renames: [[0, 'Size', { 'Default Title': 'S' }]],
    added: [],
    single: {},
  });
});

test('an added option needs a value for each variant; those that differ from the first are set one by one', () => {
  const seen = seenOf(['Size'], [['M'], ['L']]);
  assert.deepEqual(plan(seen, ['Size', 'Colour'], { v0: ['M', 'Red'], v1: ['L', 'Blue'] }), {
    renames: [],
    added: [['Colour', 'Red']],
    single: { v1: ['L', 'Blue'] },
  });
  assert.throws(() => plan(seen, ['Size', 'Colour'], { v0: ['M', 'Red'] }), ConnectorError);
});

test('an option is never taken away: that would delete variants', () => {
  for (const names of [['Size'], []]) {
    assert.throws(
      () => plan(seenOf(['Size', 'Colour'], [['M', 'Red']]), names, { v0: names.map(() => 'M') }),
      (error) => error instanceof ConnectorError && error.kind === 'rejected' && error.details.field === 'optionNames',
    );
  }
  assert.throws(() => plan(seenOf(['Size'], [['M']]), [], { v0: [] }), ConnectorError);
});
