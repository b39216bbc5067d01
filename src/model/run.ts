import type { PairSettings } from './pair.ts';

export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_TRIGGERS = ['manual', 'scheduled', 'realtime', 'reconcile', 'initial'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** What a run is about. */
const RUN_AREAS = ['products', 'inventory', 'all'] as const;
export type RunArea = (typeof RUN_AREAS)[number];

/** By what a pair keeps the same when the run begins. */
export function runArea({ syncInventory, syncProducts, syncPrices }: PairSettings): RunArea {
  if (!syncInventory) return 'products';
  return syncProducts || syncPrices ? 'all' : 'inventory';
}

export interface RunStats {
  readonly totalProcessed: number;
  readonly successful: number;
  readonly failed: number;
  readonly written: number;
  readonly skipped: number;
  /** Fields that a full scan read afresh and held against what they should be; absent in runs that compared none. */
  readonly fields?: { readonly compared: number; readonly equal: number };
}

export const EMPTY_RUN_STATS: RunStats = { totalProcessed: 0, successful: 0, failed: 0, written: 0, skipped: 0 };
