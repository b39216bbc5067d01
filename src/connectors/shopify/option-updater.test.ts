import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectorError } from '../../model/connector-error.ts';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { planOptions, type Update } from './option-updater.ts';

function seenOf(
  optionNames: readonly string[],
  values: readonly (readonly string[])[],
  passthrough: unknown = null,
): ProductSnapshot {
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
        taxable: true,
        requiresShipping: true,
      },
      stock: { tracked: true, quantity: 0, stamp: null },
    })),
    marks: [],
    trashed: false,
    unsyncable: null,
    modifiedAt: null,
    adminUrl: '',
    imageUrl: '',
    passthrough,
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
      ...(result.order === null ? {} : { order: result.order }),
      ...(result.parked.size === 0 ? {} : { parked: Object.fromEntries(result.parked) }),
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
  assert.deepEqual(swap?.single, { v0: ['L'], v1: ['M'] });
});

test('options that change places do so with their values; what is left is renamed', () => {
  const seen = seenOf(
    ['Size', 'Colour'],
    [
      ['M', 'Red'],
      ['L', 'Blue'],
    ],
  );
  assert.deepEqual(plan(seen, ['Colour', 'Size'], { v0: ['Red', 'M'], v1: ['Blue', 'L'] }), {
    renames: [],
    added: [],
    single: {},
    order: ['Colour', 'Size'],
  });
  assert.deepEqual(plan(seen, ['Colour', 'Fit', 'Size'], { v0: ['Red', 'M', 'a'], v1: ['Blue', 'L', 'a'] }), {
    renames: [[1, 'Fit', {}]],
    added: [['Size', 'a']],
    single: {},
    order: ['Colour', 'Size'],
  });
  // A merchant who gives each the other's name, and leaves the values where they are.
  assert.deepEqual(plan(seen, ['Colour', 'Size'])?.renames, [
    [0, 'Colour', { Red: 'M', Blue: 'L' }],
    [1, 'Size', { M: 'Red', L: 'Blue' }],
  ]);
});

test('variants in the way of others are parked, in a circle as in a row; one that is still parked is taken up from there', () => {
  const seen = seenOf(
    ['Size', 'Colour'],
    [
      ['S', 'Red'],
      ['M', 'Red'],
      ['L', 'Red'],
    ],
  );
  assert.deepEqual(plan(seen, undefined, { v0: ['M', 'Red'], v1: ['S', 'Red'] }), {
    renames: [],
    added: [],
    single: { v0: ['M', 'Red'], v1: ['S', 'Red'] },
    parked: { v0: ['S (⇄)', 'Red'], v1: ['M (⇄)', 'Red'] },
  });
  assert.deepEqual(plan(seen, undefined, { v0: ['M', 'Red'], v1: ['L', 'Red'], v2: ['L', 'Blue'] })?.parked, {
    v1: ['M (⇄)', 'Red'],
    v2: ['L', 'Red (⇄)'],
  });
  const left = seenOf(['Size'], [['S'], ['M']], { parked: { v0: ['S (⇄)'] } });
  assert.deepEqual(plan(left, undefined), { renames: [[0, 'Size', { 'S (⇄)': 'S' }]], added: [], single: {} });
  assert.deepEqual(plan(left, undefined, { v0: ['M'], v1: ['S'] }), {
    renames: [[0, 'Size', { M: 'S' }]],
    added: [],
    single: { v0: ['M'] },
  });
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
