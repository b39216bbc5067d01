import assert from 'node:assert/strict';
import { test } from 'node:test';
import { and, eq, isNotNull } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import { SIDES } from '../../model/platform.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { SeededRandom } from '../../testing/simulator/random.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { type Db, transact } from '../database.ts';
import { conflict, problem } from '../schema/history.ts';
import { pair } from '../schema/pair.ts';
import { product, productBinding, variantBinding } from '../schema/product.ts';
import { listMissingDeleted } from '../writers/scan-marks.ts';
import { insertWorkspace } from '../writers/workspaces.ts';
import { findWorkspaceConflict, listConflicts } from './list-conflicts.ts';
import { listRecords } from './list-records.ts';
import { countBound, countListed } from './products.ts';
import { countStates, type RecordState, recordState } from './record-states.ts';
import type { FieldOwner } from './record-summary.ts';
import { searchRecords } from './search-records.ts';

const HARBOUR = 'ws_harbour' as WorkspaceId;
const OTHER = 'ws_other' as WorkspaceId;
/** Where the second pair is made: one workspace has each store once. */
const THIRD = 'ws_third' as WorkspaceId;
const STATES: readonly RecordState[] = ['level', 'pending', 'conflict', 'failed', 'unlinked', 'deleted'];
const RECORDS = 120;
const AT = Date.UTC(2026, 0, 5);

/** Two pairs in one workspace and one in another, with records in every mixture of states, several of one moment. */
function makeShelves(seed: string): Db {
  const db = openMemoryDatabase();
  const random = new SeededRandom(seed);
  const maybe = (share: number) => random.chance(share);
  transact(db, (tx) => {
    for (const id of [HARBOUR, THIRD, OTHER]) insertWorkspace(tx, { id, name: id, isDemo: false, createdAt: AT });
  });
  const worlds = [
    insertWorld(db, HARBOUR, AT, 'a' as WorkspaceId),
    insertWorld(db, THIRD, AT, 'b' as WorkspaceId),
    insertWorld(db, OTHER, AT, 'c' as WorkspaceId),
  ];
  db.query.update(pair).set({ workspaceId: HARBOUR }).where(eq(pair.workspaceId, THIRD)).run();
  transact(db, (tx) => {
    for (const { pairId, productId } of worlds) {
      const [row] = tx.query.select().from(product).where(eq(product.id, productId)).all();
      const bindings = tx.query.select().from(productBinding).where(eq(productBinding.productId, productId)).all();
      const stocks = tx.query.select().from(variantBinding).where(eq(variantBinding.productId, productId)).all();
      const [clash] = tx.query.select().from(conflict).where(eq(conflict.productId, productId)).all();
      const [trouble] = tx.query.select().from(problem).where(eq(problem.productId, productId)).all();
      assert.ok(row && clash && trouble);
      for (let n = 0; n < RECORDS; n += 1) {
        const id = `${productId}_${n}` as typeof productId;
        const state = maybe(0.1) ? 'deleted' : 'live';
        tx.query
          .insert(product)
          .values({ ...row, id, state, updatedAt: AT + (n % 7) })
          .run();
        for (const one of bindings) {
          if (maybe(0.1)) continue;
          const externalId = maybe(0.1) ? null : `${one.side}_${n}`;
          const intent = maybe(0.1) ? ({ type: 'create' } as never) : null;
          tx.query
            .insert(productBinding)
            .values({ ...one, productId: id, externalId, intent })
            .run();
        }
        for (const one of stocks) {
          const own = { productId: id, variantId: `${one.variantId}_${n}` as typeof one.variantId };
          const open = { externalId: `${one.side}_${n}`, intentKey: maybe(0.1) ? 'key' : null };
          tx.query
            .insert(variantBinding)
            .values({ ...one, ...own, ...open })
            .run();
        }
        if (maybe(0.2)) {
          const open = { id: `${clash.id}_${n}` as typeof clash.id, state: maybe(0.5) ? 'open' : 'closed' } as const;
          tx.query
            .insert(conflict)
            .values({ ...clash, ...open, productId: id })
            .run();
        }
        if (maybe(0.2)) {
          const own = { id: `${trouble.id}_${n}` as typeof trouble.id, productId: id, subject: id, pairId };
          const open = { state: maybe(0.5) ? 'open' : 'closed', level: maybe(0.5) ? 'error' : 'warning' } as const;
          tx.query
            .insert(problem)
            .values({ ...trouble, ...own, ...open })
            .run();
        }
      }
    }
  });
  return db;
}

/** Every record of these pairs with its state, one by one, in the order of lists. */
function lookAtAll(db: Db, pairIds: readonly string[]) {
  return db.query
    .select({ id: product.id, pairId: product.pairId, at: product.updatedAt, state: recordState })
    .from(product)
    .all()
    .filter((row) => pairIds.includes(row.pairId))
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}

async function readPages(db: Db, filter: Parameters<typeof listRecords>[2], q?: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const request = { ...filter, limit: 17, cursor };
    const page =
      q === undefined ? listRecords(db, HARBOUR, request) : await searchRecords(db, HARBOUR, { ...request, q }, noTurn);
    for (const row of page.rows) {
      ids.push(row.id);
      if (filter.state !== undefined) assert.equal(row.state, filter.state);
    }
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
  }
}

const noTurn = async () => undefined;

test('counts and pages by state are what looking at every single record gives, over one pair and over several', async () => {
  for (const seed of ['one', 'two', 'three']) {
    const db = makeShelves(seed);
    for (const [pairId, pairIds] of [
      [undefined, ['pair_a', 'pair_b']],
      ['pair_b', ['pair_b']],
      // Of another workspace.
      ['pair_c', []],
    ] as const) {
      const all = lookAtAll(db, pairIds);
      const counts = countStates(db, HARBOUR, pairId);
      assert.deepEqual(
        await readPages(db, { pairId }),
        all.map(({ id }) => id),
      );
      for (const state of STATES) {
        const expected = all.filter((row) => row.state === state).map(({ id }) => id);
        assert.ok(expected.length > 0 || pairIds.length === 0, 'every state is there');
        assert.equal(counts[state], expected.length, state);
        assert.deepEqual(await readPages(db, { pairId, state }), expected, state);
        assert.deepEqual(await readPages(db, { pairId, state }, 'mug'), expected, `${state}, searched for`);
      }
      const found = await searchRecords(db, HARBOUR, { pairId, q: 'mug' }, noTurn);
      assert.deepEqual(found.stateCounts, counts, 'as when something was typed');
    }
    db.connection.close();
  }
});

test('lists and counts read small indexes, not the rows', () => {
  const db = makeShelves('plan');
  const plans: string[] = [];
  const prepare = db.connection.prepare.bind(db.connection);
  db.connection.prepare = ((text: string) => {
    if (text.includes('product')) {
      const steps = prepare(`EXPLAIN QUERY PLAN ${text}`);
      const names = [...text.matchAll(/\?|:\w+/g)].map(() => null);
      const rows = text.includes(':pair') ? steps.all({ pair: '' }) : steps.all(...names);
      plans.push(...(rows as { detail: string }[]).map(({ detail }) => detail));
    }
    return prepare(text);
  }) as typeof db.connection.prepare;
  countStates(db, HARBOUR, undefined);
  for (const state of [undefined, ...STATES]) listRecords(db, HARBOUR, { state });
  assert.ok(plans.some((step) => step.includes('product_recent')));
  assert.ok(plans.some((step) => step.includes('COVERING INDEX product_binding_linked')));
  const scans = plans.filter((step) => /^SCAN (product|product_binding|variant_binding)\b/.test(step));
  assert.deepEqual(scans, []);
});

test('how many records are bound, and were listed, is counted right, and no product is read for it', () => {
  const db = makeShelves('bound');
  db.connection.exec('UPDATE product_binding SET seen_in_scan = rowid % 4');
  const pairs = db.query.select({ id: pair.id }).from(pair).all();
  for (const { id } of pairs) {
    for (const side of SIDES) {
      const rows = db.query
        .select({ seen: productBinding.seenInScan })
        .from(productBinding)
        .innerJoin(product, and(eq(product.id, productBinding.productId), eq(product.state, 'live')))
        .where(and(eq(productBinding.pairId, id), eq(productBinding.side, side), isNotNull(productBinding.externalId)))
        .all();
      assert.ok(rows.length > 20);
      assert.equal(countBound(db, id, side), rows.length);
      for (const scan of [0, 2, 3])
        assert.equal(countListed(db, id, side, scan), rows.filter((row) => row.seen >= scan).length);
    }
  }
  const sqls = [...db.statements.keys()].flatMap((key) =>
    typeof key === 'object' &&
    key !== null &&
    'sql' in key &&
    /product_binding WHERE pair_id = :pair/.test(String(key.sql))
      ? [String(key.sql)]
      : [],
  );
  assert.equal(sqls.length, 2);
  for (const sql of sqls) {
    const steps = db.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ pair: '', side: '', scan: 0 }) as {
      detail: string;
    }[];
    for (const { detail } of steps) {
      assert.doesNotMatch(detail, /^SCAN (?!CONSTANT)/, sql);
      if (/^SEARCH p\b/.test(detail)) assert.match(detail, /product_deleted/, 'only of those that are deleted');
    }
  }
});

test('what is deleted and was not listed is found by the index of what is deleted, the longest ago first', () => {
  const db = makeShelves('missing');
  db.connection.exec('UPDATE product_binding SET seen_in_scan = rowid % 4');
  let found = 0;
  for (const { id } of db.query.select({ id: pair.id }).from(pair).all()) {
    for (const side of SIDES) {
      const rows = db.query
        .select({ id: product.id, side: productBinding.side, seen: productBinding.seenInScan })
        .from(productBinding)
        .innerJoin(product, and(eq(product.id, productBinding.productId), eq(product.state, 'deleted')))
        .where(and(eq(productBinding.pairId, id), isNotNull(productBinding.externalId)))
        .all();
      const isListed = (productId: string) => rows.some((row) => row.id === productId && row.seen > 1);
      const expected = rows
        .filter((row) => row.side === side && !isListed(row.id))
        .sort((a, b) => a.seen - b.seen || (a.id < b.id ? -1 : 1));
      found += expected.length;
      for (const max of [2, 100])
        assert.deepEqual(
          listMissingDeleted(db, id, side, 1, max),
          expected.slice(0, max).map((row) => row.id),
        );
    }
  }
  assert.ok(found > 5, `${found}`);
  const [sql] = [...db.statements.keys()].flatMap((key) =>
    typeof key === 'object' && key !== null && 'sql' in key && /NOT EXISTS/.test(String(key.sql))
      ? [String(key.sql)]
      : [],
  );
  assert.ok(sql);
  const steps = db.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('', '', 0, 0) as { detail: string }[];
  assert.match(steps[0]?.detail ?? '', /^SEARCH p USING COVERING INDEX product_deleted/);
  assert.deepEqual(
    steps.filter(({ detail }) => detail.startsWith('SCAN')),
    [],
  );
});

test('a search looks at a hundred records at a time, in an index, and lets others have their turn in between', async () => {
  const db = makeShelves('search');
  const { n } = db.connection.prepare('SELECT count(*) AS n FROM product').get() as { n: number };
  db.connection.exec(`UPDATE variant SET sku = 'NEEDLE' WHERE rowid = (SELECT max(rowid) FROM variant)`);
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  for (const workspaceId of [HARBOUR, OTHER]) await searchRecords(db, workspaceId, { q: 'nothing like it' }, turn);
  assert.equal(turns, Math.floor(n / 3 / 100) * 3);
  const needles = [];
  for (const workspaceId of [HARBOUR, OTHER])
    needles.push(...(await searchRecords(db, workspaceId, { q: 'needle' }, noTurn)).rows);
  assert.deepEqual(
    needles.map(({ sku }) => typeof sku),
    ['string'],
  );
  const sqls = [...db.statements.keys()].flatMap((key) =>
    typeof key === 'object' && key !== null && 'sql' in key && /:pair AND \(updated_at, id\)/.test(String(key.sql))
      ? [String(key.sql)]
      : [],
  );
  assert.equal(sqls.length, 2);
  for (const sql of sqls) {
    const [step] = db.connection
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all({ pair: '', at: 0, id: '', skip: 1, q: '', endAt: 0, endId: '' }) as { detail: string }[];
    assert.match(
      step?.detail ?? '',
      /^SEARCH product USING (COVERING )?INDEX product_recent \(pair_id=\? AND \(updated_at,id\)/,
    );
  }
});

test('what a list holds of a record does not grow with its variants', () => {
  const db = makeShelves('summary');
  const [first] = listRecords(db, HARBOUR, { limit: 1 }).rows;
  assert.ok(first);
  const variants = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`var_${i}`, { sku: i < 2 ? '' : `S-${i}` }]),
  );
  db.connection
    .prepare("UPDATE product SET data = json_set(data, '$.variants', json(?)) WHERE id = ?")
    .run(JSON.stringify(variants), first.id);
  const [grown] = listRecords(db, HARBOUR, { limit: 1 }).rows;
  assert.deepEqual(grown, { ...first, variantCount: 2_000, sku: 'S-2' });
});

test('a conflict is shown with its own variant, and without the others', () => {
  const db = makeShelves('owner');
  const [row] = listConflicts(db, HARBOUR, { limit: 1 }).rows;
  assert.ok(row);
  const { productId } = row.conflict;
  const variants = { var_a: { sku: '', optionValues: ['A'] }, var_b: { sku: 'B', optionValues: ['B'] } };
  db.connection
    .prepare("UPDATE product SET data = json_set(data, '$.variants', json(?)) WHERE id = ?")
    .run(JSON.stringify(variants), productId);
  for (const [field, own] of [
    ['variant.var_a.price', variants.var_a],
    ['variant.gone.price', null],
    ['title', null],
  ] as const) {
    db.connection.prepare('UPDATE conflict SET field = ? WHERE id = ?').run(field, row.conflict.id);
    const owner: FieldOwner | null | undefined = findWorkspaceConflict(db, HARBOUR, row.conflict.id)?.owner;
    assert.deepEqual(owner?.variant, own);
    assert.equal(owner?.sku, 'B');
  }
});

test('what a run did is counted by outcome in an index', () => {
  const db = openMemoryDatabase();
  for (const sql of [
    'SELECT outcome, count(*) FROM run_item WHERE run_id = ? GROUP BY outcome',
    "SELECT * FROM run_item WHERE run_id = ? AND outcome = 'failed' AND subject > '' ORDER BY subject LIMIT 50",
  ]) {
    const steps = db.connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('') as { detail: string }[];
    assert.deepEqual(
      steps.map(({ detail }) => /^SEARCH run_item USING (COVERING )?INDEX run_item_outcome/.test(detail)),
      [true],
      sql,
    );
  }
});
