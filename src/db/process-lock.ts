import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StartupError } from '../lib/startup-error.ts';

/** Who holds the lock: for people, never to decide by. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO-8601. */
  readonly startedAt: string;
}

export interface ProcessLock {
  release(): void;
}

/** Keeps the connections reachable: a collected one would close itself, and give the lock away in silence. */
const held = new Set<Database.Database>();

/**
 * One process per data directory. The lock is an exclusive SQLite transaction on a file of its own, that is, a lock of the operating system: it is
 * gone at the instant its process is, however that ended, so there is nothing to expire, to beat, or to guess from process ids (which
 * mean nothing between containers). Throws `StartupError` while another process holds it.
 */
export function acquireProcessLock(dataDir: string, owner: LockOwner): ProcessLock {
  const ownerFile = join(dataDir, 'process.json');
  const connection = new Database(join(dataDir, 'process.lock'), { timeout: 0 });
  try {
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
    throw new StartupError(
      `Another process is already using ${dataDir}${describe(readOwner(ownerFile))}.`,
      'Stop it first, or give this one a DATA_DIR of its own.',
    );
  }
  held.add(connection);
  try {
    writeFileSync(ownerFile, `${JSON.stringify(owner)}\n`);
  } catch {
    // The disk is full: who is refused is told no name, and that is all.
  }
  return {
    release() {
      if (!held.delete(connection)) return;
      rmSync(ownerFile, { force: true });
      connection.close();
    },
  };
}

function readOwner(file: string): LockOwner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function describe(owner: LockOwner | null): string {
  return owner === null ? '' : ` (process ${owner.pid} on ${owner.host}, since ${owner.startedAt})`;
}
