import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConnectorError } from '../../model/connector-error.ts';
import type { VariantId } from '../../model/ids.ts';
import {
  BACKORDER_RULES,
  type CanonicalProduct,
  PRODUCT_STATUSES,
  type ProductFields,
  type VariantFields,
} from '../../model/product.ts';
import { exportFields, exportHandle, exportNewVariant, exportPrice, exportProductOptions } from './export-mapper.ts';
import { importPrice, importProduct, importStock } from './import-mapper.ts';
import { markKey, markMetafield, markValue, readMarks } from './marks.ts';
import { normaliseHandle } from './normalise.ts';
import { represent } from './represent.ts';
import type { StoreContext } from './store-context.ts';
import { weightFromMg, weightToMg } from './weight.ts';
import type { ProductLine, VariantRow } from './wire.ts';

const CURRENCIES = ['USD', 'JPY', 'KWD'];
const UNITS = ['KILOGRAMS', 'GRAMS', 'POUNDS', 'OUNCES'];

function contextOf(currency: string, weightUnit: string): StoreContext {
  return {
    currency,
    weightUnit,
    locationId: 'gid://shopify/Location/1',
    adminProducts: 'https://admin.shopify.com/store/x/products',
  };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('a', ' a ', 'Å', '😀', '<b>x</b>', 'İı', 'a, b'),
);
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((value) => `v${value.replaceAll(' / ', '-')}`);

/** Products that Shopify can hold; what it can't is refused, and has tests of its own. */
const anyProduct: fc.Arbitrary<CanonicalProduct> = fc
  .record({
    optionNames: fc.uniqueArray(word, { maxLength: 3, selector: (name) => name.trim() }),
    values: fc.uniqueArray(fc.array(word, { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
      selector: (row) => row.map((value) => value.trim().toLowerCase()).join('\n'),
    }),
    fields: fc.record({
      title: text.map((value) => `T${value}`),
      descriptionHtml: text,
      status: fc.constantFrom(...PRODUCT_STATUSES),
      tags: fc.array(text, { maxLength: 6 }),
      handle: text,
    }),
    variants: fc.array(
      fc.record({
        sku: text,
        barcode: text,
        price: fc
          .tuple(fc.nat(10_000_000), fc.option(fc.nat(10_000_000)))
          .map(([regularMinor, saleMinor]) => ({ regularMinor, saleMinor })),
        weightMg: fc.option(fc.nat(2_000_000_000)),
        backorders: fc.constantFrom(...BACKORDER_RULES),
      }),
      { minLength: 4, maxLength: 4 },
    ),
  })
  .map(({ optionNames, values, fields, variants }) => {
    const rows = new Map(
      values.map((row) => [
        row
          .slice(0, optionNames.length)
          .map((value) => value.trim().toLowerCase())
          .join('\n'),
        row,
      ]),
    );
    const list = [...rows.values()].map((row, index) => {
      const variant = variants[index]!;
      return [
        `var_${index}`,
        { ...variant, optionValues: row.slice(0, optionNames.length) } satisfies VariantFields,
      ] as const;
    });
    return {
      fields: { ...fields, optionNames } satisfies ProductFields,
      variants: Object.fromEntries(list) as Record<VariantId, VariantFields>,
    };
  });

/** The store as far as the mappers see it: keeps what it was given, with Shopify's own spelling of money. */
function writeThenRead(product: CanonicalProduct, context: StoreContext) {
  const variants = Object.entries(product.variants).map(([variantId, fields]) => ({
    variantId: variantId as VariantId,
    fields,
    stock: { tracked: true, quantity: 5 },
  }));
  const { names, productOptions } = exportProductOptions(product.fields.optionNames, variants);
  const input = { ...exportFields(product.fields), ...exportHandle(product.fields.handle) };
  const line: ProductLine = {
    id: 'gid://shopify/Product/1',
    title: input.title ?? '',
    handle: input.handle ?? normaliseHandle(input.title ?? ''),
    descriptionHtml: input.descriptionHtml ?? '',
    status: input.status ?? '',
    tags: [...(input.tags ?? [])].reverse(),
    updatedAt: '2026-11-21T00:00:00Z',
    isGiftCard: false,
    hasVariantsThatRequiresComponents: false,
    options: productOptions.map(({ name, position }) => ({ name, position })),
  };
  const money = (value: string) => (value.includes('.') ? value.replace(/^(.*\.\d\d).*$/, '$1') : `${value}.00`);
  const rows = variants.map((variant, index): VariantRow => {
    const wire = exportNewVariant(variant, names, context);
    return {
      id: `gid://shopify/ProductVariant/${index}`,
      sku: wire.inventoryItem?.sku || null,
      barcode: wire.barcode || null,
      price: money(wire.price ?? ''),
      compareAtPrice: wire.compareAtPrice == null ? null : money(wire.compareAtPrice),
      inventoryPolicy: wire.inventoryPolicy ?? 'DENY',
      selectedOptions: (wire.optionValues ?? []).map(({ optionName, name }) => ({ name: optionName, value: name })),
      inventoryItem: {
        id: `gid://shopify/InventoryItem/${index}`,
        tracked: true,
        measurement: { weight: wire.inventoryItem?.measurement?.weight ?? null },
        inventoryLevel: { quantities: [{ name: 'available', quantity: 5 }] },
      },
    };
  });
  return importProduct({ product: line, variants: rows, media: [], marks: [] }, context);
}

test('[C4] reading back what was written is represent(what was written)', () => {
  fc.assert(
    fc.property(anyProduct, fc.constantFrom(...CURRENCIES), fc.constantFrom(...UNITS), (product, currency, unit) => {
      const context = contextOf(currency, unit);
      const snapshot = writeThenRead(product, context);
      const expected = represent(product, currency);
      assert.deepEqual(snapshot.fields, expected.fields);
      assert.deepEqual(
        snapshot.variants.map(({ fields }) => fields),
        Object.values(expected.variants),
      );
      assert.equal(snapshot.unsyncable, null);
    }),
    { numRuns: 400 },
  );
});

test('[C13] represent(represent(x)) equals represent(x), and writing back what was read reads the same', () => {
  fc.assert(
    fc.property(anyProduct, fc.constantFrom(...CURRENCIES), (product, currency) => {
      const once = represent(product, currency);
      assert.deepEqual(represent(once, currency), once);
      const context = contextOf(currency, 'KILOGRAMS');
      const read = writeThenRead(product, context);
      const variants = Object.fromEntries(read.variants.map(({ fields }, index) => [`var_${index}`, fields]));
      const again = writeThenRead({ fields: read.fields, variants: variants as CanonicalProduct['variants'] }, context);
      assert.deepEqual(again, read);
    }),
    { numRuns: 200 },
  );
});

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

test('what can’t be kept the same is listed with its reason', () => {
  const context = contextOf('USD', 'KILOGRAMS');
  const plain = { title: 'T', descriptionHtml: '', status: 'active', tags: [], optionNames: [], handle: 't' } as const;
  const fields = {
    sku: '',
    barcode: '',
    price: { regularMinor: 1, saleMinor: null },
    weightMg: null,
    optionValues: [],
    backorders: 'no',
  } as const;
  const read = (change: Partial<ProductLine>, variant: Partial<VariantRow> = {}, count = 1) => {
    const row: VariantRow = {
      id: 'gid://shopify/ProductVariant/1',
      sku: null,
      barcode: null,
      price: '1.00',
      compareAtPrice: null,
      inventoryPolicy: 'DENY',
      selectedOptions: [{ name: 'Title', value: 'Default Title' }],
      inventoryItem: { id: 'gid://shopify/InventoryItem/1', tracked: false, measurement: null, inventoryLevel: null },
      ...variant,
    };
    const product: ProductLine = {
      id: 'gid://shopify/Product/1',
      title: 'T',
      handle: 't',
      descriptionHtml: '',
      status: 'ACTIVE',
      tags: [],
      updatedAt: '2026-11-21T00:00:00Z',
      isGiftCard: false,
      hasVariantsThatRequiresComponents: false,
      options: [{ name: 'Title', position: 1 }],
      ...change,
    };
    return importProduct(
      { product, variants: Array.from({ length: count }, () => row), media: [], marks: [] },
      context,
    );
  };
  assert.equal(read({}).unsyncable, null);
  assert.deepEqual(read({}).fields, plain);
  assert.deepEqual(read({}).variants[0]?.fields, { ...fields, price: { regularMinor: 100, saleMinor: null } });
  assert.equal(read({ isGiftCard: true }).unsyncable?.reason, 'gift_card');
  assert.equal(read({ hasVariantsThatRequiresComponents: true }).unsyncable?.reason, 'bundle');
  assert.equal(
    read({ options: [1, 2, 3, 4].map((position) => ({ name: `o${position}`, position })) }).unsyncable?.reason,
    'too_many_options',
  );
  assert.equal(read({}, {}, 2049).unsyncable?.reason, 'too_many_variants');
  assert.equal(read({ status: 'PAUSED' }).unsyncable?.reason, 'malformed');
  assert.equal(read({}, { price: 'ten' }).unsyncable?.reason, 'malformed');
  assert.equal(read({}, {}, 0).unsyncable?.reason, 'malformed');
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

test('untracked stock means nothing, and an item without a level holds 0', () => {
  assert.deepEqual(importStock({ tracked: true, inventoryLevel: null }), { tracked: true, quantity: 0, stamp: null });
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
