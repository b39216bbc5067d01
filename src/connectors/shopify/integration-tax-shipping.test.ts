import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProductSnapshot } from '../../model/snapshot.ts';
import { connectTo, createOf, updateOf, variant, written } from './integration-support.test.ts';
import { createInProcessShop } from './sandbox-support.test.ts';

const taxAndShipping = ({ variants }: ProductSnapshot) =>
  variants.map(({ fields }) => [fields.sku, fields.taxable, fields.requiresShipping]);

test('what is free of tax, or not to be sent, is made so: with its product, and as a new variant of one', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const made = await written(
    connector,
    createOf(1, { optionNames: ['Form'] }, [
      variant(['Paper'], 7, { sku: 'PAPER', taxable: false }),
      variant(['File'], 0, { sku: 'FILE', requiresShipping: false }),
    ]),
  );
  const newVariants = [variant(['Course'], 0, { sku: 'COURSE', taxable: false, requiresShipping: false })];
  const more = await written(connector, updateOf(made, { newVariants }));
  const expected = [
    ['PAPER', false, true],
    ['FILE', true, false],
    ['COURSE', false, false],
  ];
  assert.deepEqual(taxAndShipping(made), expected.slice(0, 2));
  assert.deepEqual(taxAndShipping(more), expected);
  for await (const { snapshots } of connector.scan({ resume: null }))
    assert.deepEqual(snapshots.map(taxAndShipping), [expected], 'a listing says the same');
  await shop.close();
});

test('an update leaves tax and shipping as they are in the shop, whatever it was given', async () => {
  const shop = createInProcessShop();
  const connector = connectTo(shop);
  const seen = await written(connector, createOf(1, {}, [variant([], 7, { sku: 'PAPER' })]));
  const [{ externalId } = { externalId: '' }] = seen.variants;
  const sku = 'PAPER-2';
  const fields = { sku, taxable: false, requiresShipping: false };
  const after = await written(connector, updateOf(seen, { variants: [{ externalId, fields }] }));
  assert.deepEqual(taxAndShipping(after), [[sku, true, true]]);
  await shop.close();
});
