import type { StoreId } from '../../model/ids.ts';
import type { Db } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

const anySince = rawStatement<[storeId: string, since: number], { one: 1 }>(
  'SELECT 1 AS one FROM delivery WHERE store_id = ? AND received_at >= ? LIMIT 1',
);

/** Whether a store has delivered anything since `since` (ms); only what was signed is kept. */
export function hasDelivered(db: Db, storeId: StoreId, since: number): boolean {
  return anySince(db).get(storeId, since) !== undefined;
}
