import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { askAgain, createInvalidator } from './ask-again.ts';

/** What the server has, and answers that are given at once and arrive when the test lets them. */
let stock: number;
let onTheirWay: (() => void)[];
let client: QueryClient;
let leave: () => void;

beforeEach(() => {
  stock = 7;
  onTheirWay = [];
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver<number>(client, {
    queryKey: ['records', 'one'],
    queryFn: ({ signal }) => {
      const answer = stock;
      return new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        onTheirWay.push(() => resolve(answer));
      });
    },
  });
  leave = observer.subscribe(() => undefined);
});
afterEach(() => {
  leave();
  client.clear();
});

/** The oldest answer on its way arrives. */
async function arrive(): Promise<void> {
  onTheirWay.shift()?.();
  await sleep(0);
}

/** How many are on their way. */
const asked = () => onTheirWay.length;

const shown = () => client.getQueryData<number>(['records', 'one']);

test('what happens while the first answer is on its way is seen, though that answer does not know it', async () => {
  stock = 6;
  const done = askAgain(client, { queryKey: ['records'] });
  await arrive();
  assert.equal(shown(), 7);
  await arrive();
  await done;
  assert.equal(shown(), 6);
  assert.equal(asked(), 0);
});

test('a later answer that is on its way is called off: the one that is shown was given afterwards', async () => {
  await arrive();
  void client.invalidateQueries();
  stock = 6;
  const done = askAgain(client);
  await arrive();
  assert.equal(shown(), 7, 'nobody waits for that one any more');
  await arrive();
  await done;
  assert.equal(shown(), 6);
});

test('messages that go on call off a slow answer once, and not again; the last of them is asked for, too', async () => {
  await arrive();
  const invalidate = createInvalidator(client);
  for (const left of [6, 5, 4, 3, 2, 1]) {
    stock = left;
    invalidate('records', 'overview');
    await sleep(150);
  }
  // The one that was called off, and the one that was asked for then.
  assert.equal(asked(), 2);
  await arrive();
  await arrive();
  assert.ok([5, 4, 3].includes(shown() ?? 0), String(shown()));
  while (asked() === 0) await sleep(5);
  await arrive();
  assert.equal(shown(), 1);
});
