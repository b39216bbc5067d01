import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { statementsOf } from '../../testing/support/statements-of.ts';
import { type Db, transact } from '../database.ts';
import { recordEvent } from '../writers/events.ts';
import { type ActivityFilter, countActivity, listActivity } from './list-activity.ts';

const HARBOUR = 'ws_harbour' as WorkspaceId;
const TYPES = [
  ...['stock_changed', 'product_written', 'field_changed', 'conflict_opened', 'order_mirrored', 'pair_paused'],
  ...['problem', 'run_failed', 'plan_failed', 'pair_halted', 'store_health_changed', 'run_progress', 'plan_progress'],
];
const FILTERS = ['all', 'orders', 'products', 'errors'] as const;

/** Events of all types, in two workspaces, of several pairs and of none. */
function makeJournal(): Db {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    for (let n = 0; n < 400; n += 1) {
      const type = TYPES[n % TYPES.length] ?? '';
      const pairId = n % 4 === 0 ? null : (`pair_${n % 3}` as PairId);
      const workspaceId = n % 5 === 0 ? ('ws_other' as WorkspaceId) : HARBOUR;
      recordEvent(tx, { workspaceId, pairId, type, payload: { status: n % 2 === 0 ? 'error' : 'ok' }, at: n });
    }
  });
  return db;
}

function readPages(db: Db, filter: ActivityFilter): readonly number[] {
  const seqs: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = listActivity(db, HARBOUR, { ...filter, limit: 7, cursor });
    seqs.push(...page.rows.map(({ seq }) => seq));
    if (page.nextCursor === null) return seqs;
    cursor = page.nextCursor;
  }
}

test('pages of each filter are what looking at every single event gives, newest first, or oldest first after a place', () => {
  const db = makeJournal();
  const all = db.connection.prepare('SELECT * FROM event ORDER BY seq DESC').all() as {
    seq: number;
    workspace_id: string;
    pair_id: string | null;
    type: string;
    payload: string;
  }[];
  const lets = {
    all: /./,
    orders: /^order/,
    products: /^(stock|product|field|conflict)/,
    errors: /^(problem|pair_halted|run_failed|plan_failed)$/,
  };
  for (const pairId of [undefined, 'pair_1', 'pair_none'])
    for (const filter of FILTERS)
      for (const [after, before] of [
        [undefined, undefined],
        [undefined, 150],
        [120, undefined],
        [0, 300],
        [300, 100],
      ] as const) {
        const expected = all
          .filter((row) => row.workspace_id === HARBOUR && !row.type.endsWith('_progress'))
          .filter((row) => pairId === undefined || row.pair_id === pairId)
          .filter(
            (row) =>
              lets[filter].test(row.type) ||
              (filter === 'errors' && row.type === 'store_health_changed' && row.payload.includes('error')),
          )
          .map(({ seq }) => seq)
          .filter((seq) => seq > (after ?? 0) && seq < (before ?? 1_000));
        if (after !== undefined) expected.reverse();
        assert.deepEqual(
          readPages(db, { filter, pairId, after, before }),
          expected,
          JSON.stringify({ pairId, filter, after, before }),
        );
      }
  db.connection.close();
});

test('each filter counts what it lists, for the workspace and for one pair', () => {
  const db = makeJournal();
  for (const pairId of [undefined, 'pair_1', 'pair_none']) {
    const counts = countActivity(db, HARBOUR, { pairId });
    for (const filter of FILTERS) {
      const { rows } = listActivity(db, HARBOUR, { filter, pairId, limit: 1_000 });
      assert.equal(counts[filter], rows.length, `${filter} of ${pairId}`);
      assert.ok(rows.length > 0 || pairId === 'pair_none');
      assert.ok(rows.every(({ type }) => !type.endsWith('_progress')));
    }
  }
  db.connection.close();
});

test('a filter walks over nothing that it does not show: each type and pair is a stretch of an index', () => {
  const db = makeJournal();
  const statements = statementsOf(db, () => {
    for (const pairId of [undefined, 'pair_1']) {
      for (const filter of FILTERS)
        for (const after of [undefined, 5]) listActivity(db, HARBOUR, { filter, pairId, after });
      countActivity(db, HARBOUR, { pairId });
    }
  });
  const values = { workspace: '', type: '', pair: '', above: 0, below: 0, max: 1 };
  const steps = statements.flatMap((sql) => {
    const given = sql.includes('@') ? [values] : [...sql.matchAll(/\?/g)].map(() => '');
    return db.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...given) as { detail: string }[];
  });
  const details = new Set(steps.map(({ detail }) => detail).filter((detail) => /\bevent\b/.test(detail)));
  assert.deepEqual(
    [...details].sort(),
    [
      'SEARCH event USING COVERING INDEX event_type (workspace_id=? AND type=? AND pair_id=? AND rowid>? AND rowid<?)',
      'SEARCH event USING COVERING INDEX event_type (workspace_id=? AND type=? AND pair_id=?)',
      'SEARCH event USING COVERING INDEX event_type (workspace_id=? AND type=? AND pair_id>?)',
      'SEARCH event USING COVERING INDEX event_type (workspace_id=? AND type=?)',
      'SEARCH event USING COVERING INDEX event_type (workspace_id=? AND type>?)',
      'SEARCH event USING INDEX event_type (workspace_id=? AND type=? AND pair_id=? AND rowid>? AND rowid<?)',
      'SEARCH event USING INDEX event_type (workspace_id=? AND type=? AND pair_id=?)',
      'SEARCH event USING INDEX event_type (workspace_id=? AND type=?)',
      'SEARCH event USING INDEX event_workspace (workspace_id=? AND seq>? AND seq<?)',
      'SEARCH event USING INTEGER PRIMARY KEY (rowid=?)',
    ],
    'without a payload but of lost stores',
  );
  assert.ok(![...details].some((detail) => /SCAN|TEMP B-TREE/.test(detail)));
  db.connection.close();
});
