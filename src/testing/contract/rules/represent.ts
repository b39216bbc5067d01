import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { VariantId } from '../../../model/ids.ts';
import {
  BACKORDER_RULES,
  type CanonicalProduct,
  PRODUCT_STATUSES,
  type ProductFields,
  type VariantFields,
} from '../../../model/product.ts';
import { productFields, variantFields, variantId } from '../fixtures.ts';
import type { Rule } from '../rule.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '  a  b ',
    '<p>x</p>',
    '&amp; &',
    '😀',
    'שלום',
    '"quoted" “smart”',
    'a\nb',
    'ＡＢＣ',
    'İıſẞ',
  ),
);

const anyVariant: fc.Arbitrary<VariantFields> = fc.record({
  sku: anyText,
  barcode: fc.oneof(fc.constantFrom('', '4006381333931', '123', '978-3-16-148410-0'), anyText),
  price: fc.tuple(fc.option(fc.nat(10_000_000)), fc.option(fc.nat(10_000_000))).map(([regularMinor, sale]) => ({
    regularMinor,
    saleMinor: regularMinor !== null && sale !== null && sale < regularMinor ? sale : null,
  })),
  weightMg: fc.option(fc.nat(2_000_000_000)),
  optionValues: fc.array(anyText, { maxLength: 3 }),
  backorders: fc.constantFrom(...BACKORDER_RULES),
  taxable: fc.boolean(),
  requiresShipping: fc.boolean(),
});

const anyFields: fc.Arbitrary<ProductFields> = fc.record({
  title: anyText,
  descriptionHtml: anyText,
  status: fc.constantFrom(...PRODUCT_STATUSES),
  tags: fc.array(anyText, { maxLength: 8 }),
  optionNames: fc.array(anyText, { maxLength: 3 }),
  handle: anyText,
});

const anyProduct: fc.Arbitrary<CanonicalProduct> = fc
  .tuple(anyFields, fc.array(anyVariant, { minLength: 1, maxLength: 4 }))
  .map(([fields, list]) => ({
    fields,
    variants: Object.fromEntries(list.map((variant, index) => [variantId(index), variant])) as Record<
      VariantId,
      VariantFields
    >,
  }));

function deepFreeze<T>(thing: T): T {
  if (thing !== null && typeof thing === 'object') {
    Object.freeze(thing);
    Object.values(thing).forEach(deepFreeze);
  }
  return thing;
}

/** [C13] and the honesty of `represent`: it may show what is lost, and must not excuse what is not. */
export function representRules(rule: Rule): void {
  rule('[C13] represent is pure and idempotent', {}, async ({ connector }) => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        deepFreeze(product);
        const once = connector.represent(product);
        assert.deepEqual(connector.represent(deepFreeze(once)), once);
        assert.deepEqual(connector.represent(product), once);
        assert.deepEqual(Object.keys(once.variants).toSorted(), Object.keys(product.variants).toSorted());
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });

  rule('[C10] represent keeps people’s text, SKUs, prices and options as they are', {}, async ({ connector }) => {
    for (const title of [
      'Plain',
      'Tee 😀👩‍👩‍👧 ❤️',
      'חולצה כחולה',
      'قميص أزرق',
      '“Smart” ‘quotes’ "and" plain',
      'Nuts & Bolts',
      'Ünïcödé – ßharp',
      '日本語の商品',
      '50% off!',
      'a/b\\c',
    ]) {
      const fields = productFields({ title, tags: ['one'], optionNames: ['Size', 'Colour'] });
      const variant = variantFields({
        sku: 'Ab-1/ü',
        price: { regularMinor: 1999, saleMinor: 1500 },
        weightMg: 1_000_000,
        optionValues: ['L', 'Blå'],
      });
      const shown = connector.represent({ fields, variants: { [variantId(0)]: variant } });
      assert.equal(shown.fields.title, title);
      assert.equal(shown.fields.handle, fields.handle);
      assert.deepEqual(shown.fields.tags, fields.tags);
      assert.deepEqual(shown.fields.optionNames, fields.optionNames);
      assert.deepEqual(shown.variants[variantId(0)], variant);
    }
  });

  rule('[C13] a price that is none stays none, and is never 0', {}, async ({ connector }) => {
    const none = variantFields({ price: { regularMinor: null, saleMinor: null } });
    const shown = connector.represent({ fields: productFields(), variants: { [variantId(0)]: none } });
    const price = shown.variants[variantId(0)]!.price;
    assert.equal(price.saleMinor, null);
    assert.ok(
      price.regularMinor === null || connector.platform === 'shopify',
      'only a platform that requires a price may show one',
    );
  });
}
