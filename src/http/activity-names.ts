import type { Run } from '../contracts/sync.ts';
import type { Db } from '../db/database.ts';
import type { RunListRow } from '../db/readers/list-runs.ts';
import { type EventNames, nameEvent } from '../db/readers/name-event.ts';
import { findPair, findStore } from '../db/readers/pairs.ts';
import type { EventRow } from '../db/schema/machinery.ts';
import type { PairId, StoreId } from '../model/ids.ts';
import type { SideName, SideNames } from './present/fault-words.ts';
import { presentRun } from './present/run.ts';
import { urlOf } from './present/store.ts';

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
  return { woocommerce: sideName(db, pair.woocommerceStoreId), shopify: sideName(db, pair.shopifyStoreId) };
}

function sideName(db: Db, id: StoreId): SideName | null {
  const store = findStore(db, id);
  return store === null ? null : { name: store.name, url: urlOf(store) };
}

/** Runs as they are shown: the stores are looked up only of those that failed. */
export function runPresenter(db: Db): (row: RunListRow) => Run {
  return (row) => presentRun(row, row.run.errorCode === null ? NOBODY : sideNames(db, row.run.pairId));
}
