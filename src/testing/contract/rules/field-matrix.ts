import assert from 'node:assert/strict';
import type { ProductFields, VariantFields } from '../../../model/product.ts';
import type { WriteOutcome } from '../../../ports/connector.ts';
import {
  canonicalOf,
  createOf,
  gtin,
  productFields,
  readOne,
  refusal,
  simpleProduct,
  unique,
  updateOf,
  variantFields,
  variantId,
  writeOne,
  written,
} from '../fixtures.ts';
import type { ShopProduct } from '../harness.ts';
import type { Rule } from '../rule.ts';

interface Case {
  readonly name: string;
  readonly currency?: string;
  readonly fields?: Partial<ProductFields>;
  /** A function where each test needs a value of its own. */
  readonly variant?: Partial<VariantFields> | (() => Partial<VariantFields>);
  /** A field that a platform may refuse for what it says, rather than make something up. */
  readonly mayBeRefused?: string;
}

const TITLES: Readonly<Record<string, string>> = {
  emoji: 'Tee 😀👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈',
  'right to left': 'חולצה كرة القدم',
  'HTML-like': 'Size < 5 & weight > 3 <b>bold</b>',
  quotes: '“Smart” ‘quotes’ "double" \'single\' `back`',
  entities: 'Nuts &amp; Bolts &lt;3',
  'outer and doubled spaces': '  Two  spaces   here ',
  'combining and full-width': 'Cafe\u0301 ＡＢＣ ﬁ',
  'very long': 'L'.repeat(250),
  'backslashes and percent': 'C:\\new\\table 100% %s {{x}} [gallery] $y',
};

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'no description': '',
  'plain text without markup': 'Just text',
  'nested markup': '<h2>Head</h2><p>One <em>two <strong>three</strong></em></p><ul><li>a</li><li>b</li></ul>',
  'links and images':
    '<p><a href="https://example.com/?a=1&amp;b=2">x</a><img src="https://example.com/a.jpg" alt="A &quot;b&quot;"></p>',
  'table and inline style': '<table><tbody><tr><td style="color:red">1</td></tr></tbody></table>',
  'emoji and scripts of the world': '<p>😀 שלום 日本語 &nbsp; é</p>',
  'shortcode-like': '<p>[gallery ids="1,2"] {{ liquid }} {% if x %}</p>',
  'embedded film and drawing':
    '<p>See <iframe src="https://video.example/1" width="100"></iframe><svg viewBox="0 0 1 1"><path d="M0 0"/></svg></p>',
  'a styled page': `<div class="rte" style="margin:0;color:rgb(1,2,3);COLOR:red"><img src="https://e.example/a.jpg" srcset="https://e.example/a.jpg 1x" sizes="1px"><time datetime="2026-01-01">1</time><details open><summary title='s'>s</summary></details><input type="text"></div>`,
  'script tag': '<p>before</p><script>alert(1)</script><p>after</p>',
  'long text': `<p>${'word '.repeat(6_000)}</p>`,
};

const BASE: readonly Case[] = [
  ...Object.entries(TITLES).map(([name, title]) => ({ name: `title: ${name}`, fields: { title } })),
  ...Object.entries(DESCRIPTIONS).map(([name, descriptionHtml]) => ({
    name: `description: ${name}`,
    fields: { descriptionHtml },
  })),
  ...(['active', 'draft', 'unlisted', 'archived'] as const).map((status) => ({
    name: `status: ${status}`,
    fields: { status },
  })),
  { name: 'tags: none', fields: { tags: [] } },
  { name: 'tags: letter case and order', fields: { tags: ['Zeta', 'alpha', 'MiXed'] } },
  { name: 'tags: the same in two letter cases', fields: { tags: ['Blue', 'blue', 'BLUE'] } },
  { name: 'tags: a comma inside', fields: { tags: ['red, dark', 'plain'] } },
  { name: 'tags: spaces, emoji, markup', fields: { tags: ['  outer  ', '😀', 'a & b', '<i>x</i>'] } },
  {
    name: 'tags: many',
    fields: { tags: Array.from({ length: 60 }, (_, index) => `tag-${String(index).padStart(3, '0')}`) },
  },
  { name: 'price: none', variant: { price: { regularMinor: null, saleMinor: null } }, mayBeRefused: 'price' },
  { name: 'price: zero', variant: { price: { regularMinor: 0, saleMinor: null } } },
  { name: 'price: a cent', variant: { price: { regularMinor: 1, saleMinor: null } } },
  { name: 'price: large', variant: { price: { regularMinor: 9_999_999_99, saleMinor: null } } },
  { name: 'price: on sale', variant: { price: { regularMinor: 1999, saleMinor: 1998 } } },
  { name: 'price: given away', variant: { price: { regularMinor: 1999, saleMinor: 0 } } },
  { name: 'price: yen', currency: 'JPY', variant: { price: { regularMinor: 1250, saleMinor: 999 } } },
  { name: 'price: yen, given away', currency: 'JPY', variant: { price: { regularMinor: 1250, saleMinor: 0 } } },
  { name: 'price: yen without a sale', currency: 'JPY', variant: { price: { regularMinor: 100, saleMinor: null } } },
  {
    name: 'price: dinars of three digits',
    currency: 'KWD',
    variant: { price: { regularMinor: 12_345, saleMinor: 12_340 } },
  },
  { name: 'price: a fils', currency: 'KWD', variant: { price: { regularMinor: 1, saleMinor: null } } },
  { name: 'weight: unknown', variant: { weightMg: null } },
  { name: 'weight: zero', variant: { weightMg: 0 } },
  { name: 'weight: a kilogram', variant: { weightMg: 1_000_000 } },
  { name: 'weight: 12.34 g', variant: { weightMg: 12_340 } },
  { name: 'weight: a milligram', variant: { weightMg: 1 } },
  { name: 'weight: a third', variant: { weightMg: 333_333 } },
  { name: 'SKU: empty', variant: { sku: '' } },
  { name: 'barcode: GTIN-13', variant: () => ({ barcode: gtin() }) },
  { name: 'barcode: GTIN-8', variant: () => ({ barcode: gtin(8) }) },
  { name: 'barcode: leading zeros', variant: () => ({ barcode: gtin(14, '000') }) },
  { name: 'barcode: hyphens', variant: () => ({ barcode: gtin().replace(/^(...)(.)(..)/, '$1-$2-$3-') }) },
  { name: 'barcode: no GTIN at all', variant: { barcode: 'ABC-1' } },
  { name: 'backorders: no', variant: { backorders: 'no' } },
  { name: 'backorders: notify', variant: { backorders: 'notify' } },
  { name: 'backorders: yes', variant: { backorders: 'yes' } },
];

const variantOf = ({ variant }: Case): Partial<VariantFields> | undefined =>
  typeof variant === 'function' ? variant() : variant;

/** True when the write was refused for the very field that it may be refused for; throws when it failed otherwise. */
function isRefused(outcome: WriteOutcome, { mayBeRefused }: Case): outcome is Extract<WriteOutcome, { ok: false }> {
  if (outcome.ok) return false;
  if (mayBeRefused === undefined) throw outcome.error;
  assert.equal(refusal(outcome, ['rejected']).details.field, mayBeRefused);
  return true;
}

/** [C4] [C10]: every kind of value, written by create and by update, reads back as `represent` says. */
export function fieldMatrixRules(rule: Rule): void {
  for (const one of BASE) {
    const needs = one.currency === undefined ? {} : { currency: one.currency };
    rule(`[C4] [C10] created, ${one.name}`, needs, async ({ connector }) => {
      const product = simpleProduct(one.fields, variantOf(one));
      const outcome = await writeOne(connector, createOf(product));
      if (isRefused(outcome, one)) return;
      const { snapshot } = outcome;
      const expected = connector.represent(canonicalOf(product));
      const read = await readOne(connector, snapshot.externalId);
      assert.deepEqual(read.fields, expected.fields);
      assert.deepEqual(
        read.variants.map((variant) => variant.fields),
        [expected.variants[variantId(0)]],
      );
      assert.equal(read.unsyncable, null);
    });

    rule(`[C4] [C10] updated, ${one.name}`, needs, async ({ connector, shop }) => {
      const record = await shop.addProduct(simpleProduct({ tags: ['before'] }, { barcode: gtin(8), weightMg: 5_000 }));
      const before = await readOne(connector, record.externalId);
      const [variant] = before.variants;
      const changes = variantOf(one);
      const outcome = await writeOne(
        connector,
        updateOf(before, {
          fields: one.fields ?? {},
          variants: changes ? [{ externalId: variant!.externalId, fields: changes }] : [],
        }),
      );
      if (isRefused(outcome, one)) {
        assert.deepEqual((await readOne(connector, record.externalId)).variants[0]!.fields, variant!.fields);
        return;
      }
      const { snapshot } = outcome;
      const expected = connector.represent({
        fields: { ...before.fields, ...one.fields },
        variants: { [variantId(0)]: { ...variant!.fields, ...changes } },
      });
      const read = await readOne(connector, record.externalId);
      assert.deepEqual(read.fields, expected.fields);
      assert.deepEqual(
        read.variants.map((entry) => entry.fields),
        [expected.variants[variantId(0)]],
      );
      assert.deepEqual(snapshot.fields, read.fields);
    });
  }

  rule('[C4] 0, 1, 2 and 3 options', {}, async ({ connector }) => {
    for (let count = 0; count <= 3; count += 1) {
      const product = optionsProduct(
        ['Size', 'Colour / Farbe', 'Stoff 🧵'].slice(0, count).map((name) => name.replace(' / ', '-')),
        count === 0 ? 1 : 2,
      );
      const { snapshot, newVariantIds } = await written(connector, createOf(product));
      const expected = connector.represent(canonicalOf(product));
      assert.deepEqual(snapshot.fields.optionNames, expected.fields.optionNames);
      newVariantIds.forEach((id, index) => {
        const variant = snapshot.variants.find((candidate) => candidate.externalId === id);
        assert.deepEqual(variant?.fields, expected.variants[variantId(index)], `${count} options, variant ${index}`);
      });
      assert.deepEqual(await readOne(connector, snapshot.externalId), snapshot);
    }
  });

  rule('[C4] [C7] 120 variants of two options are written and read complete', {}, async ({ connector }) => {
    const product = optionsProduct(['Size', 'Colour'], 0, [12, 10]);
    const { snapshot, newVariantIds } = await written(connector, createOf(product));
    assert.equal(snapshot.variants.length, 120);
    assert.equal(new Set(newVariantIds).size, 120);
    const read = await readOne(connector, snapshot.externalId);
    const expected = connector.represent(canonicalOf(product));
    newVariantIds.forEach((id, index) => {
      const variant = read.variants.find((candidate) => candidate.externalId === id);
      assert.deepEqual(variant?.fields, expected.variants[variantId(index)]);
      assert.equal(variant?.stock.quantity, index);
    });
  });

  rule('[C4] two products with one SKU', { abilities: ['duplicate_skus'] }, async ({ connector }) => {
    const sku = `DUP-${unique()}`;
    for (let index = 0; index < 2; index += 1) {
      const { snapshot } = await written(connector, createOf(simpleProduct({}, { sku })));
      assert.equal(snapshot.variants[0]!.fields.sku, sku);
    }
  });

  rule('[C4] what the merchant typed is read as it is', { abilities: ['barcodes'] }, async ({ connector, shop }) => {
    for (const title of [TITLES['emoji']!, TITLES['right to left']!, TITLES['quotes']!, 'Nuts & Bolts']) {
      const product = simpleProduct(
        { title, tags: ['kept'] },
        { barcode: gtin(), weightMg: 250_000, price: { regularMinor: 1999, saleMinor: 1500 } },
      );
      const record = await shop.addProduct(product);
      const read = await readOne(connector, record.externalId);
      assert.equal(read.fields.title, title);
      assert.deepEqual(read.fields.tags, ['kept']);
      assert.deepEqual(read.variants[0]!.fields, product.variants[0]!.fields);
      assert.deepEqual(read.fields.optionNames, []);
    }
  });
}

/** A product of `names` options with `perOption` values each (or `counts`), every combination once. */
function optionsProduct(names: readonly string[], perOption: number, counts: readonly number[] = []): ShopProduct {
  let tuples: string[][] = [[]];
  names.forEach((name, at) => {
    const values = Array.from({ length: counts[at] ?? perOption }, (_, index) => `${name} ${index + 1}`);
    tuples = tuples.flatMap((tuple) => values.map((value) => [...tuple, value]));
  });
  return {
    fields: productFields({ optionNames: names }),
    variants: tuples.map((optionValues, index) => ({
      fields: variantFields({ optionValues }),
      stock: { tracked: true, quantity: index },
    })),
  };
}
