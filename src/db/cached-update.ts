import { getTableColumns, getTableName } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Tx } from './database.ts';

/**
 * `UPDATE table SET ... WHERE ...` whose text is built once per set of columns: drizzle builds and prepares it anew at every call, which
 * costs more than the update. Values are encoded by the columns themselves.
 */
export function cachedUpdate<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  set: Partial<T['$inferSelect']>,
  where: Partial<T['$inferSelect']>,
): void {
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
  const setNames = Object.keys(set);
  const whereNames = Object.keys(where);
  if (setNames.length === 0) return;
  const key = `update ${getTableName(table)} ${setNames.join()} ${whereNames.join()}`;
  let prepared = tx.statements.get(key) as { run(...values: unknown[]): unknown } | undefined;
  if (prepared === undefined) {
    const assign = (name: string) => `"${columns[name]?.name}" = ?`;
    prepared = tx.connection.prepare(
      `UPDATE "${getTableName(table)}" SET ${setNames.map(assign).join(', ')} WHERE ${whereNames.map(assign).join(' AND ')}`,
    );
    tx.statements.set(key, prepared);
  }
  const encode = (name: string, value: unknown) =>
    value === null || value === undefined ? null : columns[name]?.mapToDriverValue(value);
  prepared.run(
    ...setNames.map((name) => encode(name, (set as Record<string, unknown>)[name])),
    ...whereNames.map((name) => encode(name, (where as Record<string, unknown>)[name])),
  );
}
