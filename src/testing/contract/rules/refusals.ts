import assert from 'node:assert/strict';
import type { NewVariant, ProductCreate } from '../../../ports/connector.ts';
import {
  createOf,
  readOne,
  refusal,
  simpleProduct,
  sizedProduct,
  updateOf,
  variantFields,
  variantId,
  writeOne,
  written,
} from '../fixtures.ts';
import type { ShopProduct } from '../harness.ts';
import type { Rule } from '../rule.ts';

const LONG = 'x'.repeat(300);

/** What one platform or another refuses of a product. */
const DOUBTFUL: readonly (readonly [name: string, make: () => ShopProduct])[] = [
  ['a blank title', () => simpleProduct({ title: ' ' })],
  ['a long title', () => simpleProduct({ title: LONG })],
  ['no price', () => simpleProduct({}, { price: { regularMinor: null, saleMinor: null } })],
  ['a negative price', () => simpleProduct({}, { price: { regularMinor: -1, saleMinor: null } })],
  ['a long SKU', () => simpleProduct({}, { sku: LONG })],
  ['a long tag', () => simpleProduct({ tags: [LONG] })],
  ['an option with a slash', () => optioned(['Size / fit'])],
  ['four options', () => optioned(['A', 'B', 'C', 'D'])],
  ['a value too few', () => withValues(sizedProduct(2), [])],
];

type Change = NonNullable<Parameters<typeof updateOf>[1]>;

/** What one platform or another refuses of an update. */
const DOUBTFUL_UPDATES: readonly (readonly [name: string, product: () => ShopProduct, change: Change])[] = [
  ['a blank title', simpleProduct, { fields: { title: ' ' } }],
  ['no options', () => sizedProduct(2), { fields: { optionNames: [] } }],
  ['options', simpleProduct, { fields: { optionNames: ['Size'] }, newVariants: [addedVariant(['Size 9'])] }],
  ['four options', () => sizedProduct(2), { fields: { optionNames: ['A', 'B', 'C', 'D'] } }],
  ['a value too few', () => sizedProduct(2), { newVariants: [addedVariant([])] }],
  ['a value too many', () => sizedProduct(2), { newVariants: [addedVariant(['Size 9', 'Red'])] }],
];

function addedVariant(optionValues: readonly string[]): NewVariant {
  return { variantId: variantId(9), fields: variantFields({ optionValues }), stock: { tracked: true, quantity: 1 } };
}

function optioned(optionNames: readonly string[]): ShopProduct {
  return simpleProduct({ optionNames }, { optionValues: optionNames.map((name) => `Value of ${name}`) });
}

function withValues(product: ShopProduct, optionValues: readonly string[]): ShopProduct {
  const variants = product.variants.map((variant) => ({ ...variant, fields: { ...variant.fields, optionValues } }));
  return { ...product, variants };
}

function creationOf(product: ShopProduct): ProductCreate {
  const write = createOf(product);
  assert.ok(write.type === 'create');
  return write;
}

/** [C28]: what is known to be refused is told without asking. */
export function refusalRules(rule: Rule): void {
  rule(
    '[C28] what is foretold to be refused is refused, in the same words, and nothing is made',
    {},
    async (harness) => {
      const { connector } = harness;
      const foretold: string[] = [];
      for (const [name, make] of DOUBTFUL) {
        const create = creationOf(make());
        const told = connector.refusalOf(create);
        if (told === null) continue;
        foretold.push(name);
        const error = refusal(await writeOne(connector, create), ['rejected']);
        assert.deepEqual([told.kind, told.message, told.details], [error.kind, error.message, error.details], name);
        assert.equal(await connector.findByMark(create.mark, harness.now() - 60_000), null, name);
      }
      assert.ok(foretold.includes('a blank title'), 'no platform takes a product without a title');
    },
  );

  rule('[C28] nothing is foretold of what is taken', {}, async ({ connector }) => {
    for (const product of [simpleProduct(), sizedProduct(3), simpleProduct({ descriptionHtml: '' }, { sku: '' })]) {
      const create = creationOf(product);
      assert.equal(connector.refusalOf(create), null);
      await written(connector, create);
    }
  });

  rule(
    '[C28] what is foretold of an update is refused, in the same words, and changes nothing',
    {},
    async (harness) => {
      const { connector, shop } = harness;
      const foretold: string[] = [];
      for (const [name, product, change] of DOUBTFUL_UPDATES) {
        const { externalId } = await shop.addProduct(product());
        const seen = await readOne(connector, externalId);
        const update = updateOf(seen, change);
        const told = connector.refusalOf(update);
        if (told === null) continue;
        foretold.push(name);
        const error = refusal(await writeOne(connector, update), ['rejected']);
        assert.deepEqual([told.kind, told.message, told.details], [error.kind, error.message, error.details], name);
        assert.deepEqual((await readOne(connector, externalId)).fields, seen.fields, name);
      }
      assert.ok(foretold.includes('a blank title'), 'no platform takes a product without a title');
    },
  );

  rule('[C28] nothing is foretold of an update that is taken', {}, async ({ connector, shop }) => {
    const { externalId } = await shop.addProduct(sizedProduct(2));
    const changes: readonly Change[] = [
      { fields: { title: 'Other' } },
      { newVariants: [addedVariant(['Size 9'])] },
      { fields: { optionNames: ['Width'] } },
    ];
    for (const change of changes) {
      const update = updateOf(await readOne(connector, externalId), change);
      assert.equal(connector.refusalOf(update), null);
      await written(connector, update);
    }
  });

  rule(
    '[C31] what the bin keeps from a create is foretold, whatever lies in it, and refused; the rest is taken',
    { abilities: ['bin'], pageSize: 3 },
    async (harness) => {
      const { connector, shop } = harness;
      // A real store's holds what other tests have left there.
      const before = await connector.listBin();
      const binned = [simpleProduct(), sizedProduct(2), ...Array.from({ length: 6 }, () => simpleProduct())];
      for (const product of binned) await shop.trash((await shop.addProduct(product)).externalId);
      const bin = await connector.listBin();
      const told = binned
        .slice(0, 2)
        .flatMap(({ variants }) =>
          variants.map(({ fields: { sku } }) => ({ sku, create: creationOf(simpleProduct({}, { sku })) })),
        );
      for (const { sku, create } of told) {
        assert.equal(connector.refusalOf(create, before), null);
        const foretold = connector.refusalOf(create, bin);
        assert.deepEqual([foretold?.kind, foretold?.details.field], ['rejected', 'sku'], sku);
        refusal(await writeOne(connector, create), ['rejected']);
        assert.equal(connector.refusalOf(create), null, 'by the bin alone');
      }
      for (const product of [simpleProduct(), simpleProduct({}, { sku: '' }), sizedProduct(2)]) {
        const create = creationOf(product);
        assert.equal(connector.refusalOf(create, bin), null);
        await written(connector, create);
      }
      const [{ title = '' } = {}] = [...bin].flatMap(([sku, one]) => (before.has(sku) ? [] : [one]));
      assert.ok(
        binned.some(({ fields }) => fields.title === title),
        title,
      );
    },
  );
}
