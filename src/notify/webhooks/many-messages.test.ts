// An endpoint for which very many messages wait: whatever is done to it stops nobody else for long.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Db, transact } from '../../db/database.ts';
import { findEndpoint, listMessages } from '../../db/readers/endpoints.ts';
import { pruneMessages, updateEndpoint } from '../../db/writers/endpoints.ts';
import { purgeWorkspace } from '../../db/writers/purge-workspace.ts';
import { leftoversTask } from '../../jobs/tasks/leftovers.ts';
import { notifyTasks } from '../../jobs/tasks/notify-tasks.ts';
import type { EndpointId, WorkspaceId } from '../../model/ids.ts';
import type { ClaimedJob } from '../../model/job.ts';
import { createCipher } from '../../system/cipher.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { makeTestClock, type TestClock } from '../../testing/support/test-clock.ts';
import { makeTestLog } from '../../testing/support/test-log.ts';
import { makeTestRandom } from '../../testing/support/test-random.ts';
import type { AlertContext } from '../alerts/context.ts';
import { changeEndpoint, createEndpoint, removeEndpoint } from './manage-endpoints.ts';

const WORKSPACE = 'ws_1' as WorkspaceId;
const WAITING = 5_000;
/** A portion, what it is taken from, and the job. */
const CHANGES_MAX = 2_100;

let db: Db;
let clock: TestClock;
let ctx: AlertContext;
let endpointId: EndpointId;
/** Rows that the largest transaction has changed. */
let largest: number;

beforeEach(() => {
  db = openMemoryDatabase();
  clock = makeTestClock();
  ctx = {
    ...{ db, clock, random: makeTestRandom(), log: makeTestLog(), cipher: createCipher([new Uint8Array(32)]) },
    poster: { refuses: () => null, post: async () => ({ status: 200 }) },
  } as Partial<AlertContext> as AlertContext;
  const url = 'https://hooks.example/in';
  const { endpoint } = createEndpoint(ctx, WORKSPACE, { kind: 'events', url, description: '', events: [] });
  endpointId = endpoint.id;
  transact(db, (tx) => updateEndpoint(tx, endpointId, { status: 'disabled' }));
  db.connection
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO endpoint_message (id, endpoint_id, workspace_id, type, body, status, attempts, created_at)
       SELECT 'msg_' || (i * 7919 % 10007), ?, ?, 'x', 'x', CASE WHEN i % 10 = 0 THEN 'failed' ELSE 'waiting' END, 0, ? + i / 7 FROM n`,
    )
    .run(WAITING, endpointId, WORKSPACE, clock.now());
  const changes = () => db.connection.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
  let before = changes();
  largest = 0;
  db.hooks.afterCommit.add(() => {
    largest = Math.max(largest, changes() - before);
    before = changes();
  });
});
afterEach(() => db.connection.close());

const rows = <Row>(sql: string, ...params: unknown[]) => db.connection.prepare<unknown[], Row>(sql).all(...params);
const count = (table: string) => rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)[0]?.n;
const enable = (enabled: boolean) => {
  const endpoint = findEndpoint(db, endpointId);
  assert.ok(endpoint);
  changeEndpoint(ctx, endpoint, { enabled });
};
/** Runs the jobs of a task, one after the other, as long as there are any, but at most so many. */
async function run(name: string, task: { readonly run: (jobs: ClaimedJob[]) => Promise<unknown> }, max = 1_000) {
  for (let turns = 0; turns < max; turns += 1) {
    const [job] = rows<ClaimedJob & { payload: string }>('SELECT * FROM job WHERE task = ?', name);
    if (job === undefined) return turns;
    db.connection.prepare('DELETE FROM job WHERE id = ?').run(job.id);
    await task.run([{ ...job, payload: JSON.parse(job.payload) as unknown }]);
  }
  return max;
}
const taskOf = (name: string) => {
  const task = notifyTasks(ctx).find((one) => one.name === name);
  assert.ok(task);
  return { run: (jobs: ClaimedJob[]) => task.run(jobs, endpointId, new AbortController().signal) };
};
const leftovers = () => {
  const task = leftoversTask({ db, clock });
  return { run: (jobs: ClaimedJob[]) => task.run(jobs, '', new AbortController().signal) };
};

test('an endpoint with many messages is deleted at once, and they and their jobs in portions', async () => {
  enable(true);
  await run('send_waiting', taskOf('send_waiting'));
  removeEndpoint(ctx, endpointId);
  assert.equal(findEndpoint(db, endpointId), null);
  assert.ok((count('job') ?? 0) > 1_000, 'the rest is left to a job');
  await run('drop_leftovers', leftovers());
  assert.deepEqual([count('endpoint_message'), count('job')], [0, 0]);
  assert.ok(largest <= CHANGES_MAX, `${largest} rows in one transaction`);
});

test('with a workspace go the messages of its endpoints, and the jobs that would send them', async () => {
  enable(true);
  await run('send_waiting', taskOf('send_waiting'));
  transact(db, (tx) => purgeWorkspace(tx, WORKSPACE, clock.now()));
  await run('drop_leftovers', leftovers());
  assert.deepEqual([count('endpoint_message'), count('job')], [0, 0]);
  assert.ok(largest <= CHANGES_MAX, `${largest} rows in one transaction`);
});

test('an endpoint that is switched on is sent all that waited, the oldest first, ordered in portions and without a look at what it says', async () => {
  const statements: string[] = [];
  const prepare = db.connection.prepare.bind(db.connection);
  db.connection.prepare = ((sql: string) => {
    statements.push(sql);
    return prepare(sql);
  }) as typeof db.connection.prepare;
  enable(true);
  assert.ok((await run('send_waiting', taskOf('send_waiting'))) > 5);
  db.connection.prepare = prepare;
  const waiting = rows("SELECT id FROM endpoint_message WHERE status = 'waiting' ORDER BY created_at, id");
  const ordered = rows(
    "SELECT json_extract(payload, '$.messageId') AS id FROM job WHERE task = 'send_message' ORDER BY job.id",
  );
  assert.equal(waiting.length, WAITING * 0.9);
  assert.deepEqual(ordered, waiting);
  assert.ok(largest <= CHANGES_MAX, `${largest} rows in one transaction`);
  const looked = statements.filter((sql) => /FROM "?endpoint_message/.test(sql));
  assert.ok(looked.length > 0);
  for (const sql of looked) {
    assert.doesNotMatch(sql, /body/);
    const steps = prepare(`EXPLAIN QUERY PLAN ${sql}`).all('', 0, '', 0) as { detail: string }[];
    assert.deepEqual(
      steps.map(({ detail }) => detail),
      [
        'SEARCH endpoint_message USING COVERING INDEX endpoint_message_status (endpoint_id=? AND status=? AND (created_at,id)>(?,?))',
      ],
    );
  }
});

test('one that is switched off meanwhile gets no more ordered, and everything once it is on again', async () => {
  enable(true);
  await run('send_waiting', taskOf('send_waiting'), 2);
  enable(false);
  await run('send_waiting', taskOf('send_waiting'));
  const ordered = count('job') ?? 0;
  assert.ok(ordered < WAITING * 0.9, `${ordered}`);
  db.connection.exec('DELETE FROM job');
  clock.advance(1);
  enable(true);
  await run('send_waiting', taskOf('send_waiting'));
  assert.equal(count('job'), WAITING * 0.9);
});

test('the log of one status is read by an index, in order', () => {
  const listed = listMessages(db, endpointId, { status: 'failed', limit: 1_000 }).rows;
  const all = listMessages(db, endpointId, { limit: WAITING }).rows;
  assert.deepEqual(
    listed,
    all.filter(({ status }) => status === 'failed'),
  );
  const sql = `SELECT * FROM endpoint_message WHERE endpoint_id = ? AND status = ? AND (created_at, id) < (?, ?)
    ORDER BY created_at DESC, id DESC LIMIT ?`;
  const steps = rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, '', '', 0, '', 0);
  assert.match(
    steps.map(({ detail }) => detail).join('\n'),
    /^SEARCH endpoint_message USING INDEX endpoint_message_status[^\n]*$/,
  );
});

test('what has waited too long is forgotten like what ended', () => {
  const keptFrom = clock.now() + 100;
  let portions = 0;
  while (transact(db, (tx) => pruneMessages(tx, keptFrom, 200)) > 0) portions += 1;
  assert.ok(portions >= 3);
  assert.equal(rows('SELECT 1 FROM endpoint_message WHERE created_at < ?', keptFrom).length, 0);
  assert.ok((count('endpoint_message') ?? 0) > 0);
});
