import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Db, transact } from '../../db/database.ts';
import { isAlertOver, listAlerts } from '../../db/readers/alerts.ts';
import { listMessages } from '../../db/readers/endpoints.ts';
import { saveAlertSettings } from '../../db/writers/alerts.ts';
import { recordEvent } from '../../db/writers/events.ts';
import { updateStore } from '../../db/writers/stores.ts';
import { insertWorkspace } from '../../db/writers/workspaces.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts';
import { type AlertSettings, DEFAULT_ALERT_SETTINGS } from '../../model/alert.ts';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import { Refusal } from '../../model/refusal.ts';
import { createCipher } from '../../system/cipher.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { makeTestClock, type TestClock } from '../../testing/support/test-clock.ts';
import { makeTestLog } from '../../testing/support/test-log.ts';
import { makeTestRandom } from '../../testing/support/test-random.ts';
import { createEndpoint, shownUrl } from '../webhooks/manage-endpoints.ts';
import { collectAlerts, dueTime } from './collect-alerts.ts';
import type { AlertContext, AlertMail, ReportMail } from './context.ts';
import { changeAlertSettings, readAlertSettings } from './manage-alerts.ts';
import { sendAlerts } from './send-alerts.ts';
import { endOfQuiet, nextMinuteOfDay } from './wall-clock.ts';
import { nextMonday, orderWeeklyReports, sendWeeklyReport } from './weekly-report.ts';

const WORKSPACE = 'ws_1' as WorkspaceId;
const DEMO = 'ws_demo' as WorkspaceId;
/** A Monday. */
const START = Date.UTC(2026, 0, 5, 9);

let db: Db;
let clock: TestClock;
let ctx: AlertContext;
let mails: AlertMail[];
let reports: ReportMail[];

beforeEach(() => {
  db = openMemoryDatabase();
  clock = makeTestClock(START);
  mails = [];
  reports = [];
  ctx = {
    ...{ db, clock, random: makeTestRandom(), log: makeTestLog(), cipher: createCipher([new Uint8Array(32)]) },
    poster: { refuses: () => null, post: async () => ({ status: 200 }) },
    recipients: (_id, what) => (what === 'alerts' ? people('Ada', 'Bo') : people('Ada')),
    orderAlertMail: (_tx, mail) => mails.push(mail),
    orderReportMail: (_tx, mail) => reports.push(mail),
    webUrl: () => 'https://sync.example',
  };
  transact(db, (tx) => {
    insertWorkspace(tx, { id: WORKSPACE, name: 'Harbour', isDemo: false, createdAt: START });
    insertWorkspace(tx, { id: DEMO, name: 'Demo', isDemo: true, createdAt: START });
  });
  collectAlerts(ctx);
});
afterEach(() => db.connection.close());

function people(...names: readonly string[]) {
  return names.map((firstName) => ({ firstName, email: `${firstName.toLowerCase()}@example.com` }));
}

function note(type: string, payload: object, workspaceId = WORKSPACE): void {
  transact(db, (tx) => recordEvent(tx, { workspaceId, pairId: 'pair_1' as PairId, type, payload, at: clock.now() }));
  collectAlerts(ctx);
}

const oversold = (subject: string) =>
  note('problem', { code: 'OVERSOLD', subject, message: `${subject} was sold 1 time more than there was.` });
/** As the runner does: the job is taken, then worked on. */
const send = () => {
  db.connection.exec(`DELETE FROM job WHERE task = 'send_alerts'`);
  return sendAlerts(ctx, { id: 1, key: 'k', payload: { workspaceId: WORKSPACE }, attempts: 0 });
};
const nextJob = () =>
  db.connection.prepare<[], { runAt: number }>(`SELECT run_at AS runAt FROM job WHERE task = 'send_alerts'`).get()
    ?.runAt;

test('what needs a person is told to those who want it, once, a minute later, in one message', () => {
  oversold('MUG');
  note('pair_halted', { reason: 'mass_delete', side: 'shopify' });
  note('stock_changed', { sku: 'MUG' });
  note('problem', { code: 'WRITE_REJECTED', subject: 'x', message: 'refused' });
  assert.equal(nextJob(), START + MINUTE_MS);
  send();
  assert.deepEqual(mails, [], 'not before it is due');
  clock.advance(MINUTE_MS);
  send();
  send();
  assert.deepEqual(
    mails.map(({ to }) => to),
    ['ada@example.com', 'bo@example.com'],
  );
  assert.deepEqual(mails[0], {
    to: 'ada@example.com',
    firstName: 'Ada',
    workspace: 'Harbour',
    lines: [
      'MUG was sold 1 time more than there was.',
      'A pair was halted for safety (mass delete in Shopify). Products wait until you decide; stock goes on where the pair syncs in real time.',
    ],
    link: 'https://sync.example/dashboard',
  });
});

test('usage is told to those who want to hear of that, and to nobody else; who wants both gets one message', () => {
  const wanted = { alerts: people('Ada', 'Bo'), usage: people('Bo', 'Cleo'), weekly_report: [] };
  ctx = { ...ctx, recipients: (_id, what) => wanted[what] };
  const told = () => mails.splice(0).map(({ to, lines }) => [to, lines.length, lines.at(-1)?.split(' ')[0]]);
  oversold('MUG');
  note('usage_alert', {
    kind: 'api_calls',
    level: 'warning',
    since: '2026-01-05T09:00:00.000Z',
    message: 'Programs made 801 calls',
  });
  clock.advance(MINUTE_MS);
  send();
  assert.deepEqual(told(), [
    ['ada@example.com', 1, 'MUG'],
    ['bo@example.com', 2, 'Programs'],
    ['cleo@example.com', 1, 'Programs'],
  ]);
  assert.deepEqual(
    listAlerts(db, WORKSPACE, 10).map(({ kind, emailCount }) => [kind, emailCount]),
    [
      ['usage', 2],
      ['oversold', 2],
    ],
  );
  oversold('BOWL');
  clock.advance(10 * MINUTE_MS);
  send();
  assert.deepEqual(told(), [
    ['ada@example.com', 1, 'BOWL'],
    ['bo@example.com', 1, 'BOWL'],
  ]);
});

test('nobody is told of what a sandbox went through', () => {
  const sandbox = insertWorld(db, WORKSPACE, START);
  transact(db, (tx) => {
    for (const id of Object.values(sandbox.storeIds)) updateStore(tx, id, { isSandbox: true });
    const { pairId } = sandbox;
    recordEvent(tx, { workspaceId: WORKSPACE, pairId, type: 'pair_halted', payload: {}, at: START });
    const away = { code: 'STORE_AWAY', subject: sandbox.storeIds.shopify, message: 'It does not answer.' };
    recordEvent(tx, { workspaceId: WORKSPACE, pairId: null, type: 'problem', payload: away, at: START });
  });
  collectAlerts(ctx);
  assert.deepEqual(listAlerts(db, WORKSPACE, 10), []);
});

test('the same trouble again is one line that counts; a bad night is a message every ten minutes at most', () => {
  note('run_failed', { error: { message: 'Shopify did not answer.' } });
  note('run_failed', { error: { message: 'Shopify did not answer.' } });
  clock.advance(MINUTE_MS);
  send();
  assert.deepEqual(mails[0]?.lines, ['A sync failed: Shopify did not answer. (2 times)']);
  clock.advance(MINUTE_MS);
  note('run_failed', { error: { message: 'Shopify did not answer.' } });
  assert.equal(listAlerts(db, WORKSPACE, 1)[0]?.dueAt, START + 11 * MINUTE_MS);
});

test('conflicts wait for the daily digest, and a rule can be switched off', () => {
  note('conflict_opened', { productId: 'prd_1', title: 'Mug', field: 'title' });
  const [waiting] = listAlerts(db, WORKSPACE, 1);
  assert.equal(waiting?.dueAt, Date.UTC(2026, 0, 6, 8), 'the next morning at eight');
  oversold('MUG');
  clock.advance(MINUTE_MS);
  send();
  assert.equal(mails[0]?.lines.length, 1, 'the digest does not go out with it');
  assert.equal(nextJob(), Date.UTC(2026, 0, 6, 8), 'and is not forgotten');

  changeAlertSettings(ctx, WORKSPACE, { rules: { oversold: 'off' } });
  oversold('BOWL');
  assert.equal(listAlerts(db, WORKSPACE, 10).length, 2);
});

test('what waits for the digest is not forgotten over a bad day', () => {
  note('conflict_opened', { productId: 'prd_1', title: 'Mug', field: 'title' });
  for (let n = 0; n < 501; n++) oversold(`SKU-${n}`);
  clock.advance(MINUTE_MS);
  send();
  assert.equal(nextJob(), Date.UTC(2026, 0, 6, 8));
});

test('what was settled while its alert waited for the digest or for quiet hours is not called open', () => {
  const world = insertWorld(db, WORKSPACE, START);
  for (const kind of ['oversold', 'store_unreachable', 'pair_halted'] as const)
    changeAlertSettings(ctx, WORKSPACE, { rules: { [kind]: 'digest' } });
  const morning = (): readonly string[] => {
    const { productId, storeIds, pairId } = world;
    note('conflict_opened', { productId, title: 'Mug', field: 'fields.title' });
    note('store_health_changed', { status: 'error', storeId: storeIds.shopify, reason: 'its key was revoked.' });
    transact(db, (tx) => {
      const event = { type: 'pair_halted', payload: { reason: 'mass_delete' }, at: clock.now() };
      recordEvent(tx, { workspaceId: WORKSPACE, pairId, ...event });
    });
    oversold('MUG');
    clock.advance(24 * HOUR_MS);
    mails = [];
    send();
    return mails[0]?.lines.map((line) => /^(Over by now: )?./.exec(line)?.[1] ?? '') ?? [];
  };
  const { connection } = db;
  const set = (state: 'open' | 'closed', pair: string, store: string) => {
    connection.exec(`UPDATE conflict SET state = '${state}', field = 'fields.title'`);
    connection.exec(`UPDATE problem SET state = '${state}', code = 'OVERSOLD', subject = 'MUG'`);
    connection.exec(`UPDATE pair SET status = '${pair}'`);
    connection.exec(`UPDATE store SET status = '${store}'`);
  };
  set('open', 'halted', 'error');
  assert.deepEqual(morning(), ['', '', '', '']);
  set('closed', 'active', 'connected');
  assert.deepEqual(morning(), Array(4).fill('Over by now: '));
});

test('whether an alert is over is looked up, however many problems and conflicts there have been', () => {
  for (const [kind, subject] of [
    ['conflict_waiting', 'prd_1:title'],
    ['oversold', 'var_1'],
    ['store_unreachable', 'str_1'],
    ['pair_halted', 'pair_1'],
  ] as const)
    isAlertOver(db, { workspaceId: WORKSPACE, kind, subject });
  const sqls = [...db.statements.keys()].flatMap((key) =>
    typeof key === 'object' && key !== null && 'sql' in key && / AS open FROM /.test(String(key.sql))
      ? [String(key.sql)]
      : [],
  );
  for (const sql of sqls) {
    const steps = db.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...[...sql.matchAll(/\?/g)].map(() => '')) as {
      detail: string;
    }[];
    for (const { detail } of steps) assert.match(detail, /^SEARCH \w+ USING /, sql);
  }
  assert.ok(sqls.length >= 4);
});

test('settings of a version that knew fewer rules: the new ones are as they come', () => {
  const { usage: _later, ...rules } = DEFAULT_ALERT_SETTINGS.rules;
  const settings = { ...DEFAULT_ALERT_SETTINGS, rules: { ...rules, oversold: 'off' } } as AlertSettings;
  transact(db, (tx) => saveAlertSettings(tx, WORKSPACE, settings));
  assert.deepEqual(readAlertSettings(ctx, WORKSPACE).rules, { ...DEFAULT_ALERT_SETTINGS.rules, oversold: 'off' });
});

test('both levels of usage are told, each as its own line, in the digest if somebody likes that better', () => {
  changeAlertSettings(ctx, WORKSPACE, { rules: { usage: 'digest' } });
  const about = { kind: 'api_calls', since: '2026-01-05T09:00:00.000Z', count: 801, limit: 1_000 };
  note('usage_alert', { ...about, level: 'warning', message: 'API calls approaching limit: 801 of 1,000' });
  note('usage_alert', { ...about, level: 'exceeded', message: 'API calls exceeded the limit: 1,001 of 1,000' });
  clock.advance(Date.UTC(2026, 0, 6, 8) - START);
  send();
  assert.deepEqual(mails[0]?.lines, [
    'API calls approaching limit: 801 of 1,000. Nothing is refused when it is reached.',
    'API calls exceeded the limit: 1,001 of 1,000. Nothing is refused for it.',
  ]);
});

test('demo visitors are told nothing, and neither is anybody of what was before the first start', () => {
  note('run_failed', { error: { message: 'x' } }, DEMO);
  assert.deepEqual(listAlerts(db, DEMO, 10), []);
});

test('a chat gets alerts as a line of text, unsigned, and its address is shown by its host only', () => {
  const form = { kind: 'chat', url: 'https://hooks.chat.example/T0/SECRET', description: '', events: [] } as const;
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form);
  assert.doesNotMatch(endpoint.url, /SECRET/, 'it is stored sealed');
  assert.equal(shownUrl(ctx, endpoint), 'https://hooks.chat.example/…');
  oversold('MUG');
  clock.advance(MINUTE_MS);
  send();
  const [message] = listMessages(db, endpoint.id, {}).rows;
  assert.deepEqual(JSON.parse(message?.body ?? ''), {
    text: '*Harbour*\n• MUG was sold 1 time more than there was.\nhttps://sync.example/dashboard',
  });
  const [alert] = listAlerts(db, WORKSPACE, 10);
  assert.deepEqual([alert?.emailCount, alert?.chatCount], [2, 1]);
});

test('an alert that nobody wanted is over, and was told to nobody', () => {
  ctx = { ...ctx, recipients: () => [] };
  oversold('MUG');
  clock.advance(MINUTE_MS);
  send();
  const [alert] = listAlerts(db, WORKSPACE, 10);
  assert.deepEqual([alert?.sentAt, alert?.emailCount, alert?.chatCount], [clock.now(), 0, 0]);
});

test('what a product is called is no markup in a chat', () => {
  const form = { kind: 'chat', url: 'https://hooks.chat.example/T0/SECRET', description: '', events: [] } as const;
  const { endpoint } = createEndpoint(ctx, WORKSPACE, form);
  oversold('<!channel> Salt & <https://evil.example|pepper>');
  clock.advance(MINUTE_MS);
  send();
  const [message] = listMessages(db, endpoint.id, {}).rows;
  const told = '&lt;!channel&gt; Salt &amp; &lt;https://evil.example|pepper&gt; was sold 1 time more than there was.';
  assert.equal(JSON.parse(message?.body ?? '').text, `*Harbour*\n• ${told}\nhttps://sync.example/dashboard`);
});

test('quiet hours span midnight, hold what is due until they end, and follow the wall of their zone', () => {
  const quiet = { from: 22 * 60, to: 7 * 60 };
  const at = (text: string) => Date.parse(text);
  assert.equal(endOfQuiet(at('2026-01-05T23:30:00Z'), quiet, 'UTC'), at('2026-01-06T07:00:00Z'));
  assert.equal(endOfQuiet(at('2026-01-06T06:59:00Z'), quiet, 'UTC'), at('2026-01-06T07:00:00Z'));
  assert.equal(endOfQuiet(at('2026-01-06T07:00:00Z'), quiet, 'UTC'), at('2026-01-06T07:00:00Z'));
  assert.equal(endOfQuiet(at('2026-01-05T21:30:00Z'), quiet, 'Europe/Berlin'), at('2026-01-06T06:00:00Z'));
  const settings = { ...DEFAULT_ALERT_SETTINGS, quietHours: quiet };
  assert.equal(dueTime(at('2026-01-05T21:59:30Z'), 0, 'now', settings), at('2026-01-06T07:00:00Z'));
  // Clocks go forward in the night to 29 March 2026, and back in the night to 25 October.
  assert.equal(nextMinuteOfDay(at('2026-03-28T20:00:00Z'), 7 * 60, 'Europe/Berlin'), at('2026-03-29T05:00:00Z'));
  assert.equal(nextMinuteOfDay(at('2026-10-24T20:00:00Z'), 7 * 60, 'Europe/Berlin'), at('2026-10-25T06:00:00Z'));
});

test('settings that make no sense are refused by name', () => {
  assert.throws(
    () => changeAlertSettings(ctx, WORKSPACE, { timeZone: 'Mars/Olympus' }),
    (error) => error instanceof Refusal && error.code === 'VALIDATION',
  );
});

test('the weekly report comes on Monday morning, to those who want it', () => {
  assert.equal(nextMonday(START, 'UTC'), Date.UTC(2026, 0, 12, 8));
  assert.equal(nextMonday(START - 2 * HOUR_MS, 'America/New_York'), Date.UTC(2026, 0, 5, 13));
  orderWeeklyReports(ctx);
  orderWeeklyReports(ctx);
  const jobs = db.connection
    .prepare<[], { payload: string; runAt: number }>(
      `SELECT payload, run_at AS runAt FROM job WHERE task = 'weekly_report'`,
    )
    .all();
  assert.deepEqual(jobs, [{ payload: JSON.stringify({ workspaceId: WORKSPACE }), runAt: Date.UTC(2026, 0, 12, 8) }]);
  sendWeeklyReport(ctx, { id: 1, key: 'k', payload: { workspaceId: WORKSPACE }, attempts: 0 });
  assert.deepEqual(reports, [
    {
      to: 'ada@example.com',
      firstName: 'Ada',
      workspace: 'Harbour',
      period: 'Dec 29, 2025 to Jan 5, 2026',
      lines: [
        '0 changes were written to the stores',
        '0 syncs completed, 0 failed, 0 were cancelled',
        '0 conflicts and 0 problems wait for you',
      ],
      link: 'https://sync.example/dashboard',
    },
  ]);
});
