import assert from 'node:assert/strict';
import { QUANTITY_MAX } from '../../../model/stock.ts';
import {
  addSimple,
  refusal,
  sizedProduct,
  stockOf,
  stockWrite,
  unique,
  value,
  writeStockAll,
  writeStockOne,
} from '../fixtures.ts';
import type { Rule } from '../rule.ts';

/** [C7] [C15] [C16] [C17] [C25] [C26]: setting stock, and when it moved. */
export function stockRules(rule: Rule): void {
  for (const to of [0, 1, -3, QUANTITY_MAX]) {
    rule(`[C4] stock is set to ${to} and reads back so`, {}, async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      assert.deepEqual(await writeStockOne(connector, stockWrite(record.stockId, 10, to)), { outcome: 'applied' });
      assert.equal(await shop.quantity(record.stockId), to);
      const [read] = await connector.readStock([record.stockId]);
      assert.equal(value(read).quantity, to);
      assert.equal(value(read).tracked, true);
    });
  }

  for (const clockSkewMs of [0, -3_600_000, 3_600_000]) {
    rule(
      `[C26] nothing is said to have rested since before it moved, and what rested is, with the store’s clock ${clockSkewMs / 3_600_000} h off`,
      { clockSkewMs },
      async (harness, context) => {
        const { connector, shop, advance } = harness;
        const { stockId } = await addSimple(harness, 10);
        const told = async () => value((await connector.readStock([stockId]))[0]).unmovedSince;
        if ((await told()) === undefined) return context.skip('unmovedSince: the connector tells none');
        for (const move of [
          () => shop.sell(stockId, 1),
          () => connector.writeStock([stockWrite(stockId, 9, 4)]),
          () => shop.setStock(stockId, 10),
        ]) {
          const at = harness.now();
          await move();
          assert.ok(Number(await told()) >= at, 'read at once');
          await advance(12_000);
          const since = Number(await told());
          assert.ok(
            since >= at && since < harness.now() - 6_000,
            `moved at ${at}, told ${since}, now ${harness.now()}`,
          );
        }
      },
    );
  }

  rule('[C7] one refused stock write never fails the others of its batch', {}, async (harness) => {
    const { connector, shop, unknown } = harness;
    const a = await addSimple(harness, 10);
    const b = await addSimple(harness, 20);
    const outcomes = await writeStockAll(connector, [
      stockWrite(a.stockId, 10, 11),
      stockWrite(unknown.stockId, 1, 2),
      stockWrite(b.stockId, 20, 21),
    ]);
    assert.equal(outcomes.length, 3);
    assert.equal(outcomes[0]!.outcome, 'applied');
    assert.equal(outcomes[2]!.outcome, 'applied');
    refusal(outcomes[1]!, ['not_found', 'rejected']);
    assert.equal(await shop.quantity(a.stockId), 11);
    assert.equal(await shop.quantity(b.stockId), 21);
  });

  rule(
    '[C7] a batch of 110 variants of one product is set in calls of at most stockBatchMax',
    {},
    async ({ connector, shop }) => {
      const record = await shop.addProduct(sizedProduct(110, {}, 5));
      const max = connector.capabilities.stockBatchMax;
      assert.ok(Number.isInteger(max) && max >= 1);
      for (let from = 0; from < record.variants.length; from += max) {
        const part = record.variants.slice(from, from + max);
        const outcomes = await connector.writeStock(
          part.map((variant, index) => stockWrite(variant.stockId, 5, 100 + from + index)),
        );
        assert.deepEqual(
          outcomes,
          part.map(() => ({ outcome: 'applied' })),
        );
      }
      for (let from = 0; from < record.variants.length; from += max) {
        const part = record.variants.slice(from, from + max);
        const read = await connector.readStock(part.map((variant) => variant.stockId));
        assert.deepEqual(
          read.map((outcome) => value(outcome).quantity),
          part.map((_, index) => 100 + from + index),
        );
      }
      assert.deepEqual(await connector.writeStock([]), []);
    },
  );

  rule(
    '[C15] an item whose quantity is not the expected one is left alone and is stale',
    { stockWrite: ['keyed', 'compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const sold = await addSimple(harness, 10);
      const still = await addSimple(harness, 10);
      await shop.sell(sold.stockId, 1);
      const outcomes = await writeStockAll(connector, [
        stockWrite(sold.stockId, 10, 12),
        stockWrite(still.stockId, 10, 12),
      ]);
      assert.deepEqual(outcomes, [{ outcome: 'stale' }, { outcome: 'applied' }]);
      assert.equal(await shop.quantity(sold.stockId), 9);
      assert.equal(await shop.quantity(still.stockId), 12);
    },
  );

  rule(
    '[C15] stale also when the quantity already is the one to be set',
    { stockWrite: ['keyed', 'compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 7);
      assert.deepEqual(await writeStockOne(connector, stockWrite(record.stockId, 10, 7)), { outcome: 'stale' });
      assert.equal(await shop.quantity(record.stockId), 7);
    },
  );

  rule(
    '[C15] a negative quantity is compared like any other',
    { stockWrite: ['keyed', 'compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 1);
      await shop.setStock(record.stockId, -2);
      assert.deepEqual(await writeStockOne(connector, stockWrite(record.stockId, 2, 5)), { outcome: 'stale' });
      assert.deepEqual(await writeStockOne(connector, stockWrite(record.stockId, -2, 5)), { outcome: 'applied' });
      assert.equal(await shop.quantity(record.stockId), 5);
    },
  );

  rule(
    '[C16] a repeat of an applied key is already_applied and changes nothing',
    { stockWrite: ['keyed'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      const write = stockWrite(record.stockId, 10, 8);
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'applied' });
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'already_applied' });
      assert.equal(await shop.quantity(record.stockId), 8);
      // Back at the expected quantity: the key alone decides.
      await shop.setStock(record.stockId, 10);
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'already_applied' });
      assert.equal(await shop.quantity(record.stockId), 10);
    },
  );

  rule(
    '[C16] a key that was refused as stale is not remembered as applied',
    { stockWrite: ['keyed'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      const write = stockWrite(record.stockId, 9, 8);
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'stale' });
      await shop.sell(record.stockId, 1);
      const repeat = await writeStockOne(connector, write);
      assert.notEqual(repeat.outcome, 'already_applied');
      assert.equal(await shop.quantity(record.stockId), repeat.outcome === 'applied' ? 8 : 9);
    },
  );

  rule(
    '[C16] a repeat with compare-and-set changes nothing and is stale or already_applied',
    { stockWrite: ['compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      const write = stockWrite(record.stockId, 10, 8);
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'applied' });
      const repeat = await writeStockOne(connector, write);
      assert.ok(repeat.outcome === 'stale' || repeat.outcome === 'already_applied', repeat.outcome);
      assert.equal(await shop.quantity(record.stockId), 8);
    },
  );

  rule(
    '[C25] beside a refused write of the call nothing is done of the others, and they are withheld',
    { stockWrite: ['compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const [sold, one, two] = [
        await addSimple(harness, 10),
        await addSimple(harness, 20),
        await addSimple(harness, 30),
      ];
      await shop.sell(sold.stockId, 1);
      const outcomes = await connector.writeStock([
        stockWrite(one.stockId, 20, 21),
        stockWrite(sold.stockId, 10, 12),
        stockWrite(two.stockId, 30, 31),
      ]);
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['withheld', 'stale', 'withheld'],
      );
      assert.deepEqual(await Promise.all([one, sold, two].map(({ stockId }) => shop.quantity(stockId))), [20, 9, 30]);
    },
  );

  rule(
    '[C16] [C25] a whole call that is repeated in another order never applies again, not even when all is back as it was',
    { stockWrite: ['compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const [a, b] = [await addSimple(harness, 10), await addSimple(harness, 20)];
      const writes = [stockWrite(a.stockId, 10, 8), stockWrite(b.stockId, 20, 25)];
      assert.deepEqual(await connector.writeStock(writes), [{ outcome: 'applied' }, { outcome: 'applied' }]);
      await shop.setStock(a.stockId, 10);
      const partly = await connector.writeStock(writes.toReversed());
      assert.deepEqual(
        partly.map(({ outcome }) => outcome),
        ['stale', 'withheld'],
      );
      await shop.setStock(b.stockId, 20);
      await connector.writeStock(writes.toReversed());
      assert.deepEqual([await shop.quantity(a.stockId), await shop.quantity(b.stockId)], [10, 20]);
    },
  );

  rule(
    '[C16] the key of a stock call is remembered for as long as is promised, and no longer than two days',
    { stockWrite: ['keyed', 'compare_and_set'], abilities: ['days'] },
    async (harness) => {
      const { connector, shop } = harness;
      const { keyMemoryMs } = connector.capabilities;
      const record = await addSimple(harness, 10);
      const write = stockWrite(record.stockId, 10, 8);
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'applied' });
      await shop.setStock(record.stockId, 10);
      await harness.advance(keyMemoryMs - 60_000);
      await writeStockOne(connector, write);
      assert.equal(await shop.quantity(record.stockId), 10, 'remembered');
      await harness.advance(86_400_000);
      assert.deepEqual(await writeStockOne(connector, write), { outcome: 'applied' }, 'forgotten: a call of its own');
      assert.equal(await shop.quantity(record.stockId), 8);
    },
  );

  rule(
    '[C17] a stamped write ignores the expectation and leaves its key as the stamp',
    { stockWrite: ['stamped'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      const key = `key-${unique()}`;
      assert.deepEqual(await writeStockOne(connector, stockWrite(record.stockId, 99, 4, key)), { outcome: 'applied' });
      assert.equal(await shop.quantity(record.stockId), 4);
      const [read] = await stockOf(connector, [record.stockId]);
      assert.deepEqual(read, { tracked: true, quantity: 4, stamp: key });
    },
  );

  rule('[C17] the stamp outlives a sale and yields to the next write', { stockWrite: ['stamped'] }, async (harness) => {
    const { connector, shop } = harness;
    const record = await addSimple(harness, 10);
    await writeStockOne(connector, stockWrite(record.stockId, 10, 6, 'key-one'));
    await shop.sell(record.stockId, 2);
    assert.deepEqual(await stockOf(connector, [record.stockId]), [{ tracked: true, quantity: 4, stamp: 'key-one' }]);
    await writeStockOne(connector, stockWrite(record.stockId, 4, 5, 'key-two'));
    assert.deepEqual(await stockOf(connector, [record.stockId]), [{ tracked: true, quantity: 5, stamp: 'key-two' }]);
  });

  rule('[C17] every item of a batch carries its own key', { stockWrite: ['stamped'] }, async ({ connector, shop }) => {
    const record = await shop.addProduct(sizedProduct(3));
    const stockIds = record.variants.map((variant) => variant.stockId);
    const writes = stockIds
      .slice(0, connector.capabilities.stockBatchMax)
      .map((id, index) => stockWrite(id, 10, index));
    await connector.writeStock(writes);
    const read = await connector.readStock(writes.map((write) => write.stockId));
    assert.deepEqual(
      read.map((outcome) => value(outcome).stamp),
      writes.map((write) => write.key),
    );
  });

  rule(
    '[C15] simultaneous writes with one expectation: one is applied',
    { stockWrite: ['keyed', 'compare_and_set'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      const outcomes = await Promise.all(
        [1, 2, 3].map((to) => writeStockOne(connector, stockWrite(record.stockId, 10, to))),
      );
      const applied = outcomes.flatMap((outcome, index) => (outcome.outcome === 'applied' ? [index + 1] : []));
      assert.equal(applied.length, 1, JSON.stringify(outcomes));
      assert.equal(await shop.quantity(record.stockId), applied[0]);
    },
  );
}
