/**
 * Locks per (store, remote record), held in memory: one process owns the database, and what must survive a crash is an intent.
 * They are per record and not per binding, because two pairs of one store must never write one record at once.
 */
export interface RecordLocks {
  /** All or nothing; null when one of them is taken. Call the result to release. */
  tryAcquire(keys: readonly string[]): (() => void) | null;
}

export function createRecordLocks(): RecordLocks {
  const taken = new Set<string>();
  return {
    tryAcquire(keys) {
      const own = [...new Set(keys)];
      if (own.some((key) => taken.has(key))) return null;
      for (const key of own) taken.add(key);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const key of own) taken.delete(key);
      };
    },
  };
}

/** How long a job waits for a record that another job holds, ms. */
export const LOCK_WAIT_MS = 40;

export function productLock(storeId: string, externalId: string): string {
  return `product:${storeId}:${externalId}`;
}

export function stockLock(storeId: string, stockId: string): string {
  return `stock:${storeId}:${stockId}`;
}
