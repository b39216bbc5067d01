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
  prepared.run(...encodeAll(columns, set), ...encodeAll(columns, where));
}

/** `INSERT INTO table ...` of a whole row, prepared once; with `conflictOn`, the row that has these columns already takes the new values. */
export function cachedInsert<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  row: T['$inferSelect'],
  conflictOn: readonly (keyof T['$inferSelect'] & string)[] = [],
): void {
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
  const names = Object.keys(row);
  const key = `insert ${getTableName(table)} ${names.join()} ${conflictOn.join()}`;
  let prepared = tx.statements.get(key) as { run(...values: unknown[]): unknown } | undefined;
  if (prepared === undefined) {
    const quoted = (list: readonly string[]) => list.map((name) => `"${columns[name]?.name}"`).join(', ');
    const rest = names.filter((name) => !conflictOn.includes(name));
    const change = rest.map((name) => `"${columns[name]?.name}" = excluded."${columns[name]?.name}"`).join(', ');
    const update = conflictOn.length === 0 ? '' : ` ON CONFLICT (${quoted(conflictOn)}) DO UPDATE SET ${change}`;
    const places = names.map(() => '?').join(', ');
    prepared = tx.connection.prepare(
      `INSERT INTO "${getTableName(table)}" (${quoted(names)}) VALUES (${places})${update}`,
    );
    tx.statements.set(key, prepared);
  }
  prepared.run(...encodeAll(columns, row));
}

function encodeAll(columns: Record<string, SQLiteColumn>, values: object): unknown[] {
  return Object.keys(values).map((name) => {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    return value === null || value === undefined ? null : columns[name]?.mapToDriverValue(value);
  });
}
