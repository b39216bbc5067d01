import assert from 'node:assert/strict';
import { searchKeys } from '../../../model/search-key.ts';
import { addSimple, readOne, simpleProduct, sizedProduct, stockOf, value } from '../fixtures.ts';
import type { Rule } from '../rule.ts';

/** [C2] [C3] [C5] [C6] [C32]: reading by id. */
export function readRules(rule: Rule): void {
  rule(
    '[C2] no read changes the store',
    { abilities: ['request_counts'] },
    async ({ connector, shop, faults, now }) => {
      const product = simpleProduct();
      const record = await shop.addProduct(product);
      const stockId = record.variants[0]!.stockId;
      const before = await shop.peek(record.externalId);
      const writesBefore = faults.requestCount('write');
      await connector.readProducts([record.externalId]);
      await connector.readStock([stockId]);
      await connector.findByKeys(searchKeys(product.variants[0]!.fields));
      await connector.findByMark({ pairId: 'pair_none', hubId: 'prd_none' }, now() - 60_000);
      for await (const page of connector.scan({ resume: null })) if (page.isComplete) break;
      const changed = await connector.listChanged(null);
      await connector.listChanged(changed.cursor);
      await connector.inspect();
      assert.deepEqual(await shop.peek(record.externalId), before);
      assert.equal(faults.requestCount('write'), writesBefore, 'reads send nothing that can change the store');
    },
  );

  rule(
    '[C3] reading the same unchanged record twice gives equal snapshots',
    {},
    async ({ connector, shop, advance }) => {
      const record = await shop.addProduct(sizedProduct(3, { tags: ['b', 'a'], descriptionHtml: '<p>One</p>' }));
      const first = await readOne(connector, record.externalId);
      await advance(5_000);
      const second = await readOne(connector, record.externalId);
      assert.deepEqual(second, first);
      const stockIds = record.variants.map((variant) => variant.stockId);
      const stockFirst = await stockOf(connector, stockIds);
      assert.deepEqual(await stockOf(connector, stockIds), stockFirst);
    },
  );

  rule('[C5] readProducts answers for every id in the order asked, repeats included', {}, async (harness) => {
    const { connector, unknown } = harness;
    const a = await addSimple(harness);
    const b = await addSimple(harness);
    const asked = [b.externalId, unknown.productId, a.externalId, b.externalId];
    const outcomes = await connector.readProducts(asked);
    assert.equal(outcomes.length, asked.length);
    assert.equal(value(outcomes[0]).externalId, b.externalId);
    assert.equal(value(outcomes[2]).externalId, a.externalId);
    assert.equal(value(outcomes[3]).externalId, b.externalId);
    const missing = outcomes[1]!;
    assert.ok(!missing.ok && missing.error.kind === 'not_found');
    assert.deepEqual(await connector.readProducts([]), []);
  });

  rule('[C5] readStock answers for every id in the order asked, repeats included', {}, async (harness) => {
    const { connector, unknown } = harness;
    const a = await addSimple(harness, 3);
    const b = await addSimple(harness, 4);
    const outcomes = await connector.readStock([b.stockId, unknown.stockId, a.stockId, b.stockId]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? outcome.value.quantity : outcome.error.kind)),
      [4, 'not_found', 3, 4],
    );
    assert.deepEqual(await connector.readStock([]), []);
  });

  rule('[C5] a record deleted for good is not_found, and so is its stock', {}, async (harness) => {
    const { connector, shop } = harness;
    const kept = await addSimple(harness);
    const gone = await addSimple(harness);
    await shop.destroy(gone.externalId);
    const [first, second] = await connector.readProducts([gone.externalId, kept.externalId]);
    assert.ok(first && !first.ok && first.error.kind === 'not_found');
    assert.equal(value(second).externalId, kept.externalId);
    const [stock] = await connector.readStock([gone.stockId]);
    assert.ok(stock && !stock.ok && stock.error.kind === 'not_found');
  });

  rule('[C5] readBatchMax ids are answered in one call', {}, async (harness) => {
    const { connector, unknown } = harness;
    const a = await addSimple(harness);
    const b = await addSimple(harness);
    const { readBatchMax } = connector.capabilities;
    assert.ok(Number.isInteger(readBatchMax) && readBatchMax >= 1);
    const asked = Array.from({ length: readBatchMax }, (_, index) =>
      index % 3 === 0 ? a.externalId : index % 3 === 1 ? unknown.productId : b.externalId,
    );
    const outcomes = await connector.readProducts(asked);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.ok ? outcome.value.externalId : outcome.error.kind)),
      asked.map((id) => (id === unknown.productId ? 'not_found' : id)),
    );
  });

  rule(
    '[C5] a product is read complete: every variant, in the platform’s order, with its stock',
    {},
    async ({ connector, shop }) => {
      const product = sizedProduct(5, {}, (index) => index * 7);
      const record = await shop.addProduct(product);
      const snapshot = await readOne(connector, record.externalId);
      assert.deepEqual(
        snapshot.variants.map(({ externalId, stockId, stock }) => ({ externalId, stockId, quantity: stock.quantity })),
        record.variants.map((variant, index) => ({ ...variant, quantity: index * 7 })),
      );
      assert.ok(snapshot.variants.every((variant) => variant.stock.tracked));
      assert.equal(snapshot.trashed, false);
      assert.equal(snapshot.unsyncable, null);
      assert.deepEqual(snapshot.marks, []);
    },
  );

  rule(
    '[C6] a product in the bin is read as trashed, and comes back with the same id',
    { abilities: ['bin'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness);
      await shop.trash(record.externalId);
      const trashed = await readOne(connector, record.externalId);
      assert.equal(trashed.trashed, true);
      assert.equal(trashed.externalId, record.externalId);
      await shop.restore(record.externalId);
      const restored = await readOne(connector, record.externalId);
      assert.equal(restored.trashed, false);
      assert.deepEqual(
        restored.variants.map((variant) => variant.stockId),
        [record.stockId],
      );
    },
  );

  rule(
    '[readStock] an item without a level at the mapped location is not counted there: it is no reading of 0',
    { abilities: ['unstocked'] },
    async (harness) => {
      const record = await addSimple(harness, 8);
      await harness.shop.unstock(record.stockId);
      const [outcome] = await harness.connector.readStock([record.stockId]);
      const stock = value(outcome);
      assert.equal(stock.tracked, false);
      assert.equal(stock.limited, 'elsewhere');
      const [variant] = (await readOne(harness.connector, record.externalId)).variants;
      assert.deepEqual([variant?.stock.tracked, variant?.stock.limited], [false, 'elsewhere']);
    },
  );

  rule('[readStock] an item that the platform does not count reads as untracked', {}, async ({ connector, shop }) => {
    const product = simpleProduct();
    const [variant] = product.variants;
    const record = await shop.addProduct({
      ...product,
      variants: [{ ...variant!, stock: { tracked: false, quantity: 0 } }],
    });
    const [outcome] = await connector.readStock([record.variants[0]!.stockId]);
    assert.equal(value(outcome).tracked, false);
    assert.equal((await readOne(connector, record.externalId)).variants[0]!.stock.tracked, false);
  });

  rule('[C3] readStock and readProducts say the same about one item', {}, async (harness) => {
    const { connector, shop } = harness;
    const record = await addSimple(harness, 9);
    await shop.sell(record.stockId, 4);
    const [stock] = await stockOf(connector, [record.stockId]);
    assert.equal(stock?.quantity, 5);
    assert.deepEqual((await readOne(connector, record.externalId)).variants[0]!.stock, stock);
  });

  rule(
    '[C32] when a record was made is told alike by itself and by its only item, and neither a sale nor a write moves it',
    {},
    async (harness, context) => {
      const { connector, shop, advance } = harness;
      const { externalId, stockId } = await addSimple(harness, 9);
      const { madeAt } = await readOne(connector, externalId);
      if (madeAt === undefined) return context.skip('madeAt: ids are given out once');
      await advance(120_000);
      await shop.sell(stockId, 1);
      const seen = await readOne(connector, externalId);
      const rest = { newVariants: [], archiveVariants: [], variants: [] };
      const [written] = await connector.writeProducts([
        { type: 'update', externalId, fields: { title: 'Another title' }, ...rest, seen },
      ]);
      assert.ok(written?.ok);
      const item = value((await connector.readStock([stockId]))[0]);
      const later = await addSimple(harness, 9);
      assert.deepEqual(
        [typeof madeAt, seen.madeAt, written.snapshot.madeAt, item.madeAt],
        ['number', madeAt, madeAt, madeAt],
      );
      assert.notEqual((await readOne(connector, later.externalId)).madeAt, madeAt);
    },
  );
}
