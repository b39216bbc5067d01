import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

const put = rawStatement<[key: string, value: string]>(
  'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
);
const remove = rawStatement<[key: string]>('DELETE FROM meta WHERE key = ?');

/** Keeps a small fact of the instance; null forgets it. */
export function setMeta(tx: Tx, key: string, value: string | null): void {
  if (value === null) remove(tx).run(key);
  else put(tx).run(key, value);
}
