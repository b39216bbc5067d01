import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../lib/time.ts';
import type { PairId, ProductId, UserId, WorkspaceId } from '../../model/ids.ts';
import { openMemoryDatabase } from '../../testing/support/memory-database.ts';
import { type Db, type Tx, transact } from '../database.ts';
import { insertAuditEntry, pruneAccounts } from './accounts.ts';
import { pruneEvents, recordEvent } from './events.ts';
import { recordChange } from './history.ts';
import { pruneChanges } from './prune-history.ts';
import { insertRefreshToken, insertSession } from './sessions.ts';

const PORTION = 200;
const WORKSPACE = 'ws_1' as WorkspaceId;
/** More than two portions, and the last ones young. */
const OLD = PORTION * 2 + 10;
const YOUNG = 30;
const NOW = 1_000;
const EVERYTHING = 1_000_000;

function fill(insert: (tx: Tx, at: number) => void): Db {
  const db = openMemoryDatabase();
  transact(db, (tx) => {
    for (let n = 0; n < OLD + YOUNG; n += 1) insert(tx, n < OLD ? 1 : NOW);
  });
  return db;
}

/** Puts a view that counts how often `at` is looked at in the place of a table. */
function countLooks(db: Db, table: string): () => number {
  let looks = 0;
  const { connection } = db;
  connection.function('looked_at', (at) => {
    looks += 1;
    return at;
  });
  const columns = connection.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  connection.exec(`
    ALTER TABLE ${table} RENAME TO kept;
    CREATE VIEW ${table} AS SELECT ${columns.map((name) => (name === 'at' ? 'looked_at(at) AS at' : `"${name}"`)).join(', ')} FROM kept;
    CREATE TRIGGER gone INSTEAD OF DELETE ON ${table} BEGIN DELETE FROM kept WHERE seq = old.seq; END;`);
  return () => looks;
}

const left = (db: Db): number => Number(db.connection.prepare('SELECT count(*) FROM kept').pluck().get());

/** Portion by portion until nothing goes; none may look at more than it may drop. */
function dropAll(db: Db, table: string, portion: (tx: Tx) => number): void {
  const looks = countLooks(db, table);
  for (let gone = 1; gone > 0; ) {
    const before = { left: left(db), looks: looks() };
    transact(db, portion);
    gone = before.left - left(db);
    assert.ok(gone <= PORTION, `${gone} rows went at once`);
    // One row is looked at to find it, and once more to drop it.
    const looked = looks() - before.looks;
    assert.ok(looked <= 2 * PORTION, `${looked} rows were looked at`);
  }
  assert.equal(left(db), YOUNG);
}

test('the journal is pruned in small steps, each of which looks at the oldest events only', () => {
  const db = fill((tx, at) => recordEvent(tx, { workspaceId: WORKSPACE, pairId: null, type: 'x', payload: {}, at }));
  dropAll(db, 'event', (tx) => pruneEvents(tx, { beforeMs: NOW, keepMax: EVERYTHING, max: PORTION }));
});

test('events that are too many go in small steps, too', () => {
  const db = fill((tx, at) => recordEvent(tx, { workspaceId: WORKSPACE, pairId: null, type: 'x', payload: {}, at }));
  dropAll(db, 'event', (tx) => pruneEvents(tx, { beforeMs: 0, keepMax: YOUNG, max: PORTION }));
});

test('the history of fields is pruned in small steps', () => {
  const db = fill((tx, at) =>
    recordChange(tx, {
      ...{ pairId: 'pair_1' as PairId, runId: null, productId: 'prd_1' as ProductId, variantId: null },
      ...{ field: 'title', origin: null, target: null, from: 'a', to: 'b', cause: 'person', at },
    }),
  );
  dropAll(db, 'change', (tx) => pruneChanges(tx, NOW, PORTION));
});

test('the log of who did what is pruned in small steps', () => {
  const db = fill((tx, at) =>
    insertAuditEntry(tx, {
      ...{ workspaceId: WORKSPACE, actorId: null, apiTokenId: null, action: 'login', target: null, details: null, at },
    }),
  );
  const ages = { now: NOW, auditBefore: NOW, auditMax: PORTION, mailBefore: 0, replyBefore: 0 };
  dropAll(db, 'audit_entry', (tx) => pruneAccounts(tx, ages));
});

test('sessions that have ended go with their tokens, and so do tokens that were exchanged long ago, in small steps', () => {
  const db = openMemoryDatabase();
  const now = 100 * DAY_MS;
  const count = (table: string): number => Number(db.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  const signIn = (tx: Tx, id: string, expiresAt: number): void =>
    insertSession(tx, {
      ...{ id, userId: 'usr_1' as UserId, workspaceId: WORKSPACE, isRemembered: true, device: '' },
      ...{ provedAt: 0, createdAt: 0, lastSeenAt: 0, expiresAt, revokedAt: null, revokedReason: null },
    });
  const exchange = (tx: Tx, sessionId: string, hash: string, rotatedAt: number | null): void =>
    insertRefreshToken(tx, { hash, sessionId, createdAt: 0, rotatedAt });
  transact(db, (tx) => {
    signIn(tx, 'goes on', now + 1);
    for (let n = 0; n < OLD; n += 1) exchange(tx, 'goes on', `old ${n}`, now - 40 * DAY_MS);
    exchange(tx, 'goes on', 'of this month', now - 29 * DAY_MS);
    exchange(tx, 'goes on', 'good', null);
    for (let n = 0; n < OLD; n += 1) {
      signIn(tx, `over ${n}`, now - 1);
      exchange(tx, `over ${n}`, `over ${n}`, null);
    }
    for (let n = 0; n < OLD; n += 1) exchange(tx, 'over 0', `over, of a long session ${n}`, now - DAY_MS);
  });
  const ages = { now, auditBefore: 0, auditMax: PORTION, mailBefore: 0, replyBefore: 0 };
  for (let gone = 1; gone > 0; ) {
    const before = [count('session'), count('refresh_token')];
    gone = transact(db, (tx) => pruneAccounts(tx, ages));
    assert.ok(count('session') >= (before[0] ?? 0) - PORTION);
    assert.ok(count('refresh_token') >= (before[1] ?? 0) - 2 * PORTION);
  }
  assert.deepEqual([count('session'), count('refresh_token')], [1, 2]);
});
