import { type Db, type Tx, transact } from './database.ts';

/**
 * `transact` without waiting for the disk: a power cut may undo it, a killed process can't. For what may be undone at no loss, such as a
 * job's claim or its end (then the job runs once more, and jobs are idempotent), and for what `durable` is awaited after.
 * Later commits keep their order behind it.
 */
export function transactRelaxed<T>(db: Db, work: (tx: Tx) => T extends PromiseLike<unknown> ? never : T): T {
  return transact<T>(db, work, 'relaxed');
}
