import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchTotp, newTotpSecret, totpAddress, totpCode, totpStep } from './totp.ts';

/** "12345678901234567890" in base 32: the key of RFC 6238's test vectors. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test("the codes are RFC 6238's, cut to six digits", () => {
  const vectors: [number, string][] = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ];
  for (const [seconds, code] of vectors) assert.equal(totpCode(RFC_SECRET, totpStep(seconds * 1000)), code);
});

test('a code is good half a minute early or late, once, and never again', () => {
  const now = 1_800_000_000_000;
  const step = totpStep(now);
  for (const drift of [-1, 0, 1])
    assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step + drift), now, null), step + drift);
  for (const drift of [-2, 2]) assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step + drift), now, null), null);
  const code = totpCode(RFC_SECRET, step);
  assert.equal(matchTotp(RFC_SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, now, null), step, 'as people type it');
  assert.equal(matchTotp(RFC_SECRET, code, now, step), null, 'used');
  assert.equal(matchTotp(RFC_SECRET, totpCode(RFC_SECRET, step - 1), now, step), null, 'older than a used one');
  for (const wrong of ['', '12345', '1234567', 'abcdef', `${code}0`])
    assert.equal(matchTotp(RFC_SECRET, wrong, now, null), null);
});

test('secrets are 160 random bits, and apps can read the address', () => {
  const secrets = new Set(Array.from({ length: 100 }, newTotpSecret));
  assert.equal(secrets.size, 100);
  for (const secret of secrets) assert.match(secret, /^[A-Z2-7]{32}$/);
  const url = new URL(totpAddress(RFC_SECRET, 'Twinshelf', 'ada+x@example.com'));
  assert.equal(url.protocol, 'otpauth:');
  assert.equal(url.searchParams.get('secret'), RFC_SECRET);
  assert.equal(decodeURIComponent(url.pathname), '/Twinshelf:ada+x@example.com');
});
