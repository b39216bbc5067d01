import { type Static, Type } from 'typebox';
import { HeartbeatBar, Pair } from './pairs.ts';
import { Count, Id, nullable } from './shared.ts';
import { Store } from './stores.ts';
import { Run } from './sync.ts';

export const NEEDS_YOU_TYPES = ['halted', 'store_error', 'conflicts', 'problems', 'plan_ready', 'setup'] as const;

/** Something that waits for a person. */
export const NeedsYou = Type.Object({
  type: Type.Enum(NEEDS_YOU_TYPES),
  text: Type.String(),
  count: Count,
  pairId: nullable(Id),
  storeId: nullable(Id),
  planId: nullable(Id),
});
export type NeedsYou = Static<typeof NeedsYou>;

export const OverviewReply = Type.Object({
  usage: Type.Object({
    ordersSyncedToday: Count,
    ordersThisMonth: Count,
    apiCallsThisMonth: Count,
    syncsThisMonth: Count,
    /** Percent of the plan's limit; null where there is no limit. */
    monthlyUsage: nullable(Type.Number()),
  }),
  stats: Type.Object({
    /** Percent over the time that this instance has been watched; null before anything was measured. */
    uptime: nullable(Type.Number()),
    /** Milliseconds, median over the stores' recent answers; null before the first call. */
    avgResponseTime: nullable(Type.Number()),
    totalProducts: Count,
    changesToday: Count,
    recordsLevel: Count,
    openConflicts: Count,
    openProblems: Count,
  }),
  needsYou: Type.Array(NeedsYou),
  stores: Type.Array(Store),
  pairs: Type.Array(Type.Object({ pair: Pair, heartbeat: Type.Array(HeartbeatBar) })),
  /** Stores without a partner: 'Setup Required'. */
  unpairedStoreIds: Type.Array(Id),
  syncLogs: Type.Array(Run),
});
export type OverviewReply = Static<typeof OverviewReply>;
