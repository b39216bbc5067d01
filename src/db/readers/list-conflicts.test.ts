import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eq } from 'drizzle-orm';
import type { WorkspaceId } from '../../model/ids.ts';
import { insertWorld } from '../../testing/http/insert-world.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { type Db, transact } from '../database.ts';
import { type ConflictRow, conflict } from '../schema/history.ts';
import { insertWorkspace } from '../writers/workspaces.ts';
import { type ConflictListRow, listConflicts } from './list-conflicts.ts';

const SHOP = 'ws_shop' as WorkspaceId;
const AT = Date.UTC(2026, 0, 5);

/** A letter is a record, and each time it stands there a conflict of it, opened in this order. */
function makeConflicts(order: string): Db {
  const db = openMemoryDatabase();
  transact(db, (tx) => insertWorkspace(tx, { id: SHOP, name: 'Shop', isDemo: false, createdAt: AT }));
  const { conflictId } = insertWorld(db, SHOP, AT);
  const pattern = db.query.select().from(conflict).where(eq(conflict.id, conflictId)).get();
  assert.ok(pattern);
  transact(db, (tx) => {
    tx.query.delete(conflict).run();
    for (const [n, letter] of [...order].entries()) {
      const own = { id: `cfl_${n}`, productId: `prd_${letter}`, field: `field_${n}`, openedAt: AT + n };
      tx.query
        .insert(conflict)
        .values({ ...pattern, ...own } as ConflictRow)
        .run();
    }
  });
  return db;
}

/** Pages as words: a letter for each conflict. */
function readPages(db: Db, limit: number): string[] {
  const pages: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const { rows, nextCursor } = listConflicts(db, SHOP, { limit, cursor, state: 'open' });
    pages.push(rows.map(({ conflict: { productId } }: ConflictListRow) => productId.slice('prd_'.length)).join(''));
    if (nextCursor === null) return pages;
    cursor = nextCursor;
  }
}

test('conflicts of one record stand together, wherever its others were opened, and no page ends within a record', () => {
  // By time alone, a page of four would show one of a, and the other three pages later.
  const db = makeConflicts('abcdbcda');
  assert.deepEqual(readPages(db, 4), ['aadd', 'ccbb']);
  assert.deepEqual(readPages(db, 3), ['aa', 'dd', 'cc', 'bb']);
  assert.deepEqual(readPages(db, 5), ['aadd', 'ccbb']);
  assert.deepEqual(readPages(db, 100), ['aaddccbb']);
});

test('a record that alone has more than a page holds goes on on the next', () => {
  const db = makeConflicts('baaaaac');
  assert.deepEqual(readPages(db, 2), ['c', 'aa', 'aa', 'ab']);
});

test('within a record the newest stands first, and the total counts conflicts', () => {
  const db = makeConflicts('abab');
  const { rows, total } = listConflicts(db, SHOP, { state: 'open' });
  assert.deepEqual(
    rows.map((row) => row.conflict.id),
    ['cfl_3', 'cfl_1', 'cfl_2', 'cfl_0'],
  );
  assert.equal(total, 4);
});
