import assert from 'node:assert/strict';
import { createOf, readOne, simpleProduct, sizedProduct, stockWrite, updateOf, value, written } from '../fixtures.ts';
import type { Rule } from '../rule.ts';

/** The last run of digits of an id, one higher: what a rounded id would be mistaken for. */
function neighbour(id: string): string {
  return id.replace(/(\d+)(?!.*\d)/, (digits) => String(BigInt(digits) + 1n));
}

/** [C11]: ids beyond what a floating point number holds exactly. */
export function idRules(rule: Rule): void {
  rule('[C11] ids beyond 2^53 come and go exactly', { hugeIds: true }, async (harness) => {
    const { connector, shop } = harness;
    const record = await shop.addProduct(sizedProduct(3));
    const digits = /(\d+)(?!.*\d)/.exec(record.externalId)?.[1] ?? '0';
    assert.ok(BigInt(digits) > 2n ** 53n, `a huge id, not ${record.externalId}`);
    const snapshot = await readOne(connector, record.externalId);
    assert.equal(snapshot.externalId, record.externalId);
    assert.deepEqual(
      snapshot.variants.map(({ externalId, stockId }) => ({ externalId, stockId })),
      record.variants,
    );
    const [near] = await connector.readProducts([neighbour(record.externalId)]);
    if (near?.ok) assert.notEqual(near.value.externalId, record.externalId);
    const stockIds = record.variants.map((variant) => variant.stockId);
    await connector.writeStock(
      stockIds.slice(0, connector.capabilities.stockBatchMax).map((id, index) => stockWrite(id, 10, 20 + index)),
    );
    for (const [index, stockId] of stockIds.slice(0, connector.capabilities.stockBatchMax).entries()) {
      assert.equal(await shop.quantity(stockId), 20 + index);
    }
    const title = 'Written by its huge id';
    const { snapshot: after } = await written(connector, updateOf(snapshot, { fields: { title } }));
    assert.equal(after.externalId, record.externalId);
    const created = await written(connector, createOf(simpleProduct()));
    assert.equal((await readOne(connector, created.snapshot.externalId)).externalId, created.snapshot.externalId);
  });

  rule('[C11] huge ids in listings and polls', { hugeIds: true }, async (harness) => {
    const { connector, shop, advance } = harness;
    const { cursor } = await connector.listChanged(null);
    const record = await shop.addProduct(simpleProduct());
    await advance(2_000);
    const listed: string[] = [];
    for await (const page of connector.scan({ resume: null }))
      listed.push(...page.snapshots.map((one) => one.externalId));
    assert.ok(listed.includes(record.externalId));
    const { signals } = await connector.listChanged(cursor);
    const own = new Set([
      record.externalId,
      ...record.variants.flatMap((variant) => [variant.externalId, variant.stockId]),
    ]);
    assert.ok(
      signals.some((signal) => own.has(signal.externalId)),
      JSON.stringify(signals),
    );
  });

  rule('[C11] huge ids in deliveries', { hugeIds: true, abilities: ['deliveries'] }, async (harness) => {
    const { connector, shop, webhooks } = harness;
    await connector.ensureWebhooks(webhooks.callbackUrl);
    await webhooks.take();
    const record = await shop.addProduct(simpleProduct());
    await shop.sell(record.variants[0]!.stockId, 1);
    const own = new Set([
      record.externalId,
      ...record.variants.flatMap((variant) => [variant.externalId, variant.stockId]),
    ]);
    const signals = (await webhooks.take()).flatMap((delivery) => connector.verifyDelivery(delivery)?.signals ?? []);
    assert.ok(signals.length > 0);
    for (const signal of signals) assert.ok(own.has(signal.externalId), `${signal.kind} ${signal.externalId}`);
    const read = await connector.readStock([record.variants[0]!.stockId]);
    assert.equal(value(read[0]).quantity, 9);
  });
}
