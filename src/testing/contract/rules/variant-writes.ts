import assert from 'node:assert/strict';
import {
  createOf,
  readOne,
  simpleProduct,
  sizedProduct,
  updateOf,
  variantFields,
  variantId,
  written,
} from '../fixtures.ts';
import type { Rule } from '../rule.ts';

const NO_ARCHIVE = 'canArchiveVariant: the connector puts no variant away';

/** [C4] [C29]: variants that are added to a product, put away, and made again. */
export function variantWriteRules(rule: Rule): void {
  rule('[C4] new variants join without disturbing the others', {}, async ({ connector, shop }) => {
    const record = await shop.addProduct(sizedProduct(2));
    const before = await readOne(connector, record.externalId);
    const newVariants = ['Size 8', 'Size 9'].map((size, index) => ({
      variantId: variantId(index),
      fields: variantFields({ optionValues: [size] }),
      stock: { tracked: true, quantity: 30 + index },
    }));
    const { snapshot, newVariantIds } = await written(connector, updateOf(before, { newVariants }));
    assert.equal(snapshot.variants.length, 4);
    assert.equal(newVariantIds.length, 2);
    for (const old of before.variants) {
      assert.deepEqual(
        snapshot.variants.find((one) => one.externalId === old.externalId),
        old,
      );
    }
    newVariantIds.forEach((id, index) => {
      const added = snapshot.variants.find((one) => one.externalId === id);
      assert.equal(added?.fields.sku, newVariants[index]!.fields.sku);
      assert.deepEqual(added?.fields.optionValues, newVariants[index]!.fields.optionValues);
      assert.equal(added?.stock.quantity, 30 + index);
    });
  });

  for (const key of ['optionValues', 'sku'] as const)
    rule(`[C4] a new variant has the ${key} that another one gives up in the same write`, {}, async (hands) => {
      const { connector, shop } = hands;
      const record = await shop.addProduct(sizedProduct(2));
      const before = await readOne(connector, record.externalId);
      const giving = before.variants[0]!;
      const was = giving.fields[key];
      const to = key === 'sku' ? { sku: 'GIVEN-UP' } : { optionValues: ['Size 9'] };
      const fields = variantFields({ optionValues: ['Size 8'], [key]: was });
      const { snapshot, newVariantIds } = await written(
        connector,
        updateOf(before, {
          variants: [{ externalId: giving.externalId, fields: to }],
          newVariants: [{ variantId: variantId(0), fields, stock: { tracked: true, quantity: 4 } }],
        }),
      );
      const shown = (id: string | undefined) => snapshot.variants.find((one) => one.externalId === id)?.fields[key];
      assert.deepEqual(shown(newVariantIds[0]), was);
      assert.deepEqual(shown(giving.externalId), Object.values(to)[0]);
    });

  rule(
    '[C4] a variant is put away without deleting it or disturbing the others',
    {},
    async ({ connector, shop }, context) => {
      if (!connector.capabilities.canArchiveVariant) return context.skip(NO_ARCHIVE);
      const record = await shop.addProduct(sizedProduct(3));
      const before = await readOne(connector, record.externalId);
      const away = before.variants[1]!;
      await written(connector, updateOf(before, { archiveVariants: [away.externalId] }));
      const after = await readOne(connector, record.externalId);
      for (const kept of [before.variants[0]!, before.variants[2]!]) {
        assert.deepEqual(
          after.variants.find((one) => one.externalId === kept.externalId),
          kept,
        );
      }
      assert.equal(await shop.quantity(away.stockId), 10, 'its stock is still there');
    },
  );

  rule(
    '[C29] a variant that was put away keeps its SKU and its barcode from nobody',
    {},
    async ({ connector, shop }, context) => {
      if (!connector.capabilities.canArchiveVariant) return context.skip(NO_ARCHIVE);
      const product = sizedProduct(3);
      const old = product.variants[1]!;
      const held = { ...old, fields: { ...old.fields, barcode: '4006381333931' } };
      const variants = product.variants.map((one) => (one === old ? held : one));
      const record = await shop.addProduct({ ...product, variants });
      const before = await readOne(connector, record.externalId);
      const away = before.variants[1]!;
      const { snapshot } = await written(connector, updateOf(before, { archiveVariants: [away.externalId] }));
      const { sku, barcode } = held.fields;
      const other = await written(connector, createOf(simpleProduct({}, { sku, barcode })));
      assert.deepEqual(
        other.snapshot.variants.map(({ fields }) => [fields.sku, fields.barcode]),
        [[sku, barcode]],
      );
      const { externalId } = other.snapshot.variants[0]!;
      const own = { externalId, fields: { sku: `${sku}-own`, barcode: '' } };
      await written(connector, updateOf(other.snapshot, { variants: [own] }));
      const newVariants = [{ variantId: variantId(1), fields: held.fields, stock: { tracked: true, quantity: 4 } }];
      const after = await written(connector, updateOf(snapshot, { newVariants }));
      assert.equal(after.snapshot.variants.length, 3, 'and is found again under its SKU');
      const back = after.snapshot.variants.find((one) => one.externalId === after.newVariantIds[0]);
      assert.deepEqual({ ...back?.fields }, held.fields);
    },
  );

  for (const key of ['SKU', 'option values'] as const)
    rule(
      `[C29] a new variant takes the place of one that was put away under the same ${key}, with nothing of what that one held`,
      {},
      async ({ connector, shop }, context) => {
        if (!connector.capabilities.canArchiveVariant) return context.skip(NO_ARCHIVE);
        const product = sizedProduct(3);
        const old = product.variants[1]!;
        const sku = key === 'SKU' ? old.fields.sku : '';
        const held = { ...old.fields, sku, barcode: '4006381333931', weightMg: 500_000 };
        const variants = product.variants.map((one) => (one === old ? { ...old, fields: held } : one));
        const record = await shop.addProduct({ ...product, variants });
        const before = await readOne(connector, record.externalId);
        const away = before.variants[1]!;
        const { snapshot } = await written(connector, updateOf(before, { archiveVariants: [away.externalId] }));
        const { optionValues } = old.fields;
        const price = { regularMinor: 4200, saleMinor: null };
        const fields = variantFields({ sku, optionValues, price, barcode: '', weightMg: null });
        const newVariants = [{ variantId: variantId(1), fields, stock: { tracked: true, quantity: 4 } }];
        const after = await written(connector, updateOf(snapshot, { newVariants }));
        assert.equal(after.newVariantIds.length, 1);
        const back = after.snapshot.variants.find((one) => one.externalId === after.newVariantIds[0]);
        assert.deepEqual({ ...back?.fields }, fields);
        assert.equal(back?.stock.quantity, 4);
        assert.equal(after.snapshot.variants.length, 3);
      },
    );
}
