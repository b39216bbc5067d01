import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

const byKey = rawStatement<[key: string], { readonly value: string }>('SELECT value FROM meta WHERE key = ?');
const byPrefix = rawStatement<[prefix: string, end: string], { readonly key: string; readonly value: string }>(
  'SELECT key, value FROM meta WHERE key >= ? AND key < ? ORDER BY key',
);

export function findMeta(db: Db, key: string): string | null {
  return byKey(db).get(key)?.value ?? null;
}

/** All facts whose key begins with `prefix`, by the rest of the key. */
export function listMeta(db: Db, prefix: string): ReadonlyMap<string, string> {
  const rows = byPrefix(db).all(prefix, `${prefix}\u{10ffff}`);
  return new Map(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}
