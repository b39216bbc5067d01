import type { StoreId } from '../../model/ids.ts';
import type { Tx } from '../database.ts';
import { rawStatement } from '../raw-statement.ts';

export interface Delivery {
  readonly storeId: StoreId;
  readonly deliveryId: string;
  readonly topic: string;
  /** Milliseconds. */
  readonly receivedAt: number;
}

const insert = rawStatement<[store: string, delivery: string, topic: string, receivedAt: number]>(
  'INSERT INTO delivery (store_id, delivery_id, topic, received_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
);

/** Remembers a webhook delivery. False: this store has sent it before, and nothing is to be done. */
export function insertDelivery(tx: Tx, delivery: Delivery): boolean {
  return insert(tx).run(delivery.storeId, delivery.deliveryId, delivery.topic, delivery.receivedAt).changes === 1;
}

const prune = rawStatement<[before: number, max: number]>(
  'DELETE FROM delivery WHERE rowid IN (SELECT rowid FROM delivery WHERE received_at < ? LIMIT ?)',
);

/** Forgets deliveries received before `beforeMs`, at most `max` of them, so that the transaction stays short. Returns how many went. */
export function pruneDeliveries(tx: Tx, beforeMs: number, max: number): number {
  return prune(tx).run(beforeMs, max).changes;
}
