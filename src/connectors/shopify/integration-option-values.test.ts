import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectTo, createOf, updateOf, variant, written } from './integration-support.test.ts';
import { createInProcessShop } from './sandbox-support.test.ts';

/** A product whose colours come from a category metafield, as Shopify links them by itself. */
async function shirts() {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const seen = await written(
    connector,
    createOf(1, { optionNames: ['Colour', 'Size'] }, [variant(['Red', 'S']), variant(['Blue', 'S'])]),
  );
  shop.sandbox.controls.linkOption(seen.externalId, 'Colour');
  return { shop, connector, seen };
}

test('values of an option that is linked to a metafield are chosen by their ids, for new variants and old ones', async () => {
  const { shop, connector, seen } = await shirts();
  const [, blue] = seen.variants;
  assert.ok(blue);
  const after = await written(
    connector,
    updateOf(seen, {
      variants: [{ externalId: blue.externalId, fields: { optionValues: ['Blue', 'XL'] } }],
      newVariants: [variant(['Red', 'M'], 3)],
    }),
  );
  assert.deepEqual(
    after.variants.map(({ fields, stock }) => [...fields.optionValues, stock.quantity]),
    [
      ['Red', 'S', 7],
      ['Blue', 'XL', 7],
      ['Red', 'M', 3],
    ],
  );
  await shop.close();
});

test('a value that such an option does not have is refused, with what a person can do', async () => {
  const { shop, connector, seen } = await shirts();
  const [outcome] = await connector.writeProducts([updateOf(seen, { newVariants: [variant(['Green', 'M'])] })]);
  assert.ok(outcome && !outcome.ok);
  const { kind, details } = outcome.error;
  assert.deepEqual([kind, details.field], ['rejected', 'optionValues']);
  assert.match(details.remedy ?? '', /Add the value to it there, or disconnect/);
  const [read] = await connector.readProducts([seen.externalId]);
  assert.equal(read?.ok && read.value.variants.length, 2);
  await shop.close();
});

test('a value that can’t be renamed, since the option has one of that name that no variant bears, is changed variant by variant', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const seen = await written(
    connector,
    createOf(1, { optionNames: ['Colour', 'Size'] }, [
      variant(['Red', 'S']),
      variant(['Red', 'M']),
      variant(['Blue', 'S']),
    ]),
  );
  const { product } = (await shop.graphql('query($id: ID!) { product(id: $id) { options { id } } }', {
    id: seen.externalId,
  })) as unknown as { product: { options: { id: string }[] } };
  await shop.graphql(
    'mutation($p: ID!, $o: OptionUpdateInput!, $add: [OptionValueCreateInput!]) { productOptionUpdate(productId: $p, option: $o, optionValuesToAdd: $add, variantStrategy: LEAVE_AS_IS) { userErrors { message } } }',
    { p: seen.externalId, o: { id: product.options[0]?.id }, add: [{ name: 'Crimson' }] },
  );
  const after = await written(
    connector,
    updateOf(seen, {
      variants: seen.variants.slice(0, 2).map(({ externalId, fields }) => ({
        externalId,
        fields: { optionValues: ['Crimson', fields.optionValues[1] ?? ''] },
      })),
    }),
  );
  assert.deepEqual(
    after.variants.map(({ externalId, fields }) => [externalId, ...fields.optionValues]),
    [
      [seen.variants[0]?.externalId, 'Crimson', 'S'],
      [seen.variants[1]?.externalId, 'Crimson', 'M'],
      [seen.variants[2]?.externalId, 'Blue', 'S'],
    ],
  );
  await shop.close();
});
