import { type Static, Type } from 'typebox';
import {
  CONFLICT_POLICIES,
  DIRECTIONS,
  HALT_REASONS,
  LINK_RULES,
  PAIR_STATUSES,
  SCHEDULES,
  STOCK_LINK_RULES,
} from '../model/pair.ts';
import { PLATFORMS } from '../model/platform.ts';
import { RUN_STATUSES } from '../model/run.ts';
import { Count, Id, IsoTime, nullable } from './shared.ts';

/** Directions are accepted with hyphens or underscores; replies have underscores. */
export const DIRECTIONS_ACCEPTED = [...DIRECTIONS, 'woocommerce-to-shopify', 'shopify-to-woocommerce'] as const;

const SETTINGS = {
  syncSchedule: Type.Enum(SCHEDULES),
  syncProducts: Type.Boolean(),
  syncPrices: Type.Boolean(),
  syncInventory: Type.Boolean(),
  stockTwoWay: Type.Boolean(),
  enforce: Type.Boolean(),
  conflictResolution: Type.Enum(CONFLICT_POLICIES),
  preferredSide: Type.Enum(PLATFORMS),
  createOn: Type.Object({ woocommerce: Type.Boolean(), shopify: Type.Boolean() }),
  deletePolicy: Type.Enum(['archive', 'keep']),
  stockBuffer: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  stockCap: nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  shopifyLocationId: nullable(Type.String({ maxLength: 200 })),
  linkRule: Type.Enum(LINK_RULES),
  stockLinkRule: Type.Enum(STOCK_LINK_RULES),
  allowZeroStockLink: Type.Boolean(),
  syncInterval: Type.Enum([5, 15, 30, 60, 360]),
  rateLimit: Type.Integer({
    minimum: 100,
    maximum: 10_000,
    description:
      'Requests to each of the two stores in any 60 seconds, at most, besides what the store itself allows. Of several pairs of a store the lowest limit counts.',
  }),
  retryAttempts: Type.Enum([1, 3, 5], {
    description:
      'How often in a row a sync run or a plan that failed in passing is tried again after its first try, before it is called failed. Changes in the shops that come by themselves are tried until they work.',
  }),
  enableLogging: Type.Boolean({
    description:
      "Whether the server's log tells of each job of this pair that ended and of each write that was sent: ids and names of fields, never what they hold.",
  }),
} as const;

/** What a person decided about a pair. */
export const PairSettings = Type.Object({ syncDirection: Type.Enum(DIRECTIONS), ...SETTINGS });
export type PairSettings = Static<typeof PairSettings>;

/** Any part of the settings, and the specification's names for some (`autoSync`, `fieldMapping`). */
export const PairSettingsBody = Type.Object({
  ...Type.Partial(Type.Object({ syncDirection: Type.Enum(DIRECTIONS_ACCEPTED), ...SETTINGS })).properties,
  /** True is the schedule `realtime`, false `manual`; a `syncSchedule` beside it counts instead. */
  autoSync: Type.Optional(Type.Boolean()),
  syncOrders: Type.Optional(Type.Boolean()),
  syncCustomers: Type.Optional(Type.Boolean()),
  fieldMapping: Type.Optional(
    Type.Object({
      syncImages: Type.Optional(Type.Boolean()),
      syncInventory: Type.Optional(Type.Boolean()),
      syncOrders: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type PairSettingsBody = Static<typeof PairSettingsBody>;

export const CreatePairBody = Type.Object({
  woocommerceStoreId: Id,
  shopifyStoreId: Id,
  ...PairSettingsBody.properties,
});
export type CreatePairBody = Static<typeof CreatePairBody>;

/** Why the pair is halted, how many records it is about, and the limit that they passed. */
export const PairHalt = Type.Object({
  reason: Type.Enum(HALT_REASONS),
  side: Type.Enum(PLATFORMS),
  count: Count,
  limit: Type.Integer(),
  at: IsoTime,
  /** In plain words. */
  message: Type.String(),
});
export type PairHalt = Static<typeof PairHalt>;

export const PairStore = Type.Object({
  _id: Id,
  name: Type.String(),
  domain: Type.String(),
  status: Type.String(),
  connectionStatus: Type.String(),
});

export const Pair = Type.Object({
  _id: Id,
  status: Type.Enum(PAIR_STATUSES),
  halt: nullable(PairHalt),
  /** Both stores are sandboxes. */
  isSandbox: Type.Boolean(),
  woocommerceStoreId: Id,
  shopifyStoreId: Id,
  woocommerce: PairStore,
  shopify: PairStore,
  settings: PairSettings,
  currency: nullable(Type.String()),
  /**
   * `records` without those that were deleted, as everywhere; `level` and `pending` (a write is open or planned) are records in that state, as the list
   * of records has it. `conflicts` are fields and `problems` are problems: a record may have several, and one with a warning may be level.
   */
  counts: Type.Object({ records: Count, level: Count, conflicts: Count, problems: Count, pending: Count }),
  /** The run that is going on, if any. */
  runningRunId: nullable(Id),
  /** The newest plan that still waits for a decision, if any. */
  openPlanId: nullable(Id),
  linkedAt: nullable(IsoTime),
  lastSyncAt: nullable(IsoTime),
  /** Measured by the last full scan, from fresh readings of both sides, before it put anything right. */
  accuracy: nullable(Type.Object({ compared: Count, equal: Count, at: IsoTime })),
  createdAt: IsoTime,
});
export type Pair = Static<typeof Pair>;

/** `notices`: settings that were understood but that this version cannot do, in plain words. */
export const PairReply = Type.Object({ pair: Pair, notices: Type.Array(Type.String()) });
export type PairReply = Static<typeof PairReply>;

/** New pairs by order: the nth WooCommerce store without a partner with the nth Shopify store without one. */
export const PairSuggestion = Type.Object({ woocommerceStoreId: nullable(Id), shopifyStoreId: nullable(Id) });

export const PairsReply = Type.Object({ pairs: Type.Array(Pair), suggestions: Type.Array(PairSuggestion) });
export type PairsReply = Static<typeof PairsReply>;

/** One bar of a pair's heartbeat: a recent run, its height the number of records. */
export const HeartbeatBar = Type.Object({
  runId: Id,
  status: Type.Enum(RUN_STATUSES),
  records: Count,
  failed: Count,
  at: IsoTime,
});
export type HeartbeatBar = Static<typeof HeartbeatBar>;
