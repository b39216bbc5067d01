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
  const setNames = Object.keys(set);
  const whereNames = Object.keys(where);
  if (setNames.length === 0) return;
  const { columns, updates } = statementsOf(tx, table);
  const key = `${setNames.join()} ${whereNames.join()}`;
  let prepared = updates.get(key);
  if (prepared === undefined) {
    const assign = (name: string) => `"${columns[name]?.name}" = ?`;
    prepared = tx.connection.prepare(
      `UPDATE "${getTableName(table)}" SET ${setNames.map(assign).join(', ')} WHERE ${whereNames.map(assign).join(' AND ')}`,
    );
    updates.set(key, prepared);
  }
  const values: unknown[] = [];
  encodeAll(values, columns, set);
  encodeAll(values, columns, where);
  prepared.run(...values);
}

/** `INSERT INTO table ...` of a whole row, prepared once; with `conflictOn`, the row that has these columns already takes the new values. */
export function cachedInsert<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  row: T['$inferSelect'],
  conflictOn: readonly (keyof T['$inferSelect'] & string)[] = [],
): void {
  const { columns, inserts } = statementsOf(tx, table);
  const names = Object.keys(row);
  const key = `${names.join()} ${conflictOn.join()}`;
  let prepared = inserts.get(key);
  if (prepared === undefined) {
    const quoted = (list: readonly string[]) => list.map((name) => `"${columns[name]?.name}"`).join(', ');
    const rest = names.filter((name) => !conflictOn.includes(name));
    const change = rest.map((name) => `"${columns[name]?.name}" = excluded."${columns[name]?.name}"`).join(', ');
    const update = conflictOn.length === 0 ? '' : ` ON CONFLICT (${quoted(conflictOn)}) DO UPDATE SET ${change}`;
    const places = names.map(() => '?').join(', ');
    prepared = tx.connection.prepare(
      `INSERT INTO "${getTableName(table)}" (${quoted(names)}) VALUES (${places})${update}`,
    );
    inserts.set(key, prepared);
  }
  const values: unknown[] = [];
  encodeAll(values, columns, row);
  prepared.run(...values);
}

function encodeAll(into: unknown[], columns: Record<string, SQLiteColumn>, values: object): void {
  for (const name of Object.keys(values)) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    into.push(value === null || value === undefined ? null : columns[name]?.mapToDriverValue(value));
  }
}

interface Prepared {
  run(...values: unknown[]): unknown;
}

/** A table's statements, by the names of the columns that they set. */
interface TableStatements {
  readonly columns: Record<string, SQLiteColumn>;
  readonly updates: Map<string, Prepared>;
  readonly inserts: Map<string, Prepared>;
}

function statementsOf(tx: Tx, table: SQLiteTable): TableStatements {
  let known = tx.statements.get(table) as TableStatements | undefined;
  if (known === undefined) {
    const columns = getTableColumns(table) as Record<string, SQLiteColumn>;
    known = { columns, updates: new Map(), inserts: new Map() };
    tx.statements.set(table, known);
  }
  return known;
}
