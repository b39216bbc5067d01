import type { SearchKey } from '../model/search-key.ts';
import type { Shop } from '../model/shop.ts';
import type { ProductSnapshot } from '../model/snapshot.ts';

/** A record as somebody else than its pass has just seen it, and when. */
export interface Sight {
  readonly at: number;
  readonly snapshot: ProductSnapshot;
}

/**
 * Locks per (shop, remote record), held in memory: one process owns the database, and what must survive a crash is an intent.
 * They are per record and not per binding, because two pairs of one shop must never write one record at once, whichever workspaces they are of.
 */
export interface RecordLocks {
  /**
   * All or nothing; null when one of them is taken. Call the result to release.
   * `waiter`: the key of the job that wants them: it is told as soon as one that was refused becomes free.
   */
  tryAcquire(keys: readonly string[], waiter?: string): (() => void) | null;
  /** What a listing, a search or another pass has just been shown of a record: kept for the pass that holds it, until it lets go. */
  noteSight(key: string, sight: Sight): void;
  /** The last one. */
  sightOf(key: string): Sight | undefined;
  /** Tells of sights of these records as they come. Call the result to end it. */
  onSight(keys: readonly string[], tell: (key: string, sight: Sight) => void): () => void;
}

/** `onFree` is called with the keys of jobs that were refused a lock which is free now. */
export function createRecordLocks(onFree: (jobKeys: readonly string[]) => void = () => undefined): RecordLocks {
  const taken = new Set<string>();
  const waiting = new Map<string, Set<string>>();
  const sights = new Map<string, Sight>();
  const watchers = new Set<{ readonly keys: ReadonlySet<string>; tell(key: string, sight: Sight): void }>();
  return {
    noteSight(key, sight) {
      if (!taken.has(key)) return;
      sights.set(key, sight);
      for (const watcher of watchers) if (watcher.keys.has(key)) watcher.tell(key, sight);
    },
    sightOf: (key) => sights.get(key),
    onSight(keys, tell) {
      const watcher = { keys: new Set(keys), tell };
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    tryAcquire(keys, waiter) {
      const own = [...new Set(keys)];
      const blocked = own.find((key) => taken.has(key));
      if (blocked !== undefined) {
        if (waiter !== undefined) waiting.set(blocked, (waiting.get(blocked) ?? new Set()).add(waiter));
        return null;
      }
      for (const key of own) taken.add(key);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const freed = new Set<string>();
        for (const key of own) {
          taken.delete(key);
          sights.delete(key);
          for (const job of waiting.get(key) ?? []) freed.add(job);
          waiting.delete(key);
        }
        if (freed.size > 0) onFree([...freed]);
      };
    },
  };
}

/** A job that was refused a lock is woken when it is free; it looks again by itself after this, ms. */
export const LOCK_WAIT_MS = 30_000;
/** What nobody can be told of (a run's record, which becomes a job of its own; another pass that has to end first) is looked at again after this, ms. */
export const LOOK_AGAIN_MS = 2_000;
/** What waits for another variant's write of the same item to be settled looks again after this, ms. */
export const RIVAL_WAIT_MS = 1_000;

export function productLock(shop: Shop, externalId: string): string {
  return `product:${shop}:${externalId}`;
}

export function stockLock(shop: Shop, stockId: string): string {
  return `stock:${shop}:${stockId}`;
}

/** A record with this SKU or GTIN is being made: two pairs of one shop may both have found that nobody bears it. */
export function createLock(shop: Shop, key: SearchKey): string {
  return `create:${shop}:${key}`;
}
