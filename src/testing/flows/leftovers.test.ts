// What a large pair leaves behind when it is removed: dropped in portions, whatever happens in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transact } from '../../db/database.ts';
import { purgeWorkspace } from '../../db/writers/purge-workspace.ts';
import { deletePair } from '../../engine/pairs/create-pair.ts';
import { leftoversTask } from '../../jobs/tasks/leftovers.ts';
import type { ClaimedJob } from '../../model/job.ts';
import { SIDES } from '../../model/platform.ts';
import type { Clock } from '../../ports/clock.ts';
import { PAIR_ID, WORKSPACE_ID } from '../simulator/world.ts';
import { EngineFlow } from './engine-flow.ts';

const ROWS = 5_000;
/** A portion, the head that it is taken from, and the job. */
const CHANGES_MAX = 2_100;
const KEPT = new Set(['store', 'workspace', 'meta', 'event', 'membership', 'user', 'sqlite_sequence']);

/** A linked pair, many rows of everything that belongs to one, and the largest transaction from then on. */
async function large() {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  const { ctx } = flow.world.life();
  const { connection } = ctx.db;
  const copies: Readonly<Record<string, readonly string[]>> = {
    product: ['id'],
    product_binding: ['product_id', 'external_id'],
    variant: ['id'],
    variant_binding: ['variant_id', 'external_id'],
    change: ['seq'],
    plan_item: ['seq'],
    run_item: ['subject'],
    problem: ['id', 'subject'],
    job: ['id', 'key'],
  };
  transact(ctx.db, (tx) => {
    const run = "INSERT INTO run_item SELECT id, 'x', '', '', 'written', NULL, 0 FROM run";
    const job = "INSERT INTO job VALUES (1, 'x', 'sync_products', ?, 'null', 10, 9e12, 'ready', 1, 0, 0, NULL, 0)";
    const problem =
      "INSERT INTO problem (id, workspace_id, pair_id, subject, code, level, message, remedy, count, state, first_at, last_at) VALUES ('x', ?, ?, 'x', 'X', 'error', '', '', 1, 'open', 0, 0)";
    tx.connection.exec(run);
    tx.connection.prepare(job).run(PAIR_ID);
    tx.connection.prepare(problem).run(WORKSPACE_ID, PAIR_ID);
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
    for (const [table, unique] of Object.entries(copies)) {
      const columns = tx.connection.pragma(`table_info(${table})`) as readonly { name: string }[];
      const values = columns.map(({ name }) => {
        if (!unique.includes(name)) return `"${name}"`;
        return name === 'seq' || (table === 'job' && name === 'id') ? '1000000 + i' : `"${name}" || '-' || i`;
      });
      tx.connection.exec(
        `INSERT INTO ${table} SELECT ${values.join(', ')} FROM (SELECT * FROM ${table} LIMIT 1), (${numbers} SELECT i FROM n)`,
      );
    }
  });
  const changes = () => connection.prepare<[], number>('SELECT total_changes()').pluck().get() ?? 0;
  let before = changes();
  let largest = 0;
  ctx.db.hooks.afterCommit.add(() => {
    largest = Math.max(largest, changes() - before);
    before = changes();
  });
  const tables = flow.rows<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const left = () =>
    tables
      .filter(({ name }) => !KEPT.has(name))
      .flatMap(({ name }) => {
        const [row] = flow.rows<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`);
        return row === undefined || row.n === 0 ? [] : [[name, row.n] as const];
      });
  const orders = () => flow.rows<ClaimedJob & { payload: string }>("SELECT * FROM job WHERE task = 'drop_leftovers'");
  return { flow, ctx, left, orders, largest: () => largest };
}

/** Time that passes, until the process is killed. */
function clockUntil(kill: number, clock: Clock): Clock {
  let sleeps = 0;
  return {
    ...clock,
    now: () => clock.now(),
    brokenAt: () => clock.brokenAt(),
    slowedAt: () => clock.slowedAt(),
    wallNow: () => clock.wallNow(),
    async sleep() {
      sleeps += 1;
      if (sleeps >= kill) throw new Error('killed');
    },
  };
}

for (const [what, remove] of Object.entries({
  pair: ({ ctx }: Awaited<ReturnType<typeof large>>): void => deletePair(ctx, PAIR_ID),
  workspace: ({ ctx }: Awaited<ReturnType<typeof large>>): void =>
    void transact(ctx.db, (tx) => purgeWorkspace(tx, WORKSPACE_ID, ctx.clock.now())),
})) {
  test(`a large ${what} is gone at once, and its rows in portions; a kill in between loses no portion`, async () => {
    const big = await large();
    const { flow, ctx, left, orders, largest } = big;
    remove(big);
    assert.deepEqual(flow.rows('SELECT 1 FROM pair'), []);
    assert.ok(left().length > 0);
    const job = orders()[0];
    assert.ok(job);
    const claim = { ...job, payload: JSON.parse(job.payload) as unknown };
    const run = (clock: Clock) => leftoversTask({ db: ctx.db, clock }).run([claim], '', new AbortController().signal);
    const before = left();
    await assert.rejects(run(clockUntil(3, ctx.clock)), /killed/);
    assert.ok(left().length > 0);
    assert.notDeepEqual(left(), before);
    assert.deepEqual(await run(clockUntil(1_000, ctx.clock)), [{ type: 'done' }]);
    const rest = left().filter(([name]) => name !== 'job');
    assert.deepEqual(rest, []);
    assert.deepEqual(
      flow.rows<{ task: string }>('SELECT DISTINCT task FROM job WHERE group_key = ?', PAIR_ID),
      [],
      'no work of it is left',
    );
    assert.ok(largest() <= CHANGES_MAX, `${largest()} rows in one transaction`);
  });
}

test('what a small pair holds goes with it', async () => {
  const flow = new EngineFlow();
  flow.stock(SIDES, { title: 'Mug' }, [{ sku: 'MUG' }]);
  await flow.link();
  deletePair(flow.world.life().ctx, PAIR_ID);
  for (const table of ['pair', 'product', 'variant', 'product_binding', 'variant_binding', 'change', 'plan', 'run'])
    assert.deepEqual(flow.rows(`SELECT 1 FROM "${table}"`), [], table);
  assert.deepEqual(flow.rows("SELECT 1 FROM job WHERE task = 'drop_leftovers'"), []);
});
