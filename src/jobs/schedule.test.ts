import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transact } from '../db/database.ts';
import { listContactMessages } from '../db/readers/contact-messages.ts';
import { findJob } from '../db/readers/jobs.ts';
import { insertContactMessage } from '../db/writers/contact-messages.ts';
import { insertDelivery } from '../db/writers/deliveries.ts';
import { recordEvent } from '../db/writers/events.ts';
import { enqueueJob } from '../db/writers/jobs.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../lib/time.ts';
import type { ContactMessageId, PairId, StoreId, WorkspaceId } from '../model/ids.ts';
import type { HaltReason, Schedule } from '../model/pair.ts';
import { VirtualClock } from '../testing/simulator/virtual-clock.ts';
import { openMemoryDatabase } from '../testing/support/memory-database.ts';
import { makeTestLog } from '../testing/support/test-log.ts';
import { nextTime } from './recurrence.ts';
import { dueWork, type ScheduledPair, type ScheduledStore } from './schedule.ts';
import { actOnSchedule, createScheduler } from './scheduler.ts';
import { housekeepingTask } from './tasks/housekeeping.ts';

const NOON = Date.UTC(2026, 2, 28, 12, 0, 0);
const BERLIN = 'Europe/Berlin';

const WOO = 'str_1' as StoreId;
const SHOPIFY = 'str_2' as StoreId;

function pair(syncSchedule: Schedule, change: Partial<ScheduledPair> = {}): ScheduledPair {
  return {
    id: 'pair_1' as PairId,
    status: 'active',
    halt: null,
    storeIds: [WOO, SHOPIFY],
    settings: { syncSchedule, syncInterval: 15 },
    timeZone: BERLIN,
    linkedAt: NOON,
    ...change,
  };
}

function store(id: StoreId, isConnected = true, pollMinutesMax: number | null = null): ScheduledStore {
  return { id, isConnected, createdAt: NOON, pollMinutesMax };
}

/** Keys of what is due, housekeeping and checks of stores left aside. */
function keysAt(nowMs: number, pairs: readonly ScheduledPair[], lastAt: [string, number][] = []): readonly string[] {
  const stores = [store(WOO), store(SHOPIFY, false)];
  return dueWork({ pairs, stores, lastAt: new Map(lastAt), since: nowMs, nowMs })
    .actions.map(({ key }) => key)
    .filter((key) => !/^(?:webhooks|check):/.test(key));
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
  test('a realtime pair is reconciled at night, and its connected stores are polled every interval', () => {
    assert.deepEqual(keysAt(NOON + 14 * MINUTE_MS, [pair('realtime')]), []);
    assert.deepEqual(keysAt(NOON + 15 * MINUTE_MS, [pair('realtime')]), ['poll:str_1']);
    const morning = NOON + 18 * HOUR_MS;
    assert.deepEqual(keysAt(morning, [pair('realtime')], [['poll:str_1', morning]]), ['reconcile:pair_1']);
  });

  test('a store of several pairs is polled once, as often as the most eager asks', () => {
    const eager = pair('realtime', { id: 'pair_2' as PairId, settings: { syncSchedule: 'realtime', syncInterval: 5 } });
    assert.deepEqual(keysAt(NOON + 5 * MINUTE_MS, [pair('realtime'), eager]), ['poll:str_1']);
  });

  test('a store whose webhooks wait for visitors is polled as often as it needs, for realtime pairs alone', () => {
    const keys = (schedule: Schedule, nowMs: number) =>
      dueWork({ pairs: [pair(schedule)], stores: [store(WOO, true, 1)], lastAt: new Map(), since: nowMs, nowMs })
        .actions.map(({ key }) => key)
        .filter((key) => key.startsWith('poll:'));
    assert.deepEqual(keys('realtime', NOON + MINUTE_MS - 1), []);
    assert.deepEqual(keys('realtime', NOON + MINUTE_MS), ['poll:str_1']);
    assert.deepEqual(keys('hourly', NOON + MINUTE_MS), []);
  });

  test('a manual, paused, halted or unlinked pair has nothing due', () => {
    const later = NOON + 30 * DAY_MS;
    assert.deepEqual(keysAt(later, [pair('manual')]), []);
    assert.deepEqual(keysAt(later, [pair('realtime', { status: 'paused' })]), []);
    assert.deepEqual(keysAt(later, [pair('hourly', { status: 'halted' })]), []);
    assert.deepEqual(keysAt(later, [pair('daily', { linkedAt: null })]), []);
  });

  test('[G1] a halt that leaves stock alone leaves the polls, which bring sales, and no sync', () => {
    const later = NOON + 30 * DAY_MS;
    const halted = (reason: HaltReason, schedule: Schedule = 'realtime') =>
      keysAt(later, [
        pair(schedule, { status: 'halted', halt: { reason, side: 'shopify', count: 11, limit: 10, at: 0 } }),
      ]);
    for (const reason of ['mass_delete', 'mass_draft', 'mass_price_cut'] as const)
      assert.deepEqual([halted(reason), halted(reason, 'hourly')], [['poll:str_1'], []], reason);
    for (const reason of ['mass_zero', 'empty_listing', 'shrunken_listing'] as const)
      assert.deepEqual(halted(reason), [], reason);
  });

  test('times missed while the server was off are caught up once', () => {
    const later = NOON + 30 * DAY_MS;
    assert.deepEqual(keysAt(later, [pair('hourly')]), ['sync:pair_1']);
    assert.deepEqual(keysAt(later, [pair('hourly')], [['sync:pair_1', later]]), []);
  });

  test('a clock that was set back does not silence the schedule', () => {
    assert.deepEqual(keysAt(NOON, [pair('realtime')], [['poll:str_1', NOON + 365 * DAY_MS]]), ['poll:str_1']);
  });

  test('the doctor looks at connected stores once a day', () => {
    const nowMs = NOON + DAY_MS;
    const stores = [store(WOO), store(SHOPIFY, false)];
    const due = (lastAt: [string, number][]) =>
      dueWork({ pairs: [], stores, lastAt: new Map(lastAt), since: nowMs, nowMs }).actions.map(({ key }) => key);
    assert.ok(due([]).includes('check:str_1'));
    assert.ok(!due([]).includes('check:str_2'));
    assert.ok(!due([['check:str_1', nowMs]]).includes('check:str_1'));
  });

  test('connected stores have their webhooks checked, others not', () => {
    const nowMs = NOON + HOUR_MS;
    const stores = [store(WOO), store(SHOPIFY, false)];
    const { actions } = dueWork({ pairs: [], stores, lastAt: new Map(), since: nowMs, nowMs });
    assert.deepEqual(actions, [{ type: 'ensure_webhooks', key: 'webhooks:str_1', storeId: WOO }]);
  });
});

describe('the scheduler', () => {
  function setUp(schedule: Schedule) {
    const db = openMemoryDatabase();
    const clock = new VirtualClock(NOON);
    const requested: string[] = [];
    const options = {
      db,
      clock,
      log: makeTestLog(),
      listPairs: () => [pair(schedule)],
      listStores: () => [store(WOO)],
      requestRun: (pairId: PairId, trigger: string) => void requested.push(`${trigger} ${pairId}`),
    };
    return { db, clock, requested, options };
  }

  test('sets off what is due by the clock, and remembers across a restart', async () => {
    const { db, clock, options } = setUp('realtime');
    const first = createScheduler(options);
    first.start();
    await clock.runFor(15 * MINUTE_MS - 1);
    assert.equal(findJob(db, 'poll:str_1'), null);
    await clock.runFor(1);
    assert.equal(findJob(db, 'poll:str_1')?.runAt, clock.now());
    first.stop();
    db.connection.exec('DELETE FROM job');
    const second = createScheduler(options);
    second.start();
    await clock.runFor(15 * MINUTE_MS - 1);
    assert.equal(findJob(db, 'poll:str_1'), null);
    await clock.runFor(1);
    assert.ok(findJob(db, 'poll:str_1'));
    second.stop();
  });

  test('a clock that was set back takes what waits with it', async () => {
    const { db, clock, options } = setUp('realtime');
    const years = 10 * 365 * DAY_MS;
    let isWrong = true;
    const setBacks: number[] = [];
    const hands = () => clock.now() + (isWrong ? years : 0);
    const wrong = { now: hands, brokenAt: () => 0, slowedAt: () => 0, wallNow: hands, sleep: clock.sleep.bind(clock) };
    const told = { ...options, clock: wrong, onSetBack: () => void setBacks.push(clock.now()) };
    actOnSchedule(told);
    await clock.runFor(HOUR_MS);
    actOnSchedule(told);
    db.connection.exec('DELETE FROM job');
    const inAMinute = { key: 'probe', task: 'probe_store', groupKey: 'str_1', payload: null, priority: 20 };
    transact(db, (tx) => enqueueJob(tx, { ...inAMinute, runAt: wrong.now() + MINUTE_MS }));
    isWrong = false;
    const nextAt = actOnSchedule(told);
    assert.ok((findJob(db, 'probe')?.runAt ?? 0) <= clock.now() + MINUTE_MS);
    assert.ok(nextAt <= clock.now() + MINUTE_MS);
    actOnSchedule(told);
    assert.equal(setBacks.length, 1);
  });

  test('asks for full syncs, and one that fails does not hold up the rest', async () => {
    const { db, clock, requested, options } = setUp('hourly');
    const scheduler = createScheduler(options);
    scheduler.start();
    await clock.runFor(2 * HOUR_MS);
    assert.deepEqual(requested, ['scheduled pair_1', 'scheduled pair_1']);
    assert.ok(findJob(db, 'webhooks:str_1'));
    assert.ok(findJob(db, 'housekeeping'));
    options.requestRun = () => {
      throw new Error('halted');
    };
    db.connection.exec('DELETE FROM job');
    await clock.runFor(2 * HOUR_MS);
    assert.ok(findJob(db, 'webhooks:str_1'));
    assert.equal(options.log.lines.filter(({ level }) => level === 'error').length, 2);
    scheduler.stop();
  });
});

test('housekeeping forgets deliveries after a week and events after ninety days', async () => {
  const db = openMemoryDatabase();
  const clock = new VirtualClock(NOON);
  transact(db, (tx) => {
    for (let index = 0; index < 5000; index++) {
      const receivedAt = index < 4500 ? NOON - 8 * DAY_MS : NOON - DAY_MS;
      insertDelivery(tx, { storeId: WOO, deliveryId: `d${index}`, topic: 't', receivedAt });
      recordEvent(tx, {
        workspaceId: 'ws_1' as WorkspaceId,
        pairId: null,
        type: 'x',
        payload: null,
        at: index < 4500 ? NOON - 91 * DAY_MS : NOON,
      });
    }
  });
  const task = housekeepingTask({ db, clock });
  const job = { id: 1, key: 'housekeeping', payload: null, attempts: 0 };
  const outcomes = await clock.run(task.run([job], 'instance', new AbortController().signal));
  assert.deepEqual(outcomes, [{ type: 'done' }]);
  assert.equal(db.connection.prepare('SELECT count(*) FROM delivery').pluck().get(), 500);
  assert.equal(db.connection.prepare('SELECT count(*) FROM event').pluck().get(), 500);
});

test('housekeeping forgets the history after the time that it is kept, and what nobody applied after a month', async () => {
  const db = openMemoryDatabase();
  const clock = new VirtualClock(NOON);
  const days = (count: number) => NOON - count * DAY_MS;
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
    db.connection.prepare(sql).run(row);
  };
  const plain = { workspace_id: 'ws_1', pair_id: 'pair_1', progress: 100 };
  const addRun = (id: string, plan: string | null, at: number, finished: number | null, pair = 'pair_1') => {
    const set = { direction: 'bidirectional', area: 'all' };
    const rest = { trigger: 'manual', ...set, status: 'completed', stats: '{}', cursor: 0, scan_number: 0 };
    const times = { is_cancel_requested: 0, started_at: at, finished_at: finished };
    insert('run', { ...plain, pair_id: pair, id, plan_id: plan, ...rest, ...times });
    const item = { run_id: id, title: 't', action: 'update', outcome: 'written', at };
    for (let index = 0; index < 2_500; index++) insert('run_item', { ...item, subject: `s${index}` });
  };
  const addPlan = (id: string, status: string, at: number) => {
    insert('plan', { ...plain, id, status, settings: '{}', counts: '{}', created_at: at });
    const flags = { touches_woocommerce: 0, touches_shopify: 0, is_unlike: 0 };
    const item = { plan_id: id, action: 'link', title: 't', sku: 's', fingerprint: 'f', ...flags, data: '{}' };
    for (let seq = 0; seq < 3; seq++) insert('plan_item', { ...item, seq });
  };
  for (const at of [days(120), days(101), days(99), NOON])
    insert('change', { pair_id: 'pair_1', product_id: 'p', field: 'title', cause: 'written', at });
  for (const [id, state, at] of [
    ['long_over', 'closed', days(120)],
    ['over', 'closed', days(99)],
    ['lasting', 'open', days(300)],
  ] as const) {
    const words = { subject: id, code: 'STORE_AWAY', level: 'error', message: 'm', remedy: 'r', count: 1 };
    insert('problem', { id, workspace_id: 'ws_1', pair_id: 'pair_1', state, first_at: at, last_at: at, ...words });
  }
  addRun('old', 'applied_old', days(120), days(120));
  addRun('new', 'applied_late', days(99), days(99));
  addRun('only', null, days(500), days(500), 'pair_2');
  addPlan('applied_old', 'applied', days(120));
  addPlan('applied_late', 'applied', days(119));
  addPlan('left', 'ready', days(31));
  addPlan('open', 'ready', days(29));
  addPlan('slow', 'planning', days(31));

  const keep = async (historyKeptMs: number | null) => {
    const job = { id: 1, key: 'housekeeping', payload: null, attempts: 0 };
    await clock.run(
      housekeepingTask({ db, clock }, historyKeptMs).run([job], 'instance', new AbortController().signal),
    );
  };
  const ids = (table: string) => db.connection.prepare(`SELECT id FROM ${table} ORDER BY id`).pluck().all();
  const count = (table: string) => db.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

  await keep(null);
  assert.deepEqual([count('change'), count('run_item'), count('problem')], [4, 7_500, 3]);
  assert.deepEqual(ids('plan'), ['applied_late', 'applied_old', 'open', 'slow']);
  await keep(100 * DAY_MS);
  assert.equal(count('change'), 2);
  assert.deepEqual(ids('problem'), ['lasting', 'over']);
  assert.deepEqual(ids('run'), ['new', 'only']);
  assert.equal(count('run_item'), 5_000);
  assert.deepEqual(ids('plan'), ['applied_late', 'open', 'slow']);
  assert.equal(count('plan_item'), 9);
});

test('[S10] however short the history is kept, housekeeping leaves what a count of some days ago is corrected by', async () => {
  const db = openMemoryDatabase();
  const clock = new VirtualClock(NOON);
  const insert = db.connection.prepare(
    `INSERT INTO change (pair_id, product_id, field, cause, at) VALUES ('pair_1', 'p', 'stock', 'stock_delta', ?)`,
  );
  for (const days of [8, 6, 0]) insert.run(NOON - days * DAY_MS);
  const job = { id: 1, key: 'housekeeping', payload: null, attempts: 0 };
  await clock.run(housekeepingTask({ db, clock }, DAY_MS).run([job], 'instance', new AbortController().signal));
  const left = db.connection.prepare('SELECT at FROM change ORDER BY seq').pluck().all();
  assert.deepEqual(left, [NOON - 6 * DAY_MS, NOON]);
});

test('housekeeping forgets the letters of the contact form after 400 days', async () => {
  const db = openMemoryDatabase();
  const clock = new VirtualClock(NOON);
  transact(db, (tx) => {
    for (const days of [401, 399]) {
      const id = `msg_${days}` as ContactMessageId;
      insertContactMessage(tx, { id, subject: 'x', letter: '', letterIndex: '', createdAt: NOON - days * DAY_MS });
    }
  });
  const job = { id: 1, key: 'housekeeping', payload: null, attempts: 0 };
  await clock.run(housekeepingTask({ db, clock }).run([job], 'instance', new AbortController().signal));
  assert.deepEqual(
    listContactMessages(db, 10).map(({ id }) => id),
    ['msg_399'],
  );
});
