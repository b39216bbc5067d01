import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Db, transact } from '../db/database.ts';
import { listEventsAfter } from '../db/readers/events.ts';
import { sumUsage } from '../db/readers/usage.ts';
import { pruneUsage } from '../db/writers/usage.ts';
import { insertWorkspace } from '../db/writers/workspaces.ts';
import { HOUR_MS } from '../lib/time.ts';
import type { WorkspaceId } from '../model/ids.ts';
import { monthStart, periodStart, type UsageLimits, usageLevel, usageMessage } from '../model/usage.ts';
import { VirtualClock } from '../testing/simulator/virtual-clock.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestLog, type TestLog } from '../testing/support/test-log.ts';
import { createUsageCounter, FLUSH_MS, type UsageCounter } from './usage-counter.ts';

const HARBOUR = 'ws_harbour' as WorkspaceId;
const OTHER = 'ws_other' as WorkspaceId;
const DEMO = 'ws_demo' as WorkspaceId;
/** One second before ten. */
const START = Date.UTC(2026, 0, 31, 9, 59, 59);

let db: Db;
let clock: VirtualClock;
let log: TestLog;

beforeEach(() => {
  db = openMemoryDatabase();
  clock = new VirtualClock(START);
  log = makeTestLog();
  transact(db, (tx) => {
    for (const id of [HARBOUR, OTHER, DEMO])
      insertWorkspace(tx, { id, name: id, isDemo: id === DEMO, createdAt: START });
  });
});
afterEach(() => db.connection.close());

function start(limits: UsageLimits = { api_calls: 10 }): UsageCounter {
  return createUsageCounter({ db, clock, log, limits });
}

function call(counter: UsageCounter, times: number, workspaceId = HARBOUR): void {
  for (let n = 0; n < times; n += 1) counter.count(workspaceId, 'api_calls');
}

const stored = (since: number, workspaceId = HARBOUR) => sumUsage(db, workspaceId, 'api_calls', since);
const messages = (workspaceId = HARBOUR) =>
  listEventsAfter(db, workspaceId, 0, 100).map(({ type, payload }) => {
    assert.equal(type, 'usage_alert');
    return (payload as { message: string }).message;
  });

test('levels: above 80 percent, above the limit; without a limit never', () => {
  assert.deepEqual(
    [0, 800, 801, 1_000, 1_001].map((count) => usageLevel(count, 1_000)),
    [null, null, 'warning', 'warning', 'exceeded'],
  );
  assert.equal(usageLevel(1, 1), 'warning');
  assert.equal(usageLevel(1_000_000, null), null);
});

test('hours and months begin by UTC, and the words say which one is meant', () => {
  assert.equal(periodStart('hour', START), Date.UTC(2026, 0, 31, 9));
  assert.equal(periodStart('month', START), Date.UTC(2026, 0, 1));
  assert.equal(monthStart(Date.UTC(2024, 1, 29, 23, 59)), Date.UTC(2024, 1, 1));
  assert.equal(monthStart(Date.UTC(2026, 11, 1)), Date.UTC(2026, 11, 1));
  const usage = { kind: 'api_calls', since: Date.UTC(2026, 0, 31, 9), count: 801, limit: 1_000 } as const;
  const when = 'in the hour from 2026-01-31 09:00 UTC';
  assert.equal(usageMessage(usage, 'warning'), `API calls approaching limit: 801 of 1,000 ${when}`);
  assert.equal(
    usageMessage({ ...usage, count: 1_001 }, 'exceeded'),
    `API calls exceeded the limit: 1,001 of 1,000 ${when}`,
  );
});

test('many calls are one write, each counts in the hour in which it was made, and an hour begins at nothing', async () => {
  let commits = 0;
  db.hooks.afterCommit.add(() => {
    commits += 1;
  });
  const counter = start();
  call(counter, 7);
  await clock.runFor(2_000);
  call(counter, 6);
  assert.equal(commits, 0, 'nothing is written while it is called');
  await clock.runFor(FLUSH_MS);
  assert.equal(commits, 1);
  assert.equal(stored(Date.UTC(2026, 0, 31, 10)), 6);
  assert.equal(stored(Date.UTC(2026, 0, 31, 9)), 13);
  assert.deepEqual(messages(), [], 'no hour came near the limit');
  await clock.runFor(HOUR_MS);
  assert.equal(commits, 1, 'nothing is written while nobody calls');
});

test('each level is told once in its hour, not again after a restart, and anew in the next hour', async () => {
  await clock.runFor(1_000);
  let counter = start();
  call(counter, 9);
  counter.stop();
  counter = start();
  call(counter, 1);
  await clock.runFor(FLUSH_MS);
  assert.deepEqual(messages(), ['API calls approaching limit: 9 of 10 in the hour from 2026-01-31 10:00 UTC']);
  call(counter, 1);
  await clock.runFor(FLUSH_MS);
  counter.stop();
  counter = start();
  call(counter, 50);
  await clock.runFor(FLUSH_MS);
  assert.deepEqual(messages().slice(1), [
    'API calls exceeded the limit: 11 of 10 in the hour from 2026-01-31 10:00 UTC',
  ]);
  await clock.runFor(HOUR_MS);
  call(counter, 30);
  await clock.runFor(FLUSH_MS);
  assert.deepEqual(
    messages().slice(2),
    ['API calls exceeded the limit: 30 of 10 in the hour from 2026-01-31 11:00 UTC'],
    'who is past the limit at once is not told that it comes near',
  );
});

test('workspaces are counted apart; demo visitors are told nothing, and where there is no limit nobody is', async () => {
  const counter = start();
  call(counter, 11);
  call(counter, 2, OTHER);
  call(counter, 99, DEMO);
  call(counter, 5, 'ws_deleted' as WorkspaceId);
  await clock.runFor(FLUSH_MS);
  assert.deepEqual(
    [stored(0), stored(0, OTHER), stored(0, DEMO), stored(0, 'ws_deleted' as WorkspaceId)],
    [11, 2, 99, 0],
  );
  assert.deepEqual([messages().length, messages(OTHER).length, messages(DEMO).length], [1, 0, 0]);
  const unlimited = start({ api_calls: null });
  call(unlimited, 5_000, OTHER);
  unlimited.stop();
  assert.equal(stored(0, OTHER), 5_002);
  assert.deepEqual(messages(OTHER), []);
});

test('what could not be stored is stored with what comes next', async () => {
  const counter = start();
  db.hooks.beforeCommit = () => {
    throw new Error('disk full');
  };
  call(counter, 3);
  await clock.runFor(FLUSH_MS);
  assert.match(log.text(), /usage could not be stored/);
  assert.equal(stored(0), 0);
  db.hooks.beforeCommit = null;
  call(counter, 2);
  await clock.runFor(FLUSH_MS);
  assert.equal(stored(0), 5);
});

test('old hours are forgotten, in portions', () => {
  const counter = start();
  call(counter, 3);
  counter.stop();
  const prune = (before: number) => transact(db, (tx) => pruneUsage(tx, before, 10));
  assert.equal(prune(Date.UTC(2026, 0, 31, 9)), 0);
  assert.equal(prune(Date.UTC(2026, 0, 31, 9) + 1), 1);
  assert.equal(stored(0), 0);
});
