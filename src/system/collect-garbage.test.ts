import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from './collect-garbage.ts';

test('what nobody holds is collected at once, and the collector is not left lying about', async () => {
  const held = { name: 'held' };
  const [kept, dropped] = [new WeakRef(held), new WeakRef({ name: 'dropped' })];
  // What a weak reference leads to lives until the turn is over.
  await setImmediate();
  collectGarbage();
  assert.deepEqual([kept.deref(), dropped.deref()], [held, undefined]);
  assert.equal('gc' in globalThis, false);
});
