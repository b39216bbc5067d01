import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../model/refusal.ts';
import { nameAddressFault } from './address-fault.ts';

const finding = (code: string, level: 'ok' | 'error' = 'error') => ({
  code,
  level,
  message: 'No.',
  remedy: 'Mend it.',
});
const refusal = (...findings: readonly object[]) => new Refusal('STORE_CHECK_FAILED', 'No. Mend it.', { findings });

test('a store that can not be reached is a fault of the address field, on either platform', () => {
  for (const [platform, field] of [
    ['woocommerce', 'url'],
    ['shopify', 'shopDomain'],
  ] as const) {
    const named = nameAddressFault(refusal(finding('REACHABLE', 'ok'), finding('UNREACHABLE')), platform);
    assert.ok(named instanceof Refusal);
    assert.deepEqual(named.details['fields'], [{ field, message: `${field}: No. Mend it.` }]);
    assert.equal(named.message, 'No. Mend it.');
  }
});

test('what is about more than the address, or about something else, is left as it is', () => {
  const others = [
    refusal(finding('SECRET_WRONG')),
    refusal(finding('UNREACHABLE'), finding('KEY_READ_ONLY')),
    refusal(),
    new Refusal('STORE_ALREADY_CONNECTED', 'It is.'),
    new Error('a bug'),
  ];
  for (const error of others) assert.equal(nameAddressFault(error, 'woocommerce'), error);
});
