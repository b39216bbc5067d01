import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findJob } from '../db/readers/jobs.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../lib/time.ts';
import type { PairId, StoreId } from '../model/ids.ts';
import type { Schedule } from '../model/pair.ts';
import { HandClock, memoryLog } from '../testing/support/hand-clock.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { nextTime } from './recurrence.ts';
import { dueWork, type ScheduledPair } from './schedule.ts';
import { createScheduler } from './scheduler.ts';

const NOON = Date.UTC(2026, 2, 28, 12, 0, 0);
const BERLIN = 'Europe/Berlin';

function pair(syncSchedule: Schedule, change: Partial<ScheduledPair> = {}): ScheduledPair {
  return {
    id: 'pair_1' as PairId,
    status: 'active',
    settings: { syncSchedule, syncInterval: 15 },
    timeZone: BERLIN,
    linkedAt: NOON,
    ...change,
  };
}

function keysAt(nowMs: number, one: ScheduledPair, lastAt: [string, number][] = []): readonly string[] {
  return dueWork({ pairs: [one], stores: [], lastAt: new Map(lastAt), since: nowMs, nowMs }).jobs.map(({ key }) => key);
}

describe('nextTime', () => {
  test('nightly is between 2 and 5 on the wall clock of the zone, also across the change to summer time', () => {
    for (const spread of ['a', 'b', 'pair_7', 'pair_8']) {
      let at = NOON;
      for (let night = 0; night < 4; night++) {
        at = nextTime({ type: 'nightly', timeZone: BERLIN }, at, spread);
        const hour = Number(
          new Intl.DateTimeFormat('en', { timeZone: BERLIN, hour: 'numeric', hour12: false }).format(at),
        );
        assert.ok(hour >= 2 && hour < 5, `${spread}: ${isoTime(at)} is ${hour}`);
      }
      assert.ok(at > NOON + 3 * DAY_MS && at < NOON + 4 * DAY_MS);
    }
  });

  test('hourly comes every hour at one minute; weekly every week; pairs are spread', () => {
    const hourly = { type: 'hourly', timeZone: 'UTC' } as const;
    const first = nextTime(hourly, NOON, 'x');
    assert.equal(nextTime(hourly, first, 'x') - first, HOUR_MS);
    const weekly = { type: 'weekly', timeZone: 'Asia/Kathmandu' } as const;
    const sunday = nextTime(weekly, NOON, 'x');
    assert.equal(nextTime(weekly, sunday, 'x') - sunday, 7 * DAY_MS);
    const minutes = new Set(Array.from({ length: 100 }, (_, i) => nextTime(hourly, NOON, `pair_${i}`)));
    assert.ok(minutes.size > 30);
  });

  test('a zone that is none is read as UTC', () => {
    const at = nextTime({ type: 'daily', timeZone: 'UTC+2' }, NOON, 'x');
    assert.equal(at, nextTime({ type: 'daily', timeZone: 'UTC' }, NOON, 'x'));
  });
});

describe('dueWork', () => {
  test('a realtime pair is polled every interval and reconciled at night', () => {
    assert.deepEqual(keysAt(NOON + 14 * MINUTE_MS, pair('realtime')), []);
    assert.deepEqual(keysAt(NOON + 15 * MINUTE_MS, pair('realtime')), ['poll_pair:pair_1']);
    const morning = NOON + 18 * HOUR_MS;
    assert.deepEqual(keysAt(morning, pair('realtime'), [['poll_pair:pair_1', morning]]), ['reconcile_pair:pair_1']);
  });

  test('a manual, paused, halted or unlinked pair has nothing due', () => {
    const later = NOON + 30 * DAY_MS;
    assert.deepEqual(keysAt(later, pair('manual')), []);
    assert.deepEqual(keysAt(later, pair('realtime', { status: 'paused' })), []);
    assert.deepEqual(keysAt(later, pair('hourly', { status: 'halted' })), []);
    assert.deepEqual(keysAt(later, pair('daily', { linkedAt: null })), []);
  });

  test('times missed while the server was off are caught up once', () => {
    const later = NOON + 30 * DAY_MS;
    assert.deepEqual(keysAt(later, pair('hourly')), ['scheduled_sync:pair_1']);
    assert.deepEqual(keysAt(later, pair('hourly'), [['scheduled_sync:pair_1', later]]), []);
  });

  test('a clock that was set back does not silence the schedule', () => {
    const last: [string, number][] = [['poll_pair:pair_1', NOON + 365 * DAY_MS]];
    assert.deepEqual(keysAt(NOON, pair('realtime'), last), ['poll_pair:pair_1']);
  });

  test('connected stores have their webhooks checked, others not', () => {
    const stores = [
      { id: 'str_1' as StoreId, isConnected: true, createdAt: NOON },
      { id: 'str_2' as StoreId, isConnected: false, createdAt: NOON },
    ];
    const nowMs = NOON + HOUR_MS;
    const { jobs } = dueWork({ pairs: [], stores, lastAt: new Map(), since: nowMs, nowMs });
    assert.deepEqual(
      jobs.map(({ key }) => key),
      ['ensure_webhooks:str_1'],
    );
  });
});

test('the scheduler enqueues by the clock and remembers across a restart', async () => {
  const db = openMemoryDatabase();
  const clock = new HandClock();
  const pairs = [pair('realtime', { linkedAt: clock.now() })];
  const options = { db, clock, log: memoryLog(), listPairs: () => pairs, listStores: () => [] };
  const scheduler = createScheduler(options);
  scheduler.start();
  await clock.advance(15 * MINUTE_MS - 1);
  assert.equal(findJob(db, 'poll_pair:pair_1'), null);
  await clock.advance(1);
  assert.equal(findJob(db, 'poll_pair:pair_1')?.runAt, clock.now());
  scheduler.stop();
  db.connection.exec('DELETE FROM job');
  const next = createScheduler(options);
  next.start();
  await clock.advance(MINUTE_MS);
  assert.equal(findJob(db, 'poll_pair:pair_1'), null);
  await clock.advance(14 * MINUTE_MS);
  assert.ok(findJob(db, 'poll_pair:pair_1'));
  next.stop();
});
