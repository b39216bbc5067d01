import assert from 'node:assert/strict';
import { createOf, readOne, refusal, simpleProduct, updateOf, writeOne } from '../fixtures.ts';
import type { Rule } from '../rule.ts';

/** [C7]: several writes at once, and what is refused. */
export function writeBatchRules(rule: Rule): void {
  rule(
    '[C7] one refused write never fails the others of its batch',
    { abilities: ['refusal'] },
    async (harness, context) => {
      const { connector } = harness;
      if (connector.capabilities.writeBatchMax < 3)
        return context.skip('writeBatchMax: fewer than three writes to a batch');
      const outcomes = await connector.writeProducts([
        createOf(simpleProduct({ title: 'First of three' })),
        await harness.refusedCreate(),
        createOf(simpleProduct({ title: 'Third of three' })),
      ]);
      assert.equal(outcomes.length, 3);
      refusal(outcomes[1]!, ['rejected']);
      for (const [index, title] of [
        [0, 'First of three'],
        [2, 'Third of three'],
      ] as const) {
        const outcome = outcomes[index]!;
        assert.ok(outcome.ok, `write ${index} succeeds`);
        assert.equal((await readOne(connector, outcome.snapshot.externalId)).fields.title, title);
      }
    },
  );

  rule('[C7] updates and creates share a batch, and an unknown record fails alone', {}, async (harness) => {
    const { connector, shop, unknown } = harness;
    const record = await shop.addProduct(simpleProduct());
    const seen = await readOne(connector, record.externalId);
    const writes = [
      updateOf(seen, { fields: { title: 'Updated in a batch' } }),
      { ...updateOf({ ...seen, externalId: unknown.productId }), fields: { title: 'Nowhere' } },
      createOf(simpleProduct()),
    ].slice(0, connector.capabilities.writeBatchMax);
    const outcomes = await connector.writeProducts(writes);
    assert.equal(outcomes.length, writes.length);
    assert.ok(outcomes[0]!.ok && outcomes[0]!.snapshot.fields.title === 'Updated in a batch');
    if (outcomes[1]) refusal(outcomes[1], ['not_found', 'rejected']);
    if (outcomes[2]) assert.ok(outcomes[2].ok);
    assert.deepEqual(await connector.writeProducts([]), []);
  });

  rule('[C7] a refusal says what was refused and changes nothing', { abilities: ['refusal'] }, async (harness) => {
    const { connector } = harness;
    const write = await harness.refusedCreate();
    assert.equal(write.type, 'create');
    const error = refusal(await writeOne(connector, write), ['rejected']);
    assert.ok(error.details.platformMessage, 'the platform’s own words');
    assert.ok((error.details.platformMessage ?? '').length <= 500);
    if (write.type === 'create') {
      assert.equal(await connector.findByMark(write.mark, harness.now() - 60_000), null);
    }
  });
}
