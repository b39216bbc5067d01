import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConnectorError } from '../../model/connector-error.ts';
import { exportFields, exportPrice, exportProductOptions } from './export-mapper.ts';
import { importPrice, importStock } from './import-mapper.ts';
import { markKey, markMetafield, markValue, readMarks } from './marks.ts';
import { weightFromMg, weightToMg } from './weight.ts';
import { VariantRowShape } from './wire.ts';

const UNITS = ['KILOGRAMS', 'GRAMS', 'POUNDS', 'OUNCES'];
const VARIANT_ROW = {
  id: 'gid://shopify/ProductVariant/1',
  sku: null,
  barcode: null,
  price: '1.00',
  compareAtPrice: null,
  inventoryPolicy: 'DENY',
  taxable: true,
  selectedOptions: [],
  inventoryItem: {
    id: 'gid://shopify/InventoryItem/1',
    tracked: true,
    requiresShipping: true,
    measurement: null,
    inventoryLevel: null,
  },
};

test('compare-at is the regular price only while it is above the price', () => {
  for (const [price, compareAtPrice, expected] of [
    ['10.00', null, { regularMinor: 1000, saleMinor: null }],
    ['10.00', '12.50', { regularMinor: 1250, saleMinor: 1000 }],
    ['10.00', '10.00', { regularMinor: 1000, saleMinor: null }],
    ['10.00', '8.00', { regularMinor: 1000, saleMinor: null }],
    ['0.00', '8.00', { regularMinor: 800, saleMinor: 0 }],
    ['ten', null, null],
    ['10.00', '1e3', null],
  ] as const) {
    assert.deepEqual(importPrice({ price, compareAtPrice }, 'USD'), expected, `${price} / ${compareAtPrice}`);
  }
  assert.deepEqual(importPrice({ price: '1250.00', compareAtPrice: null }, 'JPY'), {
    regularMinor: 1250,
    saleMinor: null,
  });
});

test('money that is sent as a number is the decimal that was sent', () => {
  for (const [price, compareAtPrice, expected] of [
    [19.99, null, { regularMinor: 1999, saleMinor: null }],
    [1.1, 4.35, { regularMinor: 435, saleMinor: 110 }],
    [0, null, { regularMinor: 0, saleMinor: null }],
    [1e21, null, null],
  ] as const) {
    assert.equal(VariantRowShape.mismatch({ ...VARIANT_ROW, price, compareAtPrice }), null);
    assert.deepEqual(importPrice({ price, compareAtPrice }, 'USD'), expected, `${price} / ${compareAtPrice}`);
  }
});

test('a missing price is refused by name, never written as 0; so is a negative one', () => {
  const refusal = (error: unknown) =>
    error instanceof ConnectorError && error.kind === 'rejected' && error.details.field === 'price';
  assert.throws(() => exportPrice({ regularMinor: null, saleMinor: null }, 'USD'), refusal);
  assert.throws(() => exportPrice({ regularMinor: -1, saleMinor: null }, 'USD'), refusal);
  assert.deepEqual(exportPrice({ regularMinor: 0, saleMinor: null }, 'USD'), { price: '0.00', compareAtPrice: null });
  assert.deepEqual(exportPrice({ regularMinor: 1250, saleMinor: 999 }, 'JPY'), {
    price: '999',
    compareAtPrice: '1250',
  });
  // Three digits don't fit; the smallest price stays a price.
  assert.deepEqual(exportPrice({ regularMinor: 12_345, saleMinor: null }, 'KWD'), {
    price: '12.350',
    compareAtPrice: null,
  });
  assert.deepEqual(exportPrice({ regularMinor: 1, saleMinor: null }, 'KWD'), { price: '0.010', compareAtPrice: null });
});

test('weights: exact milligrams in every unit, the shop’s own where it can say them', () => {
  assert.deepEqual(weightFromMg(1_250_000, 'KILOGRAMS'), { unit: 'KILOGRAMS', value: 1.25 });
  assert.deepEqual(weightFromMg(453_592, 'POUNDS'), { unit: 'POUNDS', value: 1 });
  assert.deepEqual(weightFromMg(1, 'KILOGRAMS'), { unit: 'GRAMS', value: 0.001 });
  assert.deepEqual(weightFromMg(null, 'KILOGRAMS'), { unit: 'KILOGRAMS', value: 0 });
  assert.equal(weightToMg({ unit: 'STONES', value: 1 }), null);
  assert.equal(weightToMg({ unit: 'GRAMS', value: 0 }), null);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), fc.constantFrom(...UNITS), (mg, unit) => {
      assert.equal(weightToMg(weightFromMg(mg, unit)), mg);
    }),
  );
});

test('what Shopify can’t hold is refused with the field’s name', () => {
  const field = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      assert.ok(error instanceof ConnectorError && error.kind === 'rejected');
      return error.details.field;
    }
    return assert.fail('not refused');
  };
  const long = 'x'.repeat(256);
  assert.equal(
    field(() => exportFields({ title: ' ' })),
    'title',
  );
  assert.equal(
    field(() => exportFields({ title: long })),
    'title',
  );
  assert.equal(
    field(() => exportFields({ tags: [long] })),
    'tags',
  );
  assert.equal(
    field(() => exportFields({ tags: Array.from({ length: 251 }, (_, index) => `t${index}`) })),
    'tags',
  );
  assert.equal(
    field(() => exportProductOptions(['a', 'b', 'c', 'd'], [])),
    'optionNames',
  );
  assert.equal(
    field(() => exportProductOptions(['Size / Colour'], [])),
    'optionNames',
  );
});

test('untracked stock means nothing, and an item without a level is not counted there: it is no 0', () => {
  const uncounted = { tracked: false, quantity: 0, stamp: null };
  assert.deepEqual(importStock({ tracked: true, inventoryLevel: null }), { ...uncounted, limited: 'elsewhere' });
  assert.deepEqual(importStock({ tracked: false, inventoryLevel: null }), uncounted);
  const inventoryLevel = { quantities: [{ name: 'available', quantity: -3 }] };
  assert.deepEqual(importStock({ tracked: true, inventoryLevel }), { tracked: true, quantity: -3, stamp: null });
  assert.deepEqual(importStock({ tracked: false, inventoryLevel }), { tracked: false, quantity: 0, stamp: null });
});

test('marks: one key for each pair, every mark is read, what is not ours is not', () => {
  const marks = ['pair_a', 'pair:b', 'pär/ü'].map((pairId) => ({ pairId, hubId: 'prd_1:x' }));
  const metafields = marks.map(markMetafield);
  assert.equal(new Set(metafields.map(({ key }) => key)).size, 3);
  for (const { key } of metafields) assert.match(key, /^[A-Za-z0-9_-]{2,64}$/);
  const read = readMarks([
    ...metafields,
    { key: 'short_description', value: 'a:b' },
    { key: markKey('pair_a'), value: markValue({ pairId: 'pair_z', hubId: '1' }) },
  ]);
  assert.deepEqual(
    new Set(read.map((mark) => JSON.stringify(mark))),
    new Set(marks.map((mark) => JSON.stringify(mark))),
  );
});
