import type { Db } from '../db/database.ts';
import { type EventNames, nameEvent } from '../db/readers/name-event.ts';
import { findPair, findStore } from '../db/readers/pairs.ts';
import type { EventRow } from '../db/schema/machinery.ts';
import type { PairId } from '../model/ids.ts';
import type { SideNames } from './present/fault-words.ts';

export interface ActivityNames extends EventNames {
  /** Of what failed between the two: which store it failed at is told by its name. */
  readonly sides: SideNames;
}

/** Events whose reason is one store's, though they are about both. */
const FAILED_BETWEEN: readonly string[] = ['run_failed', 'plan_failed'];
const NOBODY: SideNames = { woocommerce: null, shopify: null };

export function activityNames(db: Db, event: EventRow): ActivityNames {
  return { ...nameEvent(db, event), sides: FAILED_BETWEEN.includes(event.type) ? sideNames(db, event.pairId) : NOBODY };
}

export function sideNames(db: Db, pairId: PairId | null): SideNames {
  const pair = pairId === null ? null : findPair(db, pairId);
  if (pair === null) return NOBODY;
  return {
    woocommerce: findStore(db, pair.woocommerceStoreId)?.name ?? null,
    shopify: findStore(db, pair.shopifyStoreId)?.name ?? null,
  };
}
