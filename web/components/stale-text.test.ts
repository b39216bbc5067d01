import assert from 'node:assert/strict';
import { test } from 'node:test';
import { staleText } from './stale-text.ts';

test('values that stay say from when they are, and what the server said if it did', () => {
  const at = new Date(2026, 10, 21, 9, 42, 31).getTime();
  const now = new Date(2026, 10, 21, 9, 50);
  const refused = (status: number) => Object.assign(new Error('The store could not be reached.'), { status });
  assert.equal(staleText(refused(0), at, now), 'As of 09:42:31. Reconnecting.');
  assert.equal(staleText(new TypeError('network error'), at, now), 'As of 09:42:31. Reconnecting.');
  assert.equal(staleText(refused(422), at, now), 'As of 09:42:31. The store could not be reached.');
  assert.equal(staleText(refused(503), at, now), 'As of 09:42:31. The store could not be reached.');
  assert.match(staleText(refused(0), at, new Date(2026, 10, 22, 9, 50)), /^As of .*21.*, 09:42\. Reconnecting\.$/);
});

test('values that the browser kept from an earlier visit were never answered: no moment is made up for them', () => {
  assert.equal(staleText(new TypeError('network error'), 0), 'As this browser remembers it. Reconnecting.');
});
