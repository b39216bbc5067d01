import { promises } from 'node:fs';
import { dirname } from 'node:path';
import type { Db } from './database.ts';

const KEY = Symbol('log');

/**
 * Waits until everything that is committed by now would survive a power cut, while the event loop goes on: the write-ahead log is flushed
 * by another thread, and all who wait at the same time share a flush. A commit that waits for the disk by itself (`transact`) stops
 * everything else meanwhile. Rejects when the disk fails.
 */
export function durable(db: Db): Promise<void> {
  if (db.synchronous !== 'full') return Promise.resolve();
  let log = db.statements.get(KEY) as Log | undefined;
  if (log === undefined) {
    log = new Log(`${db.connection.name}-wal`);
    db.statements.set(KEY, log);
  }
  return log.flushed();
}

/** Before the database is closed: what waits is waited for no more. */
export function endDurable(db: Db): void {
  (db.statements.get(KEY) as Log | undefined)?.close();
  db.statements.delete(KEY);
}

/** SQLite keeps one log file for as long as a connection is open, and locks the two other files: this one may be opened beside it. */
class Log {
  readonly #path: string;
  #file: Promise<promises.FileHandle> | null = null;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  flushed(): Promise<void> {
    // A flush that has begun may have missed what was committed since; the one after it can't.
    if (this.#running === null) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  close(): void {
    this.#file?.then(
      (file) => file.close(),
      () => undefined,
    );
    this.#file = null;
  }

  #begin(): Promise<void> {
    this.#next = null;
    const own = this.#flush().finally(() => {
      if (this.#running === own) this.#running = null;
    });
    this.#running = own;
    return own;
  }

  async #flush(): Promise<void> {
    this.#file ??= openLog(this.#path);
    try {
      await (await this.#file).datasync();
    } catch (error) {
      this.close();
      throw error;
    }
  }
}

/** Its name in the directory is made to last, too. */
async function openLog(path: string): Promise<promises.FileHandle> {
  const directory = await promises.open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
  return promises.open(path, 'r+');
}
