import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { inOneTab } from './one-tab.ts';

const NAME = 'twinshelf-refresh';
const stored = new Map<string, string>();
const browser = Object.getOwnPropertyDescriptor(globalThis, 'navigator');

before(() => {
  // A page on plain http: no locks.
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  Object.assign(globalThis, { localStorage });
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
});
after(() => {
  mock.timers.reset();
  if (browser) Object.defineProperty(globalThis, 'navigator', browser);
  Object.assign(globalThis, { localStorage: undefined });
});
beforeEach(() => stored.clear());

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    mock.timers.tick(50);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Work that ends when the test says so. */
function makeWork() {
  const work = { isBegun: false, end: (): void => undefined };
  const run = (): Promise<void> => {
    work.isBegun = true;
    return new Promise((resolve) => {
      work.end = resolve;
    });
  };
  return { work, run };
}

test('without locks two that begin at once take turns', async () => {
  const [one, other] = [makeWork(), makeWork()];
  const both = Promise.all([inOneTab(one.run), inOneTab(other.run)]);
  await pass(100);
  assert.deepEqual([one.work.isBegun, other.work.isBegun].toSorted(), [false, true]);
  const [first, second] = one.work.isBegun ? [one, other] : [other, one];
  first.work.end();
  await pass(300);
  assert.equal(second.work.isBegun, true);
  second.work.end();
  await both;
  assert.equal(stored.has(NAME), false);
});

test('a lease that a closed tab left ends by itself, and one of another clock counts for nothing', async () => {
  stored.set(NAME, `${Date.now() + 5_000} gone`);
  const waiting = makeWork();
  const done = inOneTab(waiting.run);
  await pass(4_900);
  assert.equal(waiting.work.isBegun, false);
  await pass(300);
  assert.equal(waiting.work.isBegun, true);
  waiting.work.end();
  await done;
  stored.set(NAME, `${Date.now() + 3_600_000} ahead`);
  const next = makeWork();
  const nextDone = inOneTab(next.run);
  await pass(100);
  assert.equal(next.work.isBegun, true);
  next.work.end();
  await nextDone;
});

test('work that fails gives the lease back', async () => {
  const failing = assert.rejects(
    inOneTab(() => Promise.reject(new Error('no'))),
    /no/,
  );
  await pass(100);
  await failing;
  assert.equal(stored.has(NAME), false);
});
