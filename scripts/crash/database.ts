import Database from 'better-sqlite3';

/** Looks at the server's database from another process. */
export function withDatabase<T>(dataDir: string, work: (database: Database.Database) => T): T {
  const database = new Database(`${dataDir}/twinshelf.db`);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

export function quickCheck(dataDir: string): string {
  return withDatabase(dataDir, (database) => String(database.pragma('quick_check', { simple: true })));
}
