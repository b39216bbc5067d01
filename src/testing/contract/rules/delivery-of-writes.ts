import assert from 'node:assert/strict';
import {
  addSimple,
  createOf,
  failure,
  mark,
  readOne,
  refusal,
  simpleProduct,
  sizedProduct,
  stockWrite,
  updateOf,
  value,
  writeOne,
  writeStockOne,
} from '../fixtures.ts';
import type { ContractHarness, InjectedFault } from '../harness.ts';
import type { Rule } from '../rule.ts';
import { allReads, FOREVER } from './failures.ts';

/** Faults after which nobody knows whether a write happened. */
const UNKNOWING: readonly InjectedFault[] = (['server_error', 'timeout', 'connection_lost'] as const).flatMap(
  (type) => [
    { type, when: 'before' as const },
    { type, when: 'after' as const },
  ],
);

const nameOf = (fault: InjectedFault) => ('when' in fault ? `${fault.type} ${fault.when} it is applied` : fault.type);

/** [C8] [C9]: what may be repeated, what may not, and how long is waited. */
export function deliveryOfWritesRules(rule: Rule): void {
  for (const fault of UNKNOWING) {
    rule(
      `[C8] [C9] a stock write that meets ${nameOf(fault)} is unknown_outcome and is not repeated`,
      { faults: [fault.type], abilities: ['request_counts'] },
      async (harness) => {
        const { connector, faults, shop } = harness;
        const record = await addSimple(harness, 10);
        const sentBefore = faults.requestCount('write');
        faults.inject(fault, { on: 'write', times: FOREVER });
        refusal(await writeStockOne(connector, stockWrite(record.stockId, 10, 4)), ['unknown_outcome']);
        assert.equal(faults.requestCount('write') - sentBefore, 1, 'sent once');
        faults.clear();
        assert.equal(await shop.quantity(record.stockId), 'when' in fault && fault.when === 'after' ? 4 : 10);
      },
    );

    rule(
      `[C8] [C9] an update that meets ${nameOf(fault)} is unknown_outcome and is not repeated`,
      { faults: [fault.type], abilities: ['request_counts'] },
      async (harness) => {
        const { connector, faults } = harness;
        const record = await addSimple(harness);
        const seen = await readOne(connector, record.externalId);
        const sentBefore = faults.requestCount('write');
        faults.inject(fault, { on: 'write', times: FOREVER });
        refusal(await writeOne(connector, updateOf(seen, { fields: { title: 'Perhaps' } })), ['unknown_outcome']);
        assert.equal(faults.requestCount('write') - sentBefore, 1, 'sent once');
        faults.clear();
        const { title } = (await readOne(connector, record.externalId)).fields;
        assert.equal(title, 'when' in fault && fault.when === 'after' ? 'Perhaps' : seen.fields.title);
      },
    );

    rule(
      `[C8] [C18] a create that meets ${nameOf(fault)} is unknown_outcome, and its mark tells whether it happened`,
      { faults: [fault.type] },
      async (harness) => {
        const { connector, faults, now } = harness;
        const startedAt = now() - 60_000;
        const bearing = mark();
        const firedBefore = faults.firedCount();
        faults.inject(fault, { on: 'write' });
        refusal(await writeOne(connector, createOf(simpleProduct(), bearing)), ['unknown_outcome']);
        assert.ok(faults.firedCount() > firedBefore);
        faults.clear();
        const found = await connector.findByMark(bearing, startedAt);
        if ('when' in fault && fault.when === 'before') assert.equal(found, null);
        else assert.deepEqual(found?.marks, [bearing]);
      },
    );
  }

  rule(
    '[C8] a create of several requests that is cut off after any of them is never called a success',
    { faults: ['timeout'] },
    async (harness) => {
      const { connector, faults, now } = harness;
      const startedAt = now() - 60_000;
      for (let skip = 0; skip < 6; skip += 1) {
        const bearing = mark();
        const firedBefore = faults.firedCount();
        faults.inject({ type: 'timeout', when: 'after' }, { on: 'write', skip });
        const outcome = await writeOne(connector, createOf(sizedProduct(3), bearing));
        const hasFired = faults.firedCount() > firedBefore;
        faults.clear();
        if (!hasFired) {
          assert.ok(outcome.ok, 'no fault, no failure');
          return;
        }
        refusal(outcome, ['unknown_outcome']);
        const found = await connector.findByMark(bearing, startedAt);
        assert.ok(found, `the record of a create that was cut off after request ${skip + 1} can be found by its mark`);
      }
    },
  );

  rule(
    '[C8] [C7] an unknown outcome of a batch is told of each of its writes',
    { faults: ['timeout'] },
    async (harness) => {
      const { connector, faults } = harness;
      const a = await addSimple(harness, 10);
      const b = await addSimple(harness, 20);
      faults.inject({ type: 'timeout', when: 'after' }, { on: 'write', times: FOREVER });
      const outcomes = await connector.writeStock([stockWrite(a.stockId, 10, 1), stockWrite(b.stockId, 20, 2)]);
      assert.equal(outcomes.length, 2);
      for (const outcome of outcomes) refusal(outcome, ['unknown_outcome']);
    },
  );

  rule(
    '[C8] an answer to a write that can’t be understood is not a success',
    { faults: ['malformed'] },
    async (harness) => {
      const { connector, faults } = harness;
      const record = await addSimple(harness);
      faults.inject({ type: 'malformed' }, { on: 'write', times: FOREVER });
      const error = refusal(await writeStockOne(connector, stockWrite(record.stockId, 10, 4)));
      assert.equal(error.kind, 'unknown_outcome', 'the platform may have done it');
    },
  );

  rule(
    '[C9] a 429 is waited out as the platform asks, and the write then happens once',
    { faults: ['rate_limited'] },
    async (harness) => {
      const { connector, faults, shop, now } = harness;
      const record = await addSimple(harness, 10);
      faults.inject({ type: 'rate_limited', retryAfterMs: 2_000 }, { on: 'write' });
      const startedAt = now();
      assert.deepEqual(await writeStockOne(connector, stockWrite(record.stockId, 10, 4)), { outcome: 'applied' });
      assert.ok(now() - startedAt >= 1_900, `waited ${now() - startedAt} ms`);
      assert.equal(await shop.quantity(record.stockId), 4);
    },
  );

  rule('[C9] a read waits out a 429 as the platform asks', { faults: ['rate_limited'] }, async (harness) => {
    const { connector, faults, now } = harness;
    const record = await addSimple(harness, 10);
    faults.inject({ type: 'rate_limited', retryAfterMs: 3_000 }, { on: 'any' });
    const startedAt = now();
    assert.equal((await readOne(connector, record.externalId)).externalId, record.externalId);
    assert.ok(now() - startedAt >= 2_900, `waited ${now() - startedAt} ms`);
  });

  rule(
    '[C9] when waiting would take longer than 30 s it fails at once, saying for how long',
    { faults: ['rate_limited'] },
    async (harness) => {
      const { connector, faults, now, shop } = harness;
      const record = await addSimple(harness, 10);
      faults.inject({ type: 'rate_limited', retryAfterMs: 90_000 }, { on: 'any', times: FOREVER });
      const startedAt = now();
      const error = await failure(() => connector.readStock([record.stockId]), ['rate_limited']);
      const wait = error.details.retryAfterMs ?? 0;
      assert.ok(wait > 80_000 && wait <= 90_000, `retryAfterMs ${wait}`);
      refusal(await writeStockOne(connector, stockWrite(record.stockId, 10, 4)), ['rate_limited']);
      assert.ok(now() - startedAt < 30_000, `took ${now() - startedAt} ms`);
      faults.clear();
      assert.equal(await shop.quantity(record.stockId), 10);
    },
  );

  for (const fault of [
    { type: 'server_error', when: 'before' },
    { type: 'timeout', when: 'before' },
    { type: 'connection_lost', when: 'before' },
  ] as const) {
    rule(`[C9] a read is repeated when ${fault.type} passes`, { faults: [fault.type] }, async (harness) => {
      const { connector, faults } = harness;
      for (const [name, call] of await allReads(harness)) {
        const firedBefore = faults.firedCount();
        faults.inject(fault, { on: 'any' });
        await call(connector).catch((reason: unknown) => {
          throw new Error(`${name}: ${String(reason)}`);
        });
        assert.ok(faults.firedCount() > firedBefore, name);
        faults.clear();
      }
    });
  }

  rule(
    '[C9] a read is repeated only a few times',
    { faults: ['server_error'], abilities: ['request_counts'] },
    async (harness) => {
      const { connector, faults } = harness;
      const record = await addSimple(harness);
      const sent = () => faults.requestCount('read') + faults.requestCount('write');
      const before = sent();
      faults.inject({ type: 'server_error', when: 'before' }, { on: 'any', times: FOREVER });
      await failure(() => connector.readProducts([record.externalId]));
      assert.ok(sent() - before >= 2 && sent() - before <= 6, `${sent() - before} requests`);
    },
  );

  rule(
    '[C27] creates whose signal is aborted amid them: what was begun is answered, what was not is told and never made',
    { abilities: ['request_counts'] },
    async (harness) => {
      const { connector, now } = harness;
      const startedAt = now() - 60_000;
      // What a pair's very first create has to make beside it.
      assert.ok((await writeOne(connector, createOf(simpleProduct()))).ok);
      const marks = Array.from({ length: Math.min(8, connector.capabilities.writeBatchMax) }, mark);
      const work = new AbortController();
      const writing = connector.writeProducts(
        marks.map((bearing) => createOf(simpleProduct(), bearing)),
        work.signal,
        new AbortController().signal,
      );
      await abortOnceSent(harness, work);
      const outcomes = await writing;
      assert.ok(outcomes.some(({ ok }) => ok));
      for (const [i, outcome] of outcomes.entries()) {
        if (!outcome.ok) assert.equal(refusal(outcome, ['unavailable']).details.isCancelled, true);
        const found = await connector.findByMark(marks[i]!, startedAt);
        assert.equal(found !== null, outcome.ok);
      }
    },
  );

  rule(
    '[C27] a stock write that has left when its signal is aborted is answered',
    { abilities: ['request_counts'] },
    async (harness) => {
      const { connector, shop } = harness;
      const record = await addSimple(harness, 10);
      const work = new AbortController();
      const cut = new AbortController().signal;
      const writing = connector.writeStock([stockWrite(record.stockId, 10, 4)], work.signal, cut);
      await abortOnceSent(harness, work);
      assert.deepEqual(await writing, [{ outcome: 'applied' }]);
      assert.equal(await shop.quantity(record.stockId), 4);
    },
  );

  rule(
    '[C27] [C8] a write that was cut off is unknown_outcome',
    { abilities: ['request_counts'], faults: ['timeout'] },
    async (harness) => {
      const { connector, faults } = harness;
      const record = await addSimple(harness, 10);
      faults.inject({ type: 'timeout', when: 'after' }, { on: 'write' });
      const work = new AbortController();
      const cut = new AbortController();
      const writing = connector.writeStock([stockWrite(record.stockId, 10, 4)], work.signal, cut.signal);
      await abortOnceSent(harness, work);
      cut.abort();
      const [outcome] = await writing;
      refusal(outcome!, ['unknown_outcome']);
    },
  );

  rule('[C9] the platform never has to refuse us for being too fast', {}, async (harness, context) => {
    const { connector, faults } = harness;
    if (faults.ownThrottleCount() === null)
      return context.skip('ownThrottleCount: the store has no limit of its own, or it is not seen from here');
    const record = await addSimple(harness);
    const before = faults.ownThrottleCount();
    const answers = await Promise.all(Array.from({ length: 120 }, () => connector.readProducts([record.externalId])));
    assert.ok(answers.every((outcomes) => value(outcomes[0]).externalId === record.externalId));
    assert.equal(faults.ownThrottleCount(), before);
  });

  rule('[fence] nothing of ours lands later than fenceMs', {}, async ({ connector }) => {
    const { fenceMs } = connector.capabilities;
    assert.ok(Number.isFinite(fenceMs) && fenceMs > 0);
  });
}

async function abortOnceSent({ faults }: ContractHarness, work: AbortController): Promise<void> {
  const before = faults.requestCount('write');
  while (faults.requestCount('write') === before) await new Promise<void>((resolve) => setImmediate(resolve));
  work.abort();
}
