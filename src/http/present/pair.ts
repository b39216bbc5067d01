import type { HeartbeatBar, Pair, PairHalt, PairSettings } from '../../contracts/pairs.ts';
import type { PairListRow } from '../../db/readers/list-pairs.ts';
import type { RecordStateCounts } from '../../db/readers/record-states.ts';
import type { RunRow } from '../../db/schema/run.ts';
import type { StoreRow } from '../../db/schema/store.ts';
import { unreachable } from '../../lib/assert.ts';
import { isoTime } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import { doesStockGoOn, type Halt, type PairSettings as ModelSettings } from '../../model/pair.ts';
import { PLATFORM_NAME } from '../../model/platform.ts';
import { connectionStatus, domainOf, isoTimeOrNull, type StoreContact } from './store.ts';

export function presentPair(
  row: PairListRow,
  states: RecordStateCounts,
  contactOf: (storeId: StoreId) => StoreContact,
): Pair {
  const { pair, woocommerce, shopify } = row;
  const { conflicts, problems, pending } = row.counts;
  return {
    _id: pair.id,
    status: pair.status,
    halt: pair.halt === null ? null : presentHalt(pair.halt),
    isSandbox: woocommerce.isSandbox && shopify.isSandbox,
    woocommerceStoreId: pair.woocommerceStoreId,
    shopifyStoreId: pair.shopifyStoreId,
    woocommerce: presentPairStore(woocommerce, contactOf(woocommerce.id)),
    shopify: presentPairStore(shopify, contactOf(shopify.id)),
    settings: presentSettings(pair.settings),
    currency: woocommerce.info?.currency ?? shopify.info?.currency ?? null,
    counts: { records: liveRecords(states), level: states.level, conflicts, problems, pending },
    runningRunId: row.runningRunId,
    openPlanId: row.openPlan?.id ?? null,
    linkedAt: isoTimeOrNull(pair.linkedAt),
    lastSyncAt: isoTimeOrNull(pair.lastSyncAt),
    accuracy:
      pair.accuracy === null
        ? null
        : { compared: pair.accuracy.compared, equal: pair.accuracy.equal, at: isoTime(pair.accuracy.at) },
    createdAt: isoTime(pair.createdAt),
  };
}

/** What was deleted is kept for its history, and is no record that anybody could sell. */
function liveRecords({ deleted: _gone, ...states }: RecordStateCounts): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

function presentPairStore(store: StoreRow, contact: StoreContact): Pair['woocommerce'] {
  return {
    _id: store.id,
    name: store.name,
    domain: domainOf(store),
    status: store.status,
    connectionStatus: connectionStatus(store, contact),
  };
}

/** Field by field: what is stored may be of an older or newer version than the contract. */
function presentSettings(settings: ModelSettings): PairSettings {
  return {
    syncDirection: settings.syncDirection,
    syncSchedule: settings.syncSchedule,
    syncProducts: settings.syncProducts,
    syncPrices: settings.syncPrices,
    syncInventory: settings.syncInventory,
    stockTwoWay: settings.stockTwoWay,
    enforce: settings.enforce,
    conflictResolution: settings.conflictResolution,
    preferredSide: settings.preferredSide,
    createOn: { woocommerce: settings.createOn.woocommerce, shopify: settings.createOn.shopify },
    deletePolicy: settings.deletePolicy,
    stockBuffer: settings.stockBuffer,
    stockCap: settings.stockCap,
    shopifyLocationId: settings.shopifyLocationId,
    linkRule: settings.linkRule,
    stockLinkRule: settings.stockLinkRule,
    allowZeroStockLink: settings.allowZeroStockLink,
    syncInterval: settings.syncInterval as PairSettings['syncInterval'],
    rateLimit: settings.rateLimit,
    retryAttempts: settings.retryAttempts as PairSettings['retryAttempts'],
    enableLogging: settings.enableLogging,
  };
}

function presentHalt(halt: Halt): PairHalt {
  return {
    reason: halt.reason,
    side: halt.side,
    count: halt.count,
    limit: halt.limit,
    at: isoTime(halt.at),
    message: haltMessage(halt),
  };
}

/** What happened, and what of the pair goes on [G1], in the words of a shop; a person accepts it or puts it right. */
export function haltMessage(halt: Halt): string {
  return doesStockGoOn(halt.reason)
    ? `${causeOf(halt)} In a pair that syncs in real time stock goes on; everything else waits.`
    : causeOf(halt);
}

function causeOf({ reason, side, count, limit }: Halt): string {
  const platform = PLATFORM_NAME[side];
  const products = `${count} product${count === 1 ? '' : 's'}`;
  const harmed = `${products} were deleted, unpublished, emptied or cut heavily in price within a day (the limit is ${limit}).`;
  switch (reason) {
    case 'empty_listing':
      return `${platform} answered with an empty catalogue. Nothing was deleted; check the store, then resume.`;
    case 'shrunken_listing':
      return `${count} linked products are missing from what ${platform} listed (the limit is ${limit}). Nothing was deleted; check the store, then resume.`;
    case 'mass_delete':
      return `${harmed} The last was deleted in ${platform}; it is kept on the other side.`;
    case 'mass_draft':
      return `${harmed} The last was unpublished in ${platform}.`;
    case 'mass_zero':
      return `${harmed} The last went to zero stock in ${platform}.`;
    case 'mass_price_cut':
      return `${harmed} The last was cut heavily in price in ${platform}.`;
    default:
      return unreachable(reason);
  }
}

export function presentHeartbeat(run: RunRow): HeartbeatBar {
  return {
    runId: run.id,
    status: run.status,
    records: run.stats.totalProcessed,
    failed: run.stats.failed,
    at: isoTime(run.startedAt),
  };
}
