import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { statementsOf } from '../../testing/support/statements-of.ts';
import { transact } from '../database.ts';
import { claimJobs, deleteJobs, enqueueJob, releaseOrphans, settleJobs } from '../writers/jobs.ts';
import { countJobs, findJob, hasLateJobs, listLaneHeads } from './jobs.ts';

function filled() {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    for (let index = 0; index < 60; index++) {
      enqueueJob(tx, {
        key: `k${index}`,
        task: index % 2 ? 'sync' : 'push',
        groupKey: `g${index % 3}`,
        payload: index,
        priority: index % 4 === 0 ? 0 : 10,
        runAt: 100 + index,
      });
    }
  });
  return db;
}

test('lane heads are the first of each group, task and priority', () => {
  const heads = listLaneHeads(filled());
  const lanes = heads.map(({ groupKey, task, priority }) => `${groupKey} ${task} ${priority}`);
  assert.deepEqual(lanes, [
    ...['g0', 'g1', 'g2'].flatMap((group) => [`${group} push 0`, `${group} push 10`, `${group} sync 10`]),
  ]);
  assert.equal(heads[0]?.runAt, 100);
});

test('counts say what is due, what waits, what is in work, and how old the oldest is', () => {
  const db = filled();
  transact(db, (tx) => claimJobs(tx, { groupKey: 'g1', task: 'sync', priorities: [10] }, 130, 2));
  const rows = countJobs(db, 130);
  assert.equal(rows.length, 6);
  assert.deepEqual(
    rows.find(({ groupKey, task }) => groupKey === 'g1' && task === 'sync'),
    {
      groupKey: 'g1',
      task: 'sync',
      ready: 3,
      waiting: 5,
      executing: 2,
      oldestAt: 101,
    },
  );
});

test('orphans go back at the time of the restart; a group is forgotten whole, in flight or not', () => {
  const db = filled();
  const claims = transact(db, (tx) => claimJobs(tx, { groupKey: 'g1', task: 'sync', priorities: [10] }, 130, 2));
  assert.equal(
    transact(db, (tx) => releaseOrphans(tx, 777)),
    2,
  );
  assert.equal(findJob(db, claims[0]!.key)?.runAt, 777);
  const again = transact(db, (tx) => claimJobs(tx, { groupKey: 'g1', task: 'sync', priorities: [10] }, 777, 1));
  assert.equal(
    transact(db, (tx) => deleteJobs(tx, 'g1', 100)),
    20,
  );
  const groups = () => new Set(countJobs(db, 777).map(({ groupKey }) => groupKey));
  assert.deepEqual(groups(), new Set(['g0', 'g2']));
  transact(db, (tx) => settleJobs(tx, [{ type: 'forget', id: again[0]!.id, revision: again[0]!.revision }]));
  assert.deepEqual(groups(), new Set(['g0', 'g2']));
});

test('the hot queries search an index, and none sorts or scans the table', () => {
  const db = openMemoryDatabase();
  db.statements.clear();
  const sqls = statementsOf(db, () =>
    transact(db, (tx) => {
      enqueueJob(tx, { key: 'a', task: 't', groupKey: 'g', payload: 1, priority: 0, runAt: 0 }, (a) => a);
      listLaneHeads(tx);
      const claims = claimJobs(tx, { groupKey: 'g', task: 't', priorities: [0] }, 1, 10);
      settleJobs(tx, [{ type: 'again', id: claims[0]!.id, runAt: 1, attempts: 0, faults: 0, error: null }]);
      releaseOrphans(tx, 1);
      hasLateJobs(tx, 'g', 1);
      deleteJobs(tx, 'g', 100);
    }),
  );
  assert.ok(sqls.length >= 8);
  for (const sql of sqls.filter((text) => !/INSERT/.test(text))) {
    const plan = db.connection
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split('?').length - 1 }, () => 0)) as { detail: string }[];
    for (const { detail } of plan) assert.match(detail, /^(SEARCH job USING |LIST SUBQUERY)/, `${sql}: ${detail}`);
  }
});
