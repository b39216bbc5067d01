import { type Static, Type } from 'typebox';
import { USAGE_KINDS, USAGE_LEVELS } from '../model/usage.ts';
import { HeartbeatBar, Pair } from './pairs.ts';
import { Count, Id, IsoTime, nullable } from './shared.ts';
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

export const ANALYTICS_PERIODS = ['day', 'week', 'month'] as const;

/** `day`: the last 24 hours, hour by hour · `week`, `month` (the default): the last 7 and 30 days, day by day, in UTC. */
export const AnalyticsQuery = Type.Object({
  period: Type.Optional(Type.Enum(ANALYTICS_PERIODS)),
  pairId: Type.Optional(Id),
});
export type AnalyticsQuery = Static<typeof AnalyticsQuery>;

/** What happened within one hour or day. */
export const AnalyticsBucket = Type.Object({
  at: IsoTime,
  syncs: Count,
  failedSyncs: Count,
  /** Fields written on a side, live syncing included. */
  changes: Count,
  conflicts: Count,
  problems: Count,
});

export const AnalyticsReply = Type.Object({
  analytics: Type.Object({
    period: Type.Enum(ANALYTICS_PERIODS),
    since: IsoTime,
    /** The end of the hour or day that it is now. */
    until: IsoTime,
    /** Oldest first; those in which nothing happened too. */
    buckets: Type.Array(AnalyticsBucket),
  }),
});
export type AnalyticsReply = Static<typeof AnalyticsReply>;

/** Something of which an instance has a limit. Stored every few seconds: the newest may not be in it. */
export const UsageMeter = Type.Object({
  kind: Type.Enum(USAGE_KINDS),
  /** As people read it. */
  label: Type.String(),
  period: Type.Enum(['hour', 'month']),
  /** In the hour or month that it is now, by UTC. */
  count: Count,
  /** Null: none. Nothing is refused above it. */
  limit: nullable(Count),
  /** `warning`: above 80 percent of the limit · `exceeded`: above all of it. */
  level: nullable(Type.Enum(USAGE_LEVELS)),
});
export type UsageMeter = Static<typeof UsageMeter>;

/** `ThisMonth`: since the first of the month, by UTC. */
export const OverviewReply = Type.Object({
  usage: Type.Object({
    /** Null: orders are not mirrored. */
    ordersSyncedToday: nullable(Count),
    /** Null: orders are not mirrored. */
    ordersThisMonth: nullable(Count),
    /** Of programs; what the dashboard asks for its own pages is not in it. */
    apiCallsThisMonth: Count,
    syncsThisMonth: Count,
    /** Percent of the orders that a month may have; null where there is no limit. */
    monthlyUsage: nullable(Type.Number()),
    meters: Type.Array(UsageMeter),
  }),
  stats: Type.Object({
    /** Percent of the time that this instance was up; null: this version does not measure it. */
    uptime: nullable(Type.Number()),
    /** Milliseconds, the mean of what the stores' recent answers took in the median; null before the first call. */
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
