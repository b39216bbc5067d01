import { type Static, Type } from 'typebox';
import { DIRECTIONS } from '../model/pair.ts';
import { PLATFORMS } from '../model/platform.ts';
import { RUN_STATUSES, RUN_TRIGGERS } from '../model/run.ts';
import { Count, Id, IsoTime, NextCursor, nullable, PageQuery, SearchText } from './shared.ts';

export const ENTITY_TYPES = ['orders', 'products', 'inventory', 'customers', 'all'] as const;

export const RunStats = Type.Object({
  totalProcessed: Count,
  successful: Count,
  failed: Count,
  written: Count,
  skipped: Count,
});
export type RunStats = Static<typeof RunStats>;

/** One requested sync: the specification's sync log. */
export const Run = Type.Object({
  _id: Id,
  pairId: Id,
  planId: nullable(Id),
  storeName: Type.String(),
  entityType: Type.Enum(ENTITY_TYPES),
  direction: Type.Enum(DIRECTIONS),
  trigger: Type.Enum(RUN_TRIGGERS),
  status: Type.Enum(RUN_STATUSES),
  /** 0 to 100. */
  progress: Type.Integer(),
  stats: RunStats,
  /** Milliseconds; null while it is running. */
  duration: nullable(Type.Integer()),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  isCancelRequested: Type.Boolean(),
  createdAt: IsoTime,
  finishedAt: nullable(IsoTime),
});
export type Run = Static<typeof Run>;

export const RunReply = Type.Object({ run: Run });
export type RunReply = Static<typeof RunReply>;

/** `pairId`, or the `storeId` of a store that is in exactly one pair. */
export const ManualSyncBody = Type.Object({ pairId: Type.Optional(Id), storeId: Type.Optional(Id) });
export type ManualSyncBody = Static<typeof ManualSyncBody>;

export const RUN_ITEM_OUTCOMES = ['written', 'unchanged', 'skipped', 'failed', 'moved'] as const;

/** A field that a run wrote to a store; `created`: the record or variant was made there. */
export const RunWrite = Type.Object({
  field: Type.String(),
  side: Type.Enum(PLATFORMS),
  /** Which of the record's variants it belongs to, for people; null: the record, or its only variant. */
  variantLabel: nullable(Type.String()),
  from: Type.Unknown(),
  to: Type.Unknown(),
});

export const RunItem = Type.Object({
  subject: Type.String(),
  /** The record, where the item is about one. */
  recordId: nullable(Id),
  title: Type.String(),
  action: Type.String(),
  outcome: Type.Enum(RUN_ITEM_OUTCOMES),
  detail: nullable(Type.String()),
  /** The first of the fields that were written; stock that live syncing wrote after the run is not among them. */
  writes: Type.Array(RunWrite),
  writeCount: Count,
  at: IsoTime,
});
export type RunItem = Static<typeof RunItem>;

export const RunQuery = Type.Object({
  ...PageQuery.properties,
  outcome: Type.Optional(Type.Enum(RUN_ITEM_OUTCOMES)),
  q: Type.Optional(SearchText),
});
export type RunQuery = Static<typeof RunQuery>;

export const RunDetailReply = Type.Object({
  run: Run,
  /** Of the prices. */
  currency: nullable(Type.String()),
  items: Type.Array(RunItem),
  outcomeCounts: Type.Partial(Type.Record(Type.Enum(RUN_ITEM_OUTCOMES), Count)),
  nextCursor: NextCursor,
});
export type RunDetailReply = Static<typeof RunDetailReply>;

/** `q` matches store name, entity type and status, in any letter case. `offset` is for page buttons, `cursor` for everything else. */
export const HistoryQuery = Type.Object({
  ...PageQuery.properties,
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  status: Type.Optional(Type.Enum(RUN_STATUSES)),
  entityType: Type.Optional(Type.Enum(ENTITY_TYPES)),
  trigger: Type.Optional(Type.Enum(RUN_TRIGGERS)),
  pairId: Type.Optional(Id),
  storeId: Type.Optional(Id),
  q: Type.Optional(SearchText),
});
export type HistoryQuery = Static<typeof HistoryQuery>;

export const HistoryReply = Type.Object({
  syncLogs: Type.Array(Run),
  /** Of the filters. */
  total: Count,
  nextCursor: NextCursor,
});
export type HistoryReply = Static<typeof HistoryReply>;

export const SYNC_STATS_PERIODS = ['day', 'week', 'month'] as const;

export const SyncStatsQuery = Type.Object({
  period: Type.Optional(Type.Enum(SYNC_STATS_PERIODS)),
  pairId: Type.Optional(Id),
});
export type SyncStatsQuery = Static<typeof SyncStatsQuery>;

export const SyncStatsReply = Type.Object({
  stats: Type.Object({
    period: Type.Enum(SYNC_STATS_PERIODS),
    since: IsoTime,
    total: Count,
    completed: Count,
    failed: Count,
    cancelled: Count,
    running: Count,
    recordsProcessed: Count,
    recordsWritten: Count,
    recordsFailed: Count,
    /** Fields changed by us, live syncing included. */
    changes: Count,
    averageDurationMs: nullable(Type.Number()),
  }),
});
export type SyncStatsReply = Static<typeof SyncStatsReply>;

export const QueueReply = Type.Object({
  queue: Type.Object({
    ready: Count,
    /** Waits for its time: a retry, a snooze, a schedule. */
    waiting: Count,
    executing: Count,
    /** Tried at least once without success. */
    retrying: Count,
    oldestReadyAt: nullable(IsoTime),
    byTask: Type.Record(Type.String(), Count),
  }),
});
export type QueueReply = Static<typeof QueueReply>;
