import assert from 'node:assert/strict';
import type { Rule } from '../rule.ts';

/** [C30]: what a store's numbers mean. */
export function unitRules(rule: Rule): void {
  rule(
    '[C30] what numbers mean is asked of the store anew, and whoever asks meanwhile shares the answer',
    { abilities: ['request_counts'] },
    async ({ connector, currency, faults, now, advance }) => {
      const first = await connector.readUnits(now());
      assert.equal(first.currency, currency);
      const { info } = await connector.inspect();
      assert.ok(info);
      const { pricesIncludeTax, chargesTax, weightUnit } = info;
      const tax = { pricesIncludeTax, ...(chargesTax === undefined ? {} : { chargesTax }) };
      assert.deepEqual(first, { currency: info.currency, ...tax, weightUnit });
      await advance(1_000);
      const before = faults.requestCount('read');
      assert.deepEqual(await connector.readUnits(now() - 60_000), first);
      assert.equal(faults.requestCount('read'), before, 'an answer that is late enough is not asked for again');
      const single = async (times: number): Promise<number> => {
        await advance(1_000);
        const start = faults.requestCount('read');
        const since = now();
        await Promise.all(Array.from({ length: times }, () => connector.readUnits(since)));
        return faults.requestCount('read') - start;
      };
      assert.equal(await single(5), await single(1));
    },
  );
}
