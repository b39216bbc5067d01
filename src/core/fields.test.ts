import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BACKORDER_RULES, PRODUCT_STATUSES } from '../model/product.ts';
import { PRODUCT_VALUES, VARIANT_VALUES } from '../testing/planner/draws.ts';
import { V1 } from '../testing/support/products.ts';
import {
  type FieldSpec,
  PRODUCT_FIELD_NAMES,
  PRODUCT_FIELDS,
  parsePath,
  VARIANT_FIELD_NAMES,
  VARIANT_FIELDS,
  variantPath,
} from './fields.ts';

/** Text as shops hold it: plain, encoded, decorated, and in pieces of markup. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '&amp;',
        '&',
        '&amp;amp;',
        '&#38;',
        '“',
        '"',
        '—',
        '-',
        '…',
        '...',
        '\u00a0',
        '  ',
        '\n',
        '<b>',
        '</b>',
      ),
      fc.constantFrom(
        '<p>',
        '</p>',
        '<!-- x -->',
        '<script>',
        '</script>',
        '&lt;',
        '<',
        '>',
        'é',
        'e\u0301',
        '☕',
        'A',
        'a',
      ),
      fc.string({ maxLength: 3, unit: 'binary' }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const minor = fc.option(fc.integer({ min: 0, max: 2000 }), { nil: null });
const list = fc.array(text, { maxLength: 3 });

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  title: text,
  descriptionHtml: text,
  status: fc.constantFrom(...PRODUCT_STATUSES),
  tags: list,
  optionNames: list,
  handle: text,
  sku: text,
  barcode: text,
  price: fc.record({ regularMinor: minor, saleMinor: minor }),
  weightMg: fc.option(fc.integer({ min: 0, max: 60 }), { nil: null }),
  optionValues: list,
  backorders: fc.constantFrom(...BACKORDER_RULES),
  taxable: fc.boolean(),
  requiresShipping: fc.boolean(),
};
/** Values that mean the same in other words, so that the laws are not about different ones only. */
const MADE_WITH = { taxable: [true], requiresShipping: [true] } as const;
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  ...PRODUCT_VALUES,
  ...VARIANT_VALUES,
  handle: ['mug'],
  ...MADE_WITH,
};

const SPECS = Object.entries({ ...PRODUCT_FIELDS, ...VARIANT_FIELDS }) as [string, FieldSpec<unknown>][];

for (const [name, spec] of SPECS) {
  test(`[R14] "${name}": meaning the same is an equivalence, and blank values mean nothing but blank`, () => {
    const value = fc.oneof(VALUES[name] ?? fc.nat(), fc.constantFrom(...(KNOWN[name] ?? [])));
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        assert.ok(spec.same(a, a), 'reflexive');
        assert.equal(spec.same(a, b), spec.same(b, a), 'symmetric');
        if (spec.same(a, b) && spec.same(b, c)) assert.ok(spec.same(a, c), 'transitive');
        if (spec.same(a, b)) assert.equal(spec.isBlank(a), spec.isBlank(b), 'blank with one spelling, blank with all');
        assert.ok(spec.blank === undefined || spec.isBlank(spec.blank));
      }),
      { numRuns: 500 },
    );
  });
}

test('[R14] what platforms rewrite by themselves makes no difference; a word does', () => {
  const { title, descriptionHtml } = PRODUCT_FIELDS;
  const same: readonly (readonly [string, string])[] = [
    ['Tom &amp; Co', 'Tom & Co'],
    ['5&#8243; plate', '5" plate'],
    ['  Mug \n large', 'Mug large'],
    ['It’s “new” – really…', 'It\'s "new" - really...'],
    ['Cafe\u0301', 'Café'],
  ];
  for (const [a, b] of same) assert.ok(title.same(a, b), `${a} = ${b}`);
  const sameHtml: readonly (readonly [string, string])[] = [
    ['<p>One</p>\n\n<p>Two</p>', '<p>One</p><p>Two</p>'],
    ['<P CLASS="x" id=a>One</P>', "<p id='a' class='x'>One</p>"],
    ['<p>One</p><script>alert(1)</script>', '<p>One</p>'],
    ['<p onclick="x()">One</p>', '<p>One</p>'],
    ['<p>a&nbsp;b &amp; c</p>', '<p>a b & c</p>'],
    ['<!-- wp:paragraph --><p>One</p><!-- /wp:paragraph -->', '<p>One</p>'],
    ['<p>One<br>line</p>', 'One<br>line'],
  ];
  for (const [a, b] of sameHtml) assert.ok(descriptionHtml.same(a, b), `${a} = ${b}`);
  for (const [a, b] of [
    ['Mug', 'Mugs'],
    ['Mug', 'mug'],
    ['a&lt;b', 'a>b'],
  ] as const)
    assert.ok(!title.same(a, b) && !descriptionHtml.same(a, b), `${a} is not ${b}`);
  assert.ok(!descriptionHtml.same('<p>One</p>', '<p>One <b>two</b></p>'));
  assert.ok(!descriptionHtml.same('<p>One</p><p>Two</p>', 'One Two'), 'of several paragraphs each is one');
  assert.ok(!descriptionHtml.same('<p>a &lt;b&gt; c</p>', '<p>a <b> c</p>'), 'shown angle brackets are not a tag');
});

test('[R15] regular and sale price are one field', () => {
  const { price } = VARIANT_FIELDS;
  assert.ok(price.same({ regularMinor: 10, saleMinor: 8 }, { regularMinor: 10, saleMinor: 8 }));
  assert.ok(!price.same({ regularMinor: 10, saleMinor: 8 }, { regularMinor: 10, saleMinor: null }));
  assert.ok(!price.same({ regularMinor: 10, saleMinor: null }, { regularMinor: 8, saleMinor: null }));
  assert.ok(price.isBlank({ regularMinor: null, saleMinor: null }));
  assert.ok(!price.isBlank({ regularMinor: 0, saleMinor: null }), 'free is a price');
});

test('weights differ from 10 mg on', () => {
  const { weightMg } = VARIANT_FIELDS;
  assert.ok(weightMg.same(250_000, 250_004) && weightMg.same(null, 0));
  assert.ok(!weightMg.same(250_000, 250_010));
});

test('every field has a path, and a path names its field', () => {
  for (const name of PRODUCT_FIELD_NAMES) assert.deepEqual(parsePath(name), { variantId: null, name });
  for (const name of VARIANT_FIELD_NAMES) assert.deepEqual(parsePath(variantPath(V1, name)), { variantId: V1, name });
  for (const path of ['', 'deleted', 'variant.', 'variant.var_1.title', 'variant.var_1', 'x.var_1.sku', '__proto__'])
    assert.equal(parsePath(path), null, path);
});
