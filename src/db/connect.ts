import Database from 'better-sqlite3';

/** Parameters that are compared for equality, or limit a result. */
const WEIGHED = /(=|\bIS|\bLIMIT)\s*\?/gi;

/**
 * A connection whose prepared statements stay prepared. SQLite weighs a parameter that is compared for equality, or is a limit, as a hint for the
 * plan; where the planner had a choice, a new value makes it compile the statement again, and to it every value is new, because better-sqlite3
 * clears them after each call. That costs 10 to 60 µs a call, more than most queries. Only a bare parameter is weighed (SQLite's
 * `sqlite3ExprIsInteger`): behind a unary plus, which changes no value, it is passed by.
 */
export function connect(file: string): Database.Database {
  const connection = new Database(file);
  const prepare = connection.prepare.bind(connection);
  return Object.assign(connection, { prepare: (sql: string) => prepare(sql.replace(WEIGHED, '$1 +?')) });
}
