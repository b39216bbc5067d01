import type { Mark } from '../../model/snapshot.ts';
import type { LedgerEntry } from './ledger.ts';
import type { MemoryPlatform } from './platform.ts';
import { markKey } from './records.ts';

/** What checkers ask of a platform's ledger. All of it is derived; the ledger alone is the truth. */

export interface Loss {
  /** The outside change whose effect is gone. */
  readonly change: LedgerEntry;
  /** Our write that overwrote it. */
  readonly write: LedgerEntry;
  /** Whether the change came after the last moment that our side can have known: inside the window of one request. */
  readonly isInWindow: boolean;
}

export interface StockAudit {
  /** Quantity when the item came to be; null when it was made by us. */
  readonly initial: number | null;
  /** Sum of every outside change since: sales, restocks, recounts. */
  readonly outsideDelta: number;
  /** Outside changes that a blind write of ours overwrote without our side having been able to know them. */
  readonly windowLosses: readonly Loss[];
  /** Their sum: what the hub may lack, and no more. */
  readonly windowLostDelta: number;
  /** Our writes that landed. */
  readonly writes: readonly LedgerEntry[];
}

const deltaOf = (entry: LedgerEntry): number => Number(entry.to ?? 0) - Number(entry.from ?? 0);

const STOCK_CHANGES = new Set(['sell', 'restock', 'recount', 'unstock']);

/** Everything that happened to one stock item: `hub = initial + outsideDelta - (at most the losses inside the window)`. */
export function auditStock(platform: MemoryPlatform, stockId: string): StockAudit {
  const entries = platform.shelf.ledger.of(stockId);
  const isBlind = platform.personality.stockWrite === 'stamped';
  let initial: number | null = null;
  let outsideDelta = 0;
  let pending: LedgerEntry[] = [];
  const writes: LedgerEntry[] = [];
  const windowLosses: Loss[] = [];
  for (const entry of entries) {
    if (entry.kind === 'add_variant' && entry.by === 'outside') initial = Number(entry.to);
    if (entry.by === 'outside' && STOCK_CHANGES.has(entry.kind)) {
      outsideDelta += deltaOf(entry);
      pending.push(entry);
    }
    if (entry.kind !== 'set_stock') continue;
    writes.push(entry);
    const known = entry.write?.knownSeq ?? 0;
    // A write that compares has met the quantity that we expected: what happened in its window added up to nothing.
    if (isBlind) {
      for (const change of pending)
        if (change.seq > known) windowLosses.push({ change, write: entry, isInWindow: true });
    }
    pending = [];
  }
  const windowLostDelta = windowLosses.reduce((sum, { change }) => sum + deltaOf(change), 0);
  return { initial, outsideDelta, windowLosses, windowLostDelta, writes };
}

/** Register values from outside that a write of ours replaced by another: in the window of the request, or known (then a policy decided it). */
export function overwrittenRegisters(platform: MemoryPlatform): readonly Loss[] {
  const { entries } = platform.shelf.ledger;
  const losses: Loss[] = [];
  for (const write of entries) {
    if (write.kind !== 'set_field' || !write.write || write.write.overwroteSeq === null) continue;
    if (JSON.stringify(write.from) === JSON.stringify(write.to)) continue;
    const change = entries[write.write.overwroteSeq - 1];
    if (change) losses.push({ change, write, isInWindow: change.seq > (write.write.knownSeq ?? 0) });
  }
  return losses;
}

/** Ids of every record that was ever created with this mark: more than one is a second counterpart, deleted since or not. */
export function counterpartsOf(platform: MemoryPlatform, mark: Mark): readonly string[] {
  const key = markKey(mark);
  return platform.shelf.ledger.entries.flatMap(({ kind, productId, write }) =>
    kind === 'add_product' && write?.mark && markKey(write.mark) === key ? [productId] : [],
  );
}

/** Our landed writes: one entry for each request that reached a product, and one for each stock item set. `ofId` narrows to a product or stock id. */
export function landedWrites(platform: MemoryPlatform, ofId?: string): readonly LedgerEntry[] {
  const { ledger } = platform.shelf;
  const entries = ofId === undefined ? ledger.entries : ledger.of(ofId);
  return entries.filter(({ by, kind }) => by === 'us' && (kind === 'write_landed' || kind === 'set_stock'));
}
