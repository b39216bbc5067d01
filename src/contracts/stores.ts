import { type Static, Type } from 'typebox';
import { PLATFORMS } from '../model/platform.ts';
import { FINDING_LEVELS } from '../model/store-info.ts';
import { Count, Id, IsoTime, nullable, PageQuery, SearchText } from './shared.ts';

export const STORE_STATUSES = ['connected', 'error', 'disconnected'] as const;
export const CONNECTION_STATUSES = ['healthy', 'error', 'unknown'] as const;

/** One line of the store doctor, in plain words, with the remedy. */
export const Finding = Type.Object({
  code: Type.String(),
  level: Type.Enum(FINDING_LEVELS),
  message: Type.String(),
  remedy: Type.String(),
});
export type Finding = Static<typeof Finding>;

export const StoreHealth = Type.Object({
  connectionStatus: Type.Enum(CONNECTION_STATUSES),
  lastContactAt: nullable(IsoTime),
  lastErrorAt: nullable(IsoTime),
  lastErrorKind: nullable(Type.String()),
  /** Since the server started. */
  callCount: Count,
  failureCount: Count,
  throttledCount: Count,
  latencyP50Ms: nullable(Type.Number()),
  latencyP99Ms: nullable(Type.Number()),
  webhooksCheckedAt: nullable(IsoTime),
});
export type StoreHealth = Static<typeof StoreHealth>;

export const StoreLocation = Type.Object({ id: Type.String(), name: Type.String(), isActive: Type.Boolean() });

export const Store = Type.Object({
  _id: Id,
  name: Type.String(),
  platform: Type.Enum(PLATFORMS),
  /** Host name, for people. */
  domain: Type.String(),
  url: Type.String(),
  status: Type.Enum(STORE_STATUSES),
  statusReason: nullable(Type.String()),
  isSandbox: Type.Boolean(),
  currency: nullable(Type.String()),
  timeZone: nullable(Type.String()),
  platformVersion: nullable(Type.String()),
  locations: Type.Array(StoreLocation),
  health: StoreHealth,
  syncStats: Type.Object({
    totalProducts: Count,
    /** Null: orders are not mirrored. */
    totalOrders: nullable(Count),
    lastSync: nullable(IsoTime),
  }),
  /** Pairs that this store is a side of. */
  pairIds: Type.Array(Id),
  /** Addresses (CIDR) that webhooks may come from; [] from anywhere. */
  webhookSources: Type.Array(Type.String()),
  findings: Type.Array(Finding),
  createdAt: IsoTime,
});
export type Store = Static<typeof Store>;

const Name = Type.String({ minLength: 1, maxLength: 120 });
const Address = Type.String({ minLength: 1, maxLength: 500 });
const Secret = Type.String({ minLength: 1, maxLength: 500 });

const Keys = {
  consumerKey: Type.Optional(Secret),
  consumerSecret: Type.Optional(Secret),
  accessToken: Type.Optional(Secret),
  apiSecret: Type.Optional(Secret),
  clientId: Type.Optional(Secret),
  clientSecret: Type.Optional(Secret),
};

/** Of the store's own platform, as when it was connected. `apiSecret` left out: as it was. */
export const RenewKeysBody = Type.Object(Keys);
export type RenewKeysBody = Static<typeof RenewKeysBody>;

/**
 * Where the shop is now: `url` (WooCommerce) or `shopDomain` (Shopify), with keys as for a renewal. Without them the stored ones are used, as long as
 * host, port and folder stay the same (with or without www, by http or https).
 */
export const MoveStoreBody = Type.Object({
  url: Type.Optional(Address),
  shopDomain: Type.Optional(Address),
  ...Keys,
});
export type MoveStoreBody = Static<typeof MoveStoreBody>;

/** Loose on purpose: `platform` is looked at first, then the body is held to that platform's form, so that errors name the right field. */
export const ConnectStoreBody = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 120 })),
  platform: Type.Enum(PLATFORMS),
  url: Type.Optional(Address),
  shopDomain: Type.Optional(Address),
  ...Keys,
});
export type ConnectStoreBody = Static<typeof ConnectStoreBody>;

export const ConnectStoreReply = Type.Object({ store: Store, findings: Type.Array(Finding) });
export type ConnectStoreReply = Static<typeof ConnectStoreReply>;

export const TestStoreReply = Type.Object({ store: Store, findings: Type.Array(Finding), isOk: Type.Boolean() });
export type TestStoreReply = Static<typeof TestStoreReply>;

export const ListStoresQuery = Type.Object({
  ...PageQuery.properties,
  platform: Type.Optional(Type.Enum(PLATFORMS)),
  status: Type.Optional(Type.Enum(STORE_STATUSES)),
  q: Type.Optional(SearchText),
});
export type ListStoresQuery = Static<typeof ListStoresQuery>;

export const StoresReply = Type.Object({
  stores: Type.Array(Store),
  total: Count,
  nextCursor: nullable(Type.String()),
});
export type StoresReply = Static<typeof StoresReply>;

export const StoreReply = Type.Object({ store: Store });
export type StoreReply = Static<typeof StoreReply>;

/** What the specification's form of a store holds and a pair decides. */
export const PAIR_FIELDS_OF_STORE = [
  ...(['syncProducts', 'syncOrders', 'syncInventory', 'syncPrices', 'syncCustomers'] as const),
  ...(['autoSync', 'syncInterval', 'conflictResolution', 'enableLogging'] as const),
] as const;
const OfPair = Type.Optional(
  Type.Unknown({
    description: 'A setting of a pair: changes nothing here, and `notices` of the reply say where it belongs.',
  }),
);

/** `webhookSources`: addresses (CIDR) that webhooks may come from; null or []: from anywhere, as long as they are signed. */
export const UpdateStoreBody = Type.Object({
  name: Type.Optional(Name),
  webhookSources: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100 }))),
  ...(Object.fromEntries(PAIR_FIELDS_OF_STORE.map((field) => [field, OfPair])) as Record<
    (typeof PAIR_FIELDS_OF_STORE)[number],
    typeof OfPair
  >),
});
export type UpdateStoreBody = Static<typeof UpdateStoreBody>;

/** `notices`: what was sent and belongs elsewhere. */
export const UpdateStoreReply = Type.Object({ store: Store, notices: Type.Array(Type.String()) });
export type UpdateStoreReply = Static<typeof UpdateStoreReply>;

export const StoreStatsReply = Type.Object({
  stats: Type.Object({
    totalProducts: Count,
    /** Null: orders are not mirrored. */
    totalOrders: nullable(Count),
    linkedProducts: Count,
    lastSync: nullable(IsoTime),
    openProblems: Count,
    openConflicts: Count,
    deliveriesToday: Count,
    changesToday: Count,
    health: StoreHealth,
  }),
});
export type StoreStatsReply = Static<typeof StoreStatsReply>;
