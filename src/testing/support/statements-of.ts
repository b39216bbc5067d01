import type { Db } from '../../db/database.ts';

/** The SQL that is prepared while `use` runs, each once, in the order of its first time. What was prepared before is kept by the database, and not seen. */
export function statementsOf(db: Db, use: () => void): readonly string[] {
  const statements = new Set<string>();
  const prepare = db.connection.prepare.bind(db.connection);
  db.connection.prepare = ((sql: string) => {
    statements.add(sql);
    return prepare(sql);
  }) as typeof db.connection.prepare;
  try {
    use();
  } finally {
    db.connection.prepare = prepare;
  }
  return [...statements];
}
