import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_IDLE_MINUTES } from '../../../src/demo/demo-service.ts';
import { DEMO_DATA } from './demo-words.ts';

test('how long demo data stays unused is said as it is', () => {
  assert.ok(DEMO_DATA.ends.includes(`after ${DEMO_IDLE_MINUTES} minutes`));
});

test('stores are counted as they are', () => {
  assert.equal(DEMO_DATA.loaded(3), 'Demo data loaded: 3 stores.');
  assert.equal(DEMO_DATA.loaded(1), 'Demo data loaded: 1 store.');
});
