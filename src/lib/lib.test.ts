import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { InvariantError, assert as invariant, present, unreachable } from './assert.ts';
import { chunks } from './chunks.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { fingerprint } from './hash.ts';
import { stableJson } from './stable-json.ts';
import { unended } from './unended.ts';

test('a broken invariant is thrown by its name', () => {
  invariant(true, 'holds');
  assert.equal(present(0, 'zero is a value'), 0);
  for (const broken of [
    () => invariant(false, 'the sky is up'),
    () => present(null, 'the sky is up'),
    () => present(undefined, 'the sky is up'),
  ])
    assert.throws(broken, (error: unknown) => error instanceof InvariantError && /the sky is up/.test(error.message));
  assert.throws(() => unreachable('x' as never), InvariantError);
});

test('pieces of a list are full but for the last, and make the list again', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (list, size) => {
      const pieces = chunks(list, size);
      assert.deepEqual(pieces.flat(), list);
      assert.ok(pieces.every((piece, i) => piece.length === size || (i === pieces.length - 1 && piece.length > 0)));
    }),
  );
});

test('a cursor comes back as it went; anything else is refused', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.maxSafeInteger())), (values) => {
      assert.deepEqual(
        decodeCursor(encodeCursor(values), values.length),
        values.map((value) => (Object.is(value, -0) ? 0 : value)),
      );
      assert.equal(decodeCursor(encodeCursor(values), values.length + 1), null);
    }),
  );
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const text of [
    '',
    '%%%',
    'AAAA',
    encode({ length: 1 }),
    encode([{}]),
    encode([null]),
    encode([1.5]),
    encode('a'),
  ])
    assert.equal(decodeCursor(text, 1), null, text);
  fc.assert(fc.property(fc.string(), (text) => void decodeCursor(text, 2)));
});

test('what is the same has the same fingerprint, in whatever order it was put together', () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, own]) => [key, shuffled(own)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(stableJson(shuffled(value)), stableJson(value));
      assert.equal(fingerprint(shuffled(value)), fingerprint(value));
      assert.deepEqual(JSON.parse(stableJson(value)), JSON.parse(JSON.stringify(value)));
    }),
  );
  assert.match(fingerprint(null), /^[0-9a-f]{32}$/);
  assert.notEqual(fingerprint([1, 2]), fingerprint([2, 1]), 'the order of a list counts');
  assert.notEqual(fingerprint('1'), fingerprint(1));
});

test('what a store says ends without its full stop, whether it has one or not', () => {
  for (const said of ['No access', 'No access.', 'No access. '])
    assert.equal(`${unended(said)}. Enter new keys.`, 'No access. Enter new keys.');
});
