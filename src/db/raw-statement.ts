import type Database from 'better-sqlite3';
import type { Db } from './database.ts';

/**
 * Plain SQL, prepared once per database: for the few hot paths where drizzle's mapping costs more than the query
 * (a webhook's inbox row, claiming a job). Everything else uses drizzle through `statement`.
 */
export function rawStatement<Params extends readonly unknown[], Row = never>(
  sql: string,
): (db: Db) => Database.Statement<[...Params], Row> {
  const key = { sql };
  return (db) => {
    let prepared = db.statements.get(key) as Database.Statement<[...Params], Row> | undefined;
    if (prepared === undefined) {
      prepared = db.connection.prepare<[...Params], Row>(sql);
      db.statements.set(key, prepared);
    }
    return prepared;
  };
}
