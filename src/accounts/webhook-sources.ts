import { type Db, transact } from '../db/database.ts';
import { findStore } from '../db/readers/pairs.ts';
import { updateStore } from '../db/writers/stores.ts';
import { isAddressRange, isInRanges } from '../lib/address-range.ts';
import type { StoreId } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';

/** Addresses that a store's webhooks may come from; null or none: from anywhere, as long as they are signed. Refuses with VALIDATION. */
export function setWebhookSources(ctx: { readonly db: Db }, storeId: StoreId, sources: readonly string[] | null): void {
  const ranges = (sources ?? []).map((source) => source.trim());
  const bad = ranges.find((range) => !isAddressRange(range));
  if (bad !== undefined) {
    const message = 'webhookSources: write addresses like 203.0.113.7 or 203.0.113.0/24';
    throw new Refusal('VALIDATION', message, { fields: [{ field: 'webhookSources', message }] });
  }
  transact(ctx.db, (tx) => updateStore(tx, storeId, { webhookSources: ranges.length === 0 ? null : ranges }));
}

/** Whether a delivery for this store may come from `ip`. An unknown store is the caller's to answer. */
export function isSourceAllowed(db: Db, storeId: StoreId, ip: string): boolean {
  const sources = findStore(db, storeId)?.webhookSources ?? null;
  return sources === null || isInRanges(ip, sources);
}
