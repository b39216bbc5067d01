import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { VariantId } from '../../model/ids.ts';
import {
  BACKORDER_RULES,
  type CanonicalProduct,
  PRODUCT_STATUSES,
  type ProductFields,
  type VariantFields,
} from '../../model/product.ts';
import { exportFields, exportHandle, exportNewVariant, exportProductOptions } from './export-mapper.ts';
import { importProduct } from './import-mapper.ts';
import { normaliseHandle } from './normalise.ts';
import { represent } from './represent.ts';
import type { StoreContext } from './store-context.ts';
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
        taxable: fc.boolean(),
        requiresShipping: fc.boolean(),
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

const NOW = Date.parse('2026-11-21T12:00:00Z');

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
    publishedAt: '2026-11-21T00:00:00Z',
    isGiftCard: false,
    requiresSellingPlan: false,
    combinedListingRole: null,
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
      taxable: wire.taxable ?? true,
      selectedOptions: (wire.optionValues ?? []).map(({ optionName, name }) => ({ name: optionName, value: name })),
      inventoryItem: {
        id: `gid://shopify/InventoryItem/${index}`,
        tracked: true,
        requiresShipping: wire.inventoryItem?.requiresShipping ?? true,
        measurement: { weight: wire.inventoryItem?.measurement?.weight ?? null },
        inventoryLevel: { quantities: [{ name: 'available', quantity: 5 }] },
      },
    };
  });
  return importProduct({ product: line, variants: rows, media: [], marks: [] }, context, NOW);
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
    taxable: true,
    requiresShipping: true,
  } as const;
  const read = (change: Partial<ProductLine>, variant: Partial<VariantRow> = {}, count = 1) => {
    const row: VariantRow = {
      id: 'gid://shopify/ProductVariant/1',
      sku: null,
      barcode: null,
      price: '1.00',
      compareAtPrice: null,
      inventoryPolicy: 'DENY',
      taxable: true,
      selectedOptions: [{ name: 'Title', value: 'Default Title' }],
      inventoryItem: {
        id: 'gid://shopify/InventoryItem/1',
        tracked: false,
        requiresShipping: true,
        measurement: null,
        inventoryLevel: null,
      },
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
      publishedAt: '2026-11-21T00:00:00Z',
      isGiftCard: false,
      requiresSellingPlan: false,
      combinedListingRole: null,
      hasVariantsThatRequiresComponents: false,
      options: [{ name: 'Title', position: 1 }],
      ...change,
    };
    return importProduct(
      { product, variants: Array.from({ length: count }, () => row), media: [], marks: [] },
      context,
      NOW,
    );
  };
  assert.equal(read({}).unsyncable, null);
  assert.deepEqual(read({}).fields, plain);
  assert.deepEqual(read({}).variants[0]?.fields, { ...fields, price: { regularMinor: 100, saleMinor: null } });
  assert.equal(read({ isGiftCard: true }).unsyncable?.reason, 'gift_card');
  assert.equal(read({ requiresSellingPlan: true }).unsyncable?.reason, 'unsupported_type');
  assert.equal(read({ combinedListingRole: 'PARENT' }).unsyncable?.reason, 'unsupported_type');
  assert.equal(read({ combinedListingRole: 'CHILD' }).unsyncable, null);
  assert.equal(read({ hasVariantsThatRequiresComponents: true }).unsyncable?.reason, 'bundle');
  assert.equal(
    read({ options: [1, 2, 3, 4].map((position) => ({ name: `o${position}`, position })) }).unsyncable?.reason,
    'too_many_options',
  );
  assert.equal(read({}, {}, 2049).unsyncable?.reason, 'too_many_variants');
  assert.equal(read({ status: 'PAUSED' }).unsyncable?.reason, 'malformed');
  assert.equal(read({}, { price: 'ten' }).unsyncable?.reason, 'malformed');
  assert.equal(read({}, {}, 0).unsyncable?.reason, 'malformed');

  assert.deepEqual([read({}).withheld, read({}).turnsAt], [undefined, undefined]);
  for (const status of ['ACTIVE', 'UNLISTED'])
    assert.match(read({ status, publishedAt: null }).withheld ?? '', /not published to the Online Store\.$/);
  for (const status of ['DRAFT', 'ARCHIVED']) assert.equal(read({ status, publishedAt: null }).withheld, undefined);
  const ahead = read({ publishedAt: '2026-11-21T13:00:00Z' });
  assert.match(ahead.withheld ?? '', /yet\.$/);
  assert.deepEqual(ahead.turnsAt, [NOW + 3_600_000]);
});
