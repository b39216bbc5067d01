import assert from 'node:assert/strict';
import type { Signal } from '../../../model/signal.ts';
import type { Connector } from '../../../ports/connector.ts';
import { addSeveral, addSimple, names, sizedProduct } from '../fixtures.ts';
import type { ContractHarness, ShopRecord } from '../harness.ts';
import type { Rule } from '../rule.ts';

/** More pages than any test makes: a poll that never ends must fail the test. */
const PAGES_MAX = 200;
/** Polls, a second apart, within which every change must have been named. */
const POLLS_MAX = 15;

/** One poll to its end. */
async function changesSince(connector: Connector, cursor: string): Promise<{ signals: Signal[]; cursor: string }> {
  const signals: Signal[] = [];
  let next = cursor;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const changed = await connector.listChanged(next);
    signals.push(...changed.signals);
    next = changed.cursor;
    if (!changed.hasMore) return { signals, cursor: next };
  }
  assert.fail('the poll never ends');
}

/**
 * Polls from cursor to cursor until every record was named. A platform may show a change late, so it need not be the first poll; but
 * it must be one of those that follow, or the change is missed for good. Gives the last cursor.
 */
async function pollUntilNamed(
  harness: ContractHarness,
  cursor: string,
  records: readonly ShopRecord[],
  connector = harness.connector,
): Promise<string> {
  let missing = [...records];
  let next = cursor;
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    const { signals, cursor: end } = await changesSince(connector, next);
    next = end;
    missing = missing.filter((record) => !names(signals, record));
    if (missing.length === 0) return next;
    await harness.advance(1_000);
  }
  assert.fail(`never named: ${missing.map((record) => record.externalId).join(', ')}`);
}

/** [C21]: what changed. */
export function changeRules(rule: Rule): void {
  rule(
    '[C21] changes after the cursor are named: edits of products and variants, new products',
    {},
    async (harness) => {
      const { connector, shop, advance } = harness;
      const edited = await addSimple(harness);
      const variantEdited = await shop.addProduct(sizedProduct(2));
      await advance(120_000);
      const start = await connector.listChanged(null);
      await advance(5_000);
      await shop.editProduct(edited.externalId, { title: 'Edited for the poll' });
      await shop.editVariant(variantEdited.externalId, variantEdited.variants[1]!.externalId, {
        sku: `NEW-${edited.externalId.slice(-8)}`,
      });
      const added = await addSimple(harness);
      await advance(2_000);
      await pollUntilNamed(harness, start.cursor, [edited, variantEdited, added]);
    },
  );

  rule('[C21] a sale and a recount are named', { abilities: ['poll_sees_sales'] }, async (harness) => {
    const { connector, shop, advance } = harness;
    const sold = await addSimple(harness);
    const counted = await addSimple(harness);
    await advance(120_000);
    const start = await connector.listChanged(null);
    await advance(2_000);
    await shop.sell(sold.stockId, 1);
    await shop.setStock(counted.stockId, 3);
    await advance(2_000);
    await pollUntilNamed(harness, start.cursor, [sold, counted]);
  });

  rule('[C21] a change in the very second of the cursor is not missed', {}, async (harness) => {
    const { connector, shop, advance } = harness;
    const first = await addSimple(harness);
    const second = await addSimple(harness);
    const third = await addSimple(harness);
    await advance(120_000);
    const { cursor } = await connector.listChanged(null);
    await shop.editProduct(first.externalId, { title: 'In the same second as the first cursor' });
    const one = await changesSince(connector, cursor);
    await shop.editProduct(second.externalId, { title: 'In the same second as the second cursor' });
    await shop.editProduct(third.externalId, { title: 'This one too' });
    const missed = names(one.signals, first) ? [second, third] : [first, second, third];
    await pollUntilNamed(harness, one.cursor, missed);
  });

  rule(
    '[C21] more changes than a page holds, in one instant, are all named and the poll ends',
    { pageSize: 3 },
    async (harness) => {
      const { connector, shop, pageSize, advance } = harness;
      const records = await addSeveral(harness, pageSize * 4 + 1);
      await advance(120_000);
      const { cursor } = await connector.listChanged(null);
      await advance(2_000);
      await Promise.all(records.map((record) => shop.editProduct(record.externalId, { title: 'All at once' })));
      await advance(2_000);
      const end = await pollUntilNamed(harness, cursor, records);
      await changesSince(connector, end);
    },
  );

  rule('[C21] a cursor outlives the process', { abilities: ['reopen'] }, async (harness) => {
    const { shop, advance } = harness;
    const record = await addSimple(harness);
    await advance(120_000);
    const { cursor } = await harness.connector.listChanged(null);
    await advance(2_000);
    await shop.editProduct(record.externalId, { title: 'While we were away' });
    await advance(600_000);
    const connector = await harness.reopen();
    await pollUntilNamed(harness, cursor, [record], connector);
    await connector.close();
  });

  for (const clockSkewMs of [-3_600_000, 3_600_000]) {
    rule(
      `[C21] nothing is missed when the store’s clock is ${clockSkewMs / 3_600_000} h off`,
      { clockSkewMs },
      async (harness) => {
        const { connector, shop, advance } = harness;
        const record = await addSimple(harness);
        await advance(120_000);
        const { cursor } = await connector.listChanged(null);
        await advance(3_000);
        await shop.editProduct(record.externalId, { title: 'By another clock' });
        await advance(1_000);
        await pollUntilNamed(harness, cursor, [record], connector);
      },
    );
  }
}
