import type { LedgerEntry } from '../../connectors/memory/ledger.ts';
import type { MemoryPlatform } from '../../connectors/memory/platform.ts';
import type { Violation } from './check.ts';

/** How long ago the last answer about an item may have come when a write of it leaves, ms. Said here in numbers of its own. */
const STOCK_MS = 5_000;
const PRODUCT_MS = 10_000;

/** [W1] A write leaves on fresh readings, however long it had to wait for its turn. A side that compares for itself may be written at any time. */
export function checkFresh(shops: readonly MemoryPlatform[]): readonly Violation[] {
  return shops.flatMap(({ name, shelf, personality }) => {
    const isBlind = personality.stockWrite === 'stamped';
    return shelf.ledger.entries.flatMap((entry) => {
      const limitMs = limitOf(entry, isBlind);
      const { sentAt = 0, knownAt = null } = entry.write ?? {};
      if (limitMs === null || (knownAt !== null && sentAt - knownAt <= limitMs)) return [];
      const age = knownAt === null ? 'never' : `${sentAt - knownAt} ms before`;
      const message = `${name} ${entry.stockId ?? entry.productId}: a write of ${entry.field} left at ${sentAt}, and what it was decided on had come ${age}`;
      return [{ invariant: 'W1 fresh readings', message }];
    });
  });
}

function limitOf({ by, kind, write }: LedgerEntry, isBlind: boolean): number | null {
  if (by !== 'us') return null;
  if (write?.operation === 'write_stock') return isBlind && kind === 'set_stock' ? STOCK_MS : null;
  return write?.operation === 'update_product' && kind === 'set_field' ? PRODUCT_MS : null;
}
