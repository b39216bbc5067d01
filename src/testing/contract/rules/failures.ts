import assert from 'node:assert/strict';
import type { ConnectorError } from '../../../model/connector-error.ts';
import type { Finding } from '../../../model/store-info.ts';
import type { Connector } from '../../../ports/connector.ts';
import {
  addSimple,
  assertConnectorError,
  createOf,
  failure,
  mark,
  readOne,
  refusal,
  simpleProduct,
  stockWrite,
  updateOf,
  writeOne,
  writeStockOne,
} from '../fixtures.ts';
import type { ContractHarness, InjectedFault } from '../harness.ts';
import type { Rule } from '../rule.ts';

export const FOREVER = Number.POSITIVE_INFINITY;

/** Every fault that a read may meet for good, and the kinds that it may then fail with. */
export const READ_FAULTS: readonly { readonly fault: InjectedFault; readonly kinds: readonly string[] }[] = [
  { fault: { type: 'rate_limited', retryAfterMs: 120_000 }, kinds: ['rate_limited'] },
  { fault: { type: 'server_error', when: 'before' }, kinds: ['unavailable'] },
  { fault: { type: 'timeout', when: 'before' }, kinds: ['timeout'] },
  { fault: { type: 'connection_lost', when: 'before' }, kinds: ['unavailable', 'timeout'] },
  { fault: { type: 'malformed' }, kinds: ['malformed', 'unavailable'] },
  { fault: { type: 'html_404' }, kinds: ['malformed', 'unavailable', 'rejected'] },
];

export type Read = readonly [name: string, call: (connector: Connector) => Promise<unknown>];

/** Every read of the contract, on records that exist. */
export async function allReads(harness: ContractHarness): Promise<readonly Read[]> {
  const record = await addSimple(harness);
  const createdAfter = harness.now() - 60_000;
  const { cursor } = await harness.connector.listChanged(null);
  return [
    ['readProducts', (connector) => connector.readProducts([record.externalId])],
    ['readStock', (connector) => connector.readStock([record.stockId])],
    ['findByKeys', (connector) => connector.findByKeys(['sku:any-sku'])],
    ['findByMark', (connector) => connector.findByMark(mark(), createdAfter)],
    ['listChanged', (connector) => connector.listChanged(cursor)],
    [
      'scan',
      async (connector) => {
        for await (const page of connector.scan({ resume: null })) if (page.isComplete) return page;
        throw new Error('a scan that neither completed nor threw');
      },
    ],
  ];
}

/** Each finding has a code and words, and says what to do unless all is well there. */
function assertTold(findings: readonly Finding[]): void {
  for (const { code, level, message, remedy } of findings) {
    assert.match(code, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/);
    assert.ok(message.length > 0, code);
    if (level !== 'ok') assert.ok(remedy.length > 0, `${code} names the remedy`);
  }
}

/** [C1] [C5] [C14]: what a failing store looks like. */
export function failureRules(rule: Rule): void {
  for (const { fault, kinds } of READ_FAULTS) {
    rule(
      `[C1] [C5] every read fails with one of the eight kinds, never not_found, when the store answers ${fault.type}`,
      { faults: [fault.type] },
      async (harness) => {
        const { connector, faults } = harness;
        for (const [name, call] of await allReads(harness)) {
          const firedBefore = faults.firedCount();
          faults.inject(fault, { on: 'any', times: FOREVER });
          const error = await failure(() => call(connector), kinds).catch((reason: unknown) => {
            throw new Error(`${name}: ${String(reason)}`);
          });
          assert.notEqual(error.kind, 'not_found');
          // A connector that was told to wait may remember it, and need not ask again to know.
          const mayKnow = fault.type === 'rate_limited' && firedBefore > 0;
          assert.ok(mayKnow || faults.firedCount() > firedBefore, `${name} asked the store`);
          faults.clear();
        }
      },
    );

    rule(
      `[C14] the doctor never throws and reports an error when the store answers ${fault.type}`,
      { faults: [fault.type] },
      async ({ connector, faults }) => {
        faults.inject(fault, { on: 'any', times: FOREVER });
        const { info, findings } = await connector.inspect();
        assert.equal(info, null);
        assert.ok(
          findings.some((finding) => finding.level === 'error'),
          JSON.stringify(findings),
        );
        assertTold(findings);
      },
    );
  }

  rule(
    '[C14] the doctor of a sound store reads what it says about itself, and finds no error',
    {},
    async ({ connector, currency, now }) => {
      const { info, findings } = await connector.inspect();
      assert.ok(info);
      assert.equal(info.currency, currency);
      assert.ok(info.identity.length > 0 && info.version.length > 0 && info.timeZone.length > 0);
      assert.ok(['kg', 'g', 'lb', 'oz'].includes(info.weightUnit), info.weightUnit);
      assert.ok(info.locations.length >= 1);
      assert.ok(info.locations.every((location) => location.id !== ''));
      if (info.clockSkewMs !== null)
        assert.ok(Math.abs(info.clockSkewMs) < 10_000, `skew ${info.clockSkewMs} at ${now()}`);
      assertTold(findings);
      for (const { code, level, message } of findings) assert.notEqual(level, 'error', `${code}: ${message}`);
      const again = await connector.inspect();
      assert.equal(again.info?.identity, info.identity);
    },
  );

  for (const clockSkewMs of [-3_600_000, 3_600_000]) {
    rule(
      `[C14] the doctor tells a clock that is ${clockSkewMs / 3_600_000} h off, where it can tell`,
      { clockSkewMs },
      async ({ connector }) => {
        const { info, findings } = await connector.inspect();
        assert.ok(info);
        assertTold(findings);
        if (info.clockSkewMs !== null)
          assert.ok(Math.abs(info.clockSkewMs - clockSkewMs) < 10_000, String(info.clockSkewMs));
      },
    );
  }

  rule(
    '[C1] [C14] revoked credentials: reads and writes are unauthorized, the doctor says so, and all is well once they are restored',
    { abilities: ['revoke'] },
    async (harness) => {
      const { connector, shop } = harness;
      const reads = await allReads(harness);
      const record = await addSimple(harness);
      const seen = await readOne(connector, record.externalId);
      await shop.revokeCredentials();
      for (const [name, call] of reads) {
        await failure(() => call(connector), ['unauthorized']).catch((reason: unknown) => {
          throw new Error(`${name}: ${String(reason)}`);
        });
      }
      refusal(await writeStockOne(connector, stockWrite(record.stockId, 10, 3)), ['unauthorized']);
      refusal(await writeOne(connector, updateOf(seen, { fields: { title: 'Not allowed' } })), ['unauthorized']);
      refusal(await writeOne(connector, createOf(simpleProduct())), ['unauthorized']);
      const { info, findings } = await connector.inspect();
      assert.equal(info, null);
      assert.ok(findings.some((finding) => finding.level === 'error'));
      assertTold(findings);
      await shop.restoreCredentials();
      assert.equal((await readOne(connector, record.externalId)).fields.title, seen.fields.title);
      assert.equal(await shop.quantity(record.stockId), 10);
    },
  );

  rule(
    '[C1] a call that was aborted before it began fails as a ConnectorError and sends nothing',
    { abilities: ['request_counts'] },
    async (harness) => {
      const { connector, faults, shop } = harness;
      const record = await addSimple(harness);
      const seen = await readOne(connector, record.externalId);
      const aborted = AbortSignal.abort();
      const sentBefore = faults.requestCount('write');
      await failure(() => connector.readProducts([record.externalId], aborted));
      await failure(async () => {
        for await (const page of connector.scan({ resume: null, signal: aborted })) if (page.isComplete) break;
      });
      const outcomes = await connector.writeStock([stockWrite(record.stockId, 10, 1)], aborted).catch(asOutcome);
      refusal(outcomes[0]!);
      const updates = await connector
        .writeProducts([updateOf(seen, { fields: { title: 'Never' } })], aborted)
        .catch((error: unknown) => [{ ok: false as const, error: assertConnectorError(error) }]);
      refusal(updates[0]!);
      assert.equal(await shop.quantity(record.stockId), 10);
      assert.equal(faults.requestCount('write'), sentBefore);
    },
  );

  rule(
    '[health] counts what was asked and how it was answered',
    { faults: ['server_error', 'rate_limited'] },
    async (harness) => {
      const { connector, faults } = harness;
      const fresh = (harness.cannot.reopen ? connector : await harness.reopen()).health();
      if (!harness.cannot.reopen) {
        assert.equal(fresh.lastErrorAt, null);
        assert.equal(fresh.lastErrorKind, null);
        assert.equal(fresh.failureCount, 0);
      }
      const record = await addSimple(harness);
      await readOne(connector, record.externalId);
      const good = connector.health();
      assert.ok(good.callCount > 0);
      assert.ok(good.lastContactAt !== null);
      assert.ok(good.latencyP50Ms !== null && good.latencyP99Ms !== null && good.latencyP50Ms <= good.latencyP99Ms);
      faults.inject({ type: 'server_error', when: 'before' }, { on: 'any', times: FOREVER });
      await failure(() => connector.readProducts([record.externalId]));
      faults.clear();
      const bad = connector.health();
      assert.ok(bad.failureCount > good.failureCount);
      assert.equal(bad.lastErrorKind, 'unavailable');
      assert.ok(bad.lastErrorAt !== null && bad.callCount > good.callCount);
      faults.inject({ type: 'rate_limited', retryAfterMs: 1_000 }, { on: 'any' });
      await readOne(connector, record.externalId);
      assert.ok(connector.health().throttledCount > bad.throttledCount);
    },
  );
}

function asOutcome(error: unknown): { outcome: 'failed'; error: ConnectorError }[] {
  return [{ outcome: 'failed', error: assertConnectorError(error) }];
}
