import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qrModules } from './qr-code.ts';

const ADDRESS =
  'otpauth://totp/Twinshelf:ida%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Twinshelf&algorithm=SHA1&digits=6&period=30';

function drawn(text: string): string {
  return (qrModules(text) ?? []).map((row) => row.map((dark) => (dark ? '#' : '.')).join('')).join('\n');
}

/** Of pictures that an independent reader (jsQR) has read back to the letter, as it did those of every third length up to the longest. */
const DIGESTS = ['0b2a5ded825360b8', '9c8931470510a639', '9bda640410374b12'];

test('pictures are those that were read back', () => {
  const shortest = drawn('a');
  assert.equal(shortest.split('\n').length, 21);
  const digest = (text: string) => createHash('sha256').update(drawn(text)).digest('hex').slice(0, 16);
  assert.deepEqual(['a', ADDRESS, 'é'.repeat(200)].map(digest), DIGESTS);
});

test('three corners show a reader where the picture is', () => {
  const rows = drawn(ADDRESS).split('\n');
  const last = rows.length - 7;
  for (const [x, y] of [
    [0, 0],
    [last, 0],
    [0, last],
  ] as const) {
    const corner = rows.slice(y, y + 7).map((row) => row.slice(x, x + 7));
    assert.deepEqual(corner, ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']);
  }
});

test('an address that is too long for a phone to read has no picture', () => {
  assert.notEqual(qrModules('a'.repeat(660)), null);
  assert.equal(qrModules('a'.repeat(700)), null);
});
