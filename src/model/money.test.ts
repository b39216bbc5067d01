import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMinor, minorDigits, parseMinor } from './money.ts';

const CURRENCIES = ['JPY', 'EUR', 'KWD'] as const;

test('[B7] amounts are whole minor units, with as many digits as their currency has', () => {
  assert.deepEqual(CURRENCIES.map(minorDigits), [0, 2, 3]);
  assert.equal(minorDigits('jpy'), 0);
  const rows: readonly (readonly [string, string, number | null])[] = [
    ['19.99', 'EUR', 1999],
    ['19.9', 'EUR', 1990],
    ['19', 'EUR', 1900],
    ['1200', 'JPY', 1200],
    ['1200.4', 'JPY', 1200],
    ['1200.5', 'JPY', 1201],
    ['1.234', 'KWD', 1234],
    ['1.2345', 'KWD', 1235],
    ['0.005', 'EUR', 1],
    ['-0.005', 'EUR', -1],
    ['-0.001', 'EUR', 0],
    ['00012.50', 'EUR', 1250],
    ['90071992547409.91', 'EUR', Number.MAX_SAFE_INTEGER],
    ['90071992547409.92', 'EUR', null],
    ['1'.repeat(400), 'EUR', null],
  ];
  for (const [text, currency, minor] of rows) assert.equal(parseMinor(text, currency), minor, `${text} ${currency}`);
});

test('[B7] what is no plain amount is never guessed', () => {
  for (const text of [
    '',
    ' ',
    '19,99',
    '1.999,00',
    '1 000',
    '1e3',
    '+5',
    '.5',
    'abc',
    '5 €',
    'NaN',
    '0x10',
    '١٢',
    '5.0.0',
  ])
    assert.equal(parseMinor(text, 'EUR'), null, `"${text}"`);
});

test('[B7] laws of money: what is written reads back as it was, in every currency', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), fc.maxSafeInteger(), (currency, minor) => {
      const text = formatMinor(minor, currency);
      assert.equal(parseMinor(text, currency), minor === 0 ? 0 : minor);
      assert.equal(
        formatMinor(parseMinor(text, currency) ?? Number.NaN, currency),
        text,
        'and is written the same again',
      );
      assert.equal(text.split('.')[1]?.length ?? 0, minorDigits(currency));
    }),
  );
});

test('[B7] laws of money: longer fractions are rounded to the nearest, half away from zero', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), fc.nat(10_000_000), fc.nat(99_999), (currency, whole, fraction) => {
      const digits = minorDigits(currency);
      const rest = String(fraction).padStart(5, '0');
      const minor = parseMinor(`${whole}.${rest}`, currency);
      const exact = BigInt(`${whole}${rest}`);
      const step = 10n ** BigInt(5 - digits);
      assert.equal(BigInt(minor ?? Number.NaN), (exact * 2n + step) / (step * 2n));
    }),
  );
});
