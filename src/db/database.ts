import type Database from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { assert } from '../lib/assert.ts';
import { connect } from './connect.ts';
import { keepRows, undoRows } from './row-cache.ts';

declare const inTransaction: unique symbol;

export type Query = BetterSQLite3Database<Record<string, never>>;

/** An open database. Readers take this. */
export interface Db {
  readonly query: Query;
  readonly connection: Database.Database;
  /** Whether a commit waits for the disk. */
  readonly synchronous: 'full' | 'off';
  /** When the disk last took nothing, by `performance.now()`; null: never. */
  readonly disk: { failedAtMs: number | null };
  /** Called at the edges of each transaction. The journal streams after a commit; the simulator kills the process here. */
  readonly hooks: TransactionHooks;
  readonly statements: Map<unknown, unknown>;
}

/** A database inside a transaction. Writers need this, so that nothing is written outside of one. */
export interface Tx extends Db {
  readonly [inTransaction]: true;
}

export interface TransactionHooks {
  beforeCommit: (() => void) | null;
  readonly afterCommit: Set<() => void>;
}

export interface OpenOptions {
  /** A file path, or ':memory:'. */
  readonly file: string;
  /** `full` survives a power cut; `off` is for simulations in memory. */
  readonly synchronous?: 'full' | 'off';
}

/** Opens the file with the settings that every connection of ours has. Migrations are `migrate.ts`. */
export function openDatabase(options: OpenOptions): Db {
  const connection = connect(options.file);
  connection.pragma('journal_mode = WAL');
  connection.pragma(`synchronous = ${options.synchronous ?? 'full'}`);
  connection.pragma('foreign_keys = ON');
  connection.pragma('busy_timeout = 5000');
  connection.pragma('cache_size = -8000');
  // 16 MB of log: bringing it into the file stops everything for as long as the disk takes.
  connection.pragma('wal_autocheckpoint = 4000');
  connection.pragma('mmap_size = 0');
  connection.pragma('temp_store = MEMORY');
  return {
    query: drizzle(connection),
    connection,
    synchronous: options.synchronous ?? 'full',
    disk: { failedAtMs: null },
    hooks: { beforeCommit: null, afterCommit: new Set() },
    statements: new Map(),
  };
}

/** SQLite's and the system's words for a disk that takes nothing. */
const DISK_CODES = /^(SQLITE_(FULL|READONLY|IOERR|CANTOPEN)(_|$)|ENOSPC$|EDQUOT$|EROFS$)/;

export function isDiskError(error: unknown): boolean {
  return DISK_CODES.test(String((error as { code?: unknown } | null)?.code ?? ''));
}

type NotPromise<T> = T extends PromiseLike<unknown> ? never : T;

/**
 * Runs `work` in one transaction: all of it commits, or none. Short and synchronous: a callback that returns a promise
 * does not compile, so that no network call can hold the write lock. `relaxed`: `relaxed.ts`.
 */
export function transact<T>(db: Db, work: (tx: Tx) => NotPromise<T>, wait: 'full' | 'relaxed' = 'full'): T {
  const { connection, hooks } = db;
  const edges = edgesOf(db);
  try {
    if (db.synchronous === 'full') waitForDisk(connection, wait);
    edges.begin.run();
  } catch (error) {
    assert(!connection.inTransaction, 'transactions are not nested');
    throw error;
  }
  let result: NotPromise<T>;
  try {
    result = work(db as Tx);
    hooks.beforeCommit?.();
    edges.commit.run();
    keepRows(db);
  } catch (error) {
    if (connection.open && connection.inTransaction) connection.exec('ROLLBACK');
    undoRows(db);
    keepRows(db);
    if (isDiskError(error)) db.disk.failedAtMs = performance.now();
    throw error;
  }
  for (const listener of hooks.afterCommit) listener();
  return result as T;
}

/** Which commits of a connection wait for the disk now: telling SQLite costs as much as a small query, and most say the same as the last. */
const waits = new WeakMap<Database.Database, 'full' | 'relaxed'>();

function waitForDisk(connection: Database.Database, wait: 'full' | 'relaxed'): void {
  if ((waits.get(connection) ?? 'full') === wait) return;
  connection.pragma(`synchronous = ${wait === 'full' ? 'FULL' : 'NORMAL'}`);
  waits.set(connection, wait);
}

/** One step of a transaction: what `work` stored is undone when it throws, and the steps before it stay. The error is thrown on. */
export function step<T>(tx: Tx, work: () => NotPromise<T>): T {
  const edges = edgesOf(tx);
  edges.savepoint.run();
  try {
    const result = work();
    edges.release.run();
    return result as T;
  } catch (error) {
    if (tx.connection.open && tx.connection.inTransaction) {
      edges.undo.run();
      edges.release.run();
    }
    undoRows(tx);
    throw error;
  }
}

const EDGES = Symbol('edges');

interface Edges {
  readonly begin: Database.Statement;
  readonly commit: Database.Statement;
  readonly savepoint: Database.Statement;
  readonly undo: Database.Statement;
  readonly release: Database.Statement;
}

function edgesOf(db: Db): Edges {
  let edges = db.statements.get(EDGES) as Edges | undefined;
  if (edges === undefined) {
    edges = {
      begin: db.connection.prepare('BEGIN IMMEDIATE'),
      commit: db.connection.prepare('COMMIT'),
      savepoint: db.connection.prepare('SAVEPOINT step'),
      undo: db.connection.prepare('ROLLBACK TO step'),
      release: db.connection.prepare('RELEASE step'),
    };
    db.statements.set(EDGES, edges);
  }
  return edges;
}

/**
 * A statement that is built and prepared once per database and used many times: hot paths pay for the SQL text once.
 * `const byId = statement((query) => query.select().from(pair).where(eq(pair.id, sql.placeholder('id'))).prepare());`
 */
export function statement<S>(build: (query: Query) => S): (db: Db) => S {
  return (db) => {
    let prepared = db.statements.get(build) as S | undefined;
    if (prepared === undefined) {
      prepared = build(db.query);
      db.statements.set(build, prepared);
    }
    return prepared;
  };
}
