import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTestApp } from '../testing/http/make-test-app.ts';
import { findLongArray, ITEMS_MAX } from './find-long-array.ts';

test('a long array is found wherever it stands', () => {
  const long = Array.from({ length: ITEMS_MAX + 1 }, () => 0);
  assert.equal(findLongArray(long), '');
  assert.equal(findLongArray({ a: [1, { 'b/c': long }] }), '/a/1/b~1c');
  assert.equal(findLongArray({ a: long.slice(1), b: 'x', c: null }), null);
});

test('a body with a hundred thousand elements is refused at once, and it is said where they stand', async () => {
  await using app = await makeTestApp();
  const { headers } = app.person({ role: 'owner' });
  const send = (events: unknown) =>
    app.server.inject({
      method: 'POST',
      url: '/api/webhook-endpoints',
      headers,
      payload: { url: 'https://x.example', events },
    });
  const short = await send(Array.from({ length: ITEMS_MAX }, () => 0));
  assert.match(JSON.stringify(short.json().error.details.fields), /events\.0/, 'by the contract');
  // Its elements are not looked at: one by one that takes a third of a second.
  const reply = await send(Array.from({ length: 120_000 }, () => 0));
  assert.equal(reply.statusCode, 422);
  assert.deepEqual(reply.json().error.details.fields, [{ field: 'events', message: 'events: must name at most 1000' }]);
});
