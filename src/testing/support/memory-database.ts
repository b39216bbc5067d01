import { type Db, openDatabase } from '../../db/database.ts';
import { migrateMemory } from '../../db/migrate.ts';

/** A fresh migrated database in memory: the real SQLite, without the disk. */
export function openMemoryDatabase(): Db {
  const db = openDatabase({ file: ':memory:', synchronous: 'off' });
  migrateMemory(db);
  return db;
}
