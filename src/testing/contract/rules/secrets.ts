import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ConnectorError } from '../../../model/connector-error.ts';
import { addSimple, createOf, simpleProduct, stockWrite } from '../fixtures.ts';
import type { Rule } from '../rule.ts';
import { allReads, FOREVER, READ_FAULTS } from './failures.ts';

/** A credential and the forms that it takes on its way: as it is, in a URL, in Base64, in a Basic header. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [...new Set([secret, encodeURIComponent(secret), base64])].filter((form) => form.length >= 8);
}

/** [C12]: credentials stay where they belong. */
export function secretRules(rule: Rule): void {
  rule('[C12] no error, log line or URL carries a credential, whatever happens', {}, async (harness) => {
    const { connector, faults, shop, secrets, cannot } = harness;
    const texts: string[] = [];
    const keep = (thing: unknown): void => {
      // Depth and hidden members too: an error's cause, stack and details all reach logs.
      texts.push(inspect(thing, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null }));
      if (thing instanceof ConnectorError) texts.push(thing.message, thing.stack ?? '', JSON.stringify(thing.details));
    };
    const attempt = async (call: () => Promise<unknown>): Promise<void> => {
      await call().then(keep, keep);
    };
    const reads = await allReads(harness);
    const record = await addSimple(harness);
    const everything = async (): Promise<void> => {
      for (const [, call] of reads) await attempt(() => call(connector));
      await attempt(() => connector.inspect());
      await attempt(() => connector.writeStock([stockWrite(record.stockId, 10, 9)]));
      await attempt(() => connector.writeProducts([createOf(simpleProduct())]));
    };
    await everything();
    if (!cannot.faults) {
      for (const { fault } of READ_FAULTS.filter((entry) => faults.supported.includes(entry.fault.type))) {
        faults.inject(fault, { on: 'any', times: FOREVER });
        await everything();
        faults.clear();
      }
    }
    if (!cannot.revoke) {
      await shop.revokeCredentials();
      await everything();
      await shop.restoreCredentials();
    }
    keep(connector.health());
    keep(connector.capabilities);
    if (!cannot.capture) texts.push(...harness.captured());
    const forms = secrets.flatMap(formsOf);
    const leaks = texts.filter((text) => forms.some((form) => text.includes(form)));
    assert.deepEqual(
      leaks.map((text) => text.slice(0, 300)),
      [],
    );
  });
}
