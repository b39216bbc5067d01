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
