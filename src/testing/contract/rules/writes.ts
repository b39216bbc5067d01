import assert from 'node:assert/strict';
import type { ProductSnapshot } from '../../../model/snapshot.ts';
import {
  canonicalOf,
  createOf,
  gtin,
  mark,
  readOne,
  simpleProduct,
  sizedProduct,
  stockOf,
  unique,
  updateOf,
  variantId,
  written,
} from '../fixtures.ts';
import type { Rule } from '../rule.ts';

/** What must not move when a record is written with what it already holds. */
function visible(snapshot: ProductSnapshot): unknown {
  const { modifiedAt: _modifiedAt, passthrough: _passthrough, ...rest } = snapshot;
  return rest;
}

/** [C4]: creating and updating products. */
export function writeRules(rule: Rule): void {
  rule(
    '[C4] a create answers with the record as it is, and reads back as represent says',
    {},
    async ({ connector }) => {
      const text = { tags: ['one', 'two'], descriptionHtml: '<p>Hello <strong>you</strong></p>' };
      const product = sizedProduct(3, text, (index) => index + 2);
      const bearing = mark();
      const outcome = await written(connector, createOf(product, bearing));
      const expected = connector.represent(canonicalOf(product));
      assert.deepEqual(outcome.snapshot.fields, expected.fields);
      assert.equal(outcome.newVariantIds.length, 3);
      outcome.newVariantIds.forEach((id, index) => {
        const variant = outcome.snapshot.variants.find((candidate) => candidate.externalId === id);
        assert.deepEqual(variant?.fields, expected.variants[variantId(index)]);
        assert.deepEqual([variant?.stock.tracked, variant?.stock.quantity], [true, index + 2]);
      });
      assert.deepEqual(outcome.snapshot.marks, [bearing]);
      assert.deepEqual(visible(await readOne(connector, outcome.snapshot.externalId)), visible(outcome.snapshot));
    },
  );

  rule('[C4] what is free of tax, or needs no shipping, is made so', {}, async ({ connector }) => {
    for (const [taxable, requiresShipping] of [
      [false, true],
      [true, false],
      [false, false],
    ] as const) {
      const product = simpleProduct({}, { taxable, requiresShipping, weightMg: requiresShipping ? 250_000 : null });
      const { snapshot } = await written(connector, createOf(product));
      const { fields } = (await readOne(connector, snapshot.externalId)).variants[0]!;
      assert.deepEqual([fields.taxable, fields.requiresShipping], [taxable, requiresShipping]);
    }
  });

  rule('[C4] newVariantIds follow the order given, whatever order the platform keeps', {}, async ({ connector }) => {
    const product = sizedProduct(4);
    const reversed = { ...product, variants: product.variants.toReversed() };
    const { snapshot, newVariantIds } = await written(connector, createOf(reversed));
    const skus = newVariantIds.map((id) => snapshot.variants.find((one) => one.externalId === id)?.fields.sku);
    assert.deepEqual(
      skus,
      reversed.variants.map((variant) => variant.fields.sku),
    );
  });

  rule('[C4] a variant may start untracked', {}, async ({ connector }) => {
    const product = simpleProduct();
    const variants = [{ ...product.variants[0]!, stock: { tracked: false, quantity: 0 } }];
    const { snapshot } = await written(connector, createOf({ ...product, variants }));
    assert.equal(snapshot.variants[0]!.stock.tracked, false);
  });

  rule(
    '[C24] the rule for backorders of an item that is not counted is kept, or is "no"',
    {},
    async ({ connector }) => {
      for (const backorders of ['no', 'notify', 'yes'] as const) {
        const product = simpleProduct({}, { backorders });
        const variants = [{ ...product.variants[0]!, stock: { tracked: false, quantity: 0 } }];
        const { snapshot } = await written(connector, createOf({ ...product, variants }));
        const kept = connector.represent(canonicalOf(product)).variants[variantId(0)]!.backorders;
        const expected = connector.capabilities.hidesBackorders ? 'no' : kept;
        const [variant] = snapshot.variants;
        assert.deepEqual([variant?.stock.tracked, variant?.fields.backorders], [false, expected]);
        const again = { externalId: variant!.externalId, fields: { backorders } };
        await written(connector, updateOf(snapshot, { variants: [again] }));
        const read = await readOne(connector, snapshot.externalId);
        assert.equal(read.variants[0]!.fields.backorders, expected);
      }
    },
  );

  rule('[C4] writing back what was read changes nothing that a read could see', {}, async ({ connector, shop }) => {
    const product = sizedProduct(2, {
      title: 'Merchant’s “own” & <plain> text',
      descriptionHtml: '<p>Line one<br>line&nbsp;two &amp; three</p>\n\n<ul><li>é</li></ul>',
      tags: ['Zeta', 'alpha'],
      status: 'draft',
    });
    const record = await shop.addProduct(product);
    const before = await readOne(connector, record.externalId);
    const { handle: _handle, ...fields } = before.fields;
    const variants = before.variants.map((variant) => ({ externalId: variant.externalId, fields: variant.fields }));
    const { snapshot } = await written(connector, updateOf(before, { fields, variants }));
    assert.deepEqual(visible(snapshot), visible(before));
    assert.deepEqual(visible(await readOne(connector, record.externalId)), visible(before));
  });

  rule('[C4] an update changes what it names and nothing else', {}, async ({ connector, shop }) => {
    const record = await shop.addProduct(sizedProduct(2, { tags: ['kept'], descriptionHtml: '<p>Old</p>' }));
    const before = await readOne(connector, record.externalId);
    const [first, second] = before.variants;
    const sku = `SKU-${unique()}`;
    // Outside changes after the snapshot, to fields that the write does not name: they must survive it.
    await shop.editProduct(record.externalId, { descriptionHtml: '<p>Edited meanwhile</p>' });
    await shop.editVariant(record.externalId, second!.externalId, { sku });
    await shop.sell(first!.stockId, 3);
    const { snapshot } = await written(
      connector,
      updateOf(before, {
        fields: { title: 'New title' },
        variants: [{ externalId: first!.externalId, fields: { price: { regularMinor: 2500, saleMinor: 1999 } } }],
      }),
    );
    const after = await readOne(connector, record.externalId);
    assert.deepEqual(visible(after), visible(snapshot));
    assert.equal(after.fields.title, 'New title');
    assert.equal(after.fields.handle, before.fields.handle, 'a new title does not move the address');
    assert.match(after.fields.descriptionHtml, /Edited meanwhile/);
    assert.deepEqual(after.fields.tags, before.fields.tags);
    assert.deepEqual(after.variants[0]!.fields, { ...first!.fields, price: { regularMinor: 2500, saleMinor: 1999 } });
    assert.deepEqual(after.variants[1]!.fields, { ...second!.fields, sku });
    assert.equal(after.variants[0]!.stock.quantity, 7, 'a product write does not touch stock');
    assert.equal(after.variants[1]!.stock.quantity, 10);
  });

  rule('[C4] a sale is ended by writing the price without it', {}, async ({ connector, shop }) => {
    const record = await shop.addProduct(simpleProduct({}, { price: { regularMinor: 5000, saleMinor: 4000 } }));
    const before = await readOne(connector, record.externalId);
    assert.deepEqual(before.variants[0]!.fields.price, { regularMinor: 5000, saleMinor: 4000 });
    const variants = [
      { externalId: before.variants[0]!.externalId, fields: { price: { regularMinor: 5000, saleMinor: null } } },
    ];
    const { snapshot } = await written(connector, updateOf(before, { variants }));
    assert.deepEqual(snapshot.variants[0]!.fields.price, { regularMinor: 5000, saleMinor: null });
  });

  rule('[C4] fields are emptied by writing them empty', {}, async ({ connector, shop }) => {
    const record = await shop.addProduct(simpleProduct({ tags: ['a', 'b'] }, { barcode: gtin(), weightMg: 250_000 }));
    const before = await readOne(connector, record.externalId);
    const emptied = { sku: '', barcode: '', weightMg: null };
    const { snapshot } = await written(
      connector,
      updateOf(before, {
        fields: { tags: [], descriptionHtml: '' },
        variants: [{ externalId: before.variants[0]!.externalId, fields: emptied }],
      }),
    );
    assert.deepEqual(snapshot.fields.tags, []);
    assert.equal(snapshot.fields.descriptionHtml, '');
    const variant = snapshot.variants[0]!.fields;
    const written0 = connector.represent({
      fields: snapshot.fields,
      variants: { [variantId(0)]: { ...before.variants[0]!.fields, ...emptied } },
    }).variants[variantId(0)]!;
    assert.deepEqual(variant, written0);
    assert.equal(variant.sku, '');
    assert.equal(variant.barcode, '');
  });

  rule(
    '[C4] a mark can be set on a record that somebody else made, beside another pair’s',
    {},
    async ({ connector, shop }) => {
      const record = await shop.addProduct(simpleProduct());
      const first = mark('pair_one');
      const second = mark('pair_two');
      const one = await written(connector, updateOf(await readOne(connector, record.externalId), { mark: first }));
      assert.deepEqual(one.snapshot.marks, [first]);
      const two = await written(connector, updateOf(one.snapshot, { mark: second }));
      const byPair = two.snapshot.marks.toSorted((a, b) => (a.pairId < b.pairId ? -1 : 1));
      assert.deepEqual(byPair, [first, second]);
      assert.deepEqual((await readOne(connector, record.externalId)).marks, two.snapshot.marks);
    },
  );

  rule('[C4] stock of a product just created is set and read by its stock ids', {}, async ({ connector }) => {
    const { snapshot } = await written(connector, createOf(sizedProduct(2, {}, 4)));
    const stockIds = snapshot.variants.map((variant) => variant.stockId);
    assert.deepEqual(
      await stockOf(connector, stockIds),
      snapshot.variants.map((variant) => variant.stock),
    );
    const outcomes = await connector.writeStock(
      stockIds
        .slice(0, connector.capabilities.stockBatchMax)
        .map((stockId) => ({ stockId, expected: 4, to: 1, key: `after-create-${stockId}` })),
    );
    assert.ok(outcomes.every((outcome) => outcome.outcome === 'applied'));
  });
}
