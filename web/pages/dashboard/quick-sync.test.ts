import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../api/api-error.ts';
import { readyPairs, unstartedWords } from './quick-sync.ts';

const pair = (_id: string, status: 'active' | 'paused' = 'active') => ({ _id, status });

test('a store is synced with every one of its pairs that works', () => {
  const pairs = [pair('a'), pair('b'), pair('c', 'paused'), pair('d')];
  assert.deepEqual(readyPairs(pairs, ['b', 'c', 'd']), [pair('b'), pair('d')]);
  assert.deepEqual(readyPairs(pairs, []), []);
});

test('what could not be started is told once, counted, with each reason once', () => {
  const started = { status: 'fulfilled', value: null } as const;
  const refused = (message: string) => {
    const reason = new ApiError(409, { code: 'CONFLICT', message, details: {}, requestId: '' });
    return { status: 'rejected', reason } as const;
  };
  const unknown = { status: 'rejected', reason: new TypeError('?') } as const;
  assert.equal(unstartedWords([started, started]), null);
  assert.equal(unstartedWords([refused('It is halted.')]), 'Could not start the sync. It is halted.');
  assert.equal(unstartedWords([unknown]), 'Failed to start manual sync. Please try again.');
  assert.equal(
    unstartedWords([refused('It is halted.'), started, refused('It is paused.'), refused('It is halted.')]),
    'Could not start 3 of 4 syncs. It is halted. It is paused.',
  );
  assert.equal(unstartedWords([unknown, started]), 'Could not start 1 of 2 syncs. Please try again.');
});
