import { eq } from 'drizzle-orm';
import type { PairId, StoreId } from '../../model/ids.ts';
import { cachedUpdate } from '../cached-update.ts';
import type { Tx } from '../database.ts';
import { findStore } from '../readers/pairs.ts';
import { isOfSandbox } from '../readers/sandbox.ts';
import { type PairRow, pair } from '../schema/pair.ts';
import { type StoreRow, store } from '../schema/store.ts';
import { markSandboxGone } from './sandbox-gone.ts';

export function insertStore(tx: Tx, row: StoreRow): void {
  tx.query.insert(store).values(row).run();
}

export function updateStore(tx: Tx, id: StoreId, set: Partial<Omit<StoreRow, 'id'>>): void {
  cachedUpdate(tx, store, set, { id });
}

export function deleteStore(tx: Tx, id: StoreId): void {
  if (findStore(tx, id)?.isSandbox === true) markSandboxGone(tx, [id]);
  tx.query.delete(store).where(eq(store.id, id)).run();
}

export function setStoreStatus(tx: Tx, id: StoreId, status: StoreRow['status'], reason: string | null): void {
  updateStore(tx, id, { status, statusReason: reason });
}

export function insertPair(tx: Tx, row: PairRow): void {
  tx.query.insert(pair).values(row).run();
}

/** The pair alone: what belongs to it goes by `leaveBehind`. */
export function deletePairRow(tx: Tx, id: PairId): void {
  if (isOfSandbox(tx, { pairId: id, payload: null })) markSandboxGone(tx, [id]);
  tx.query.delete(pair).where(eq(pair.id, id)).run();
}

export function updatePair(tx: Tx, id: PairId, set: Partial<Omit<PairRow, 'id'>>): void {
  cachedUpdate(tx, pair, set, { id });
}
