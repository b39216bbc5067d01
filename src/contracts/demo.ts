import { type Static, Type } from 'typebox';
import { PLATFORMS } from '../model/platform.ts';
import { SessionReply } from './auth.ts';
import { Count, Id, IsoTime, nullable } from './shared.ts';

/** The access token begins with `mock_` and opens nothing but its own demo workspace. */
export const DemoSessionReply = Type.Object({
  ...SessionReply.properties,
  demo: Type.Object({
    pairId: Id,
    woocommerceStoreId: Id,
    shopifyStoreId: Id,
    /** The first sync of the two shelves. */
    runId: nullable(Id),
    idleMinutes: Count,
    expiresAt: IsoTime,
  }),
});
export type DemoSessionReply = Static<typeof DemoSessionReply>;

/**
 * Sandbox stores that were added to a workspace of people (`isSandbox` of stores and pairs): two that are a pair, and one without a partner. They end
 * with the server, when nobody has used the workspace for `idleMinutes`, and when they are removed, with all that is stored of them.
 */
export const DemoDataReply = Type.Object({
  demoData: Type.Object({
    pairId: Id,
    stores: Type.Array(Type.Object({ storeId: Id, name: Type.String(), platform: Type.Enum(PLATFORMS) })),
    /** The first sync of the two shelves. */
    runId: nullable(Id),
    idleMinutes: Count,
    expiresAt: IsoTime,
  }),
});
export type DemoDataReply = Static<typeof DemoDataReply>;

export const DemoDataRemovedReply = Type.Object({ removed: Type.Object({ stores: Count, pairs: Count }) });
export type DemoDataRemovedReply = Static<typeof DemoDataRemovedReply>;

/** One thing on a shelf, as the shop itself shows it to its customers now: not what we believe. */
export const ShelfItem = Type.Object({
  sku: Type.String(),
  title: Type.String(),
  variant: Type.String(),
  priceMinor: nullable(Type.Integer()),
  currency: Type.String(),
  stock: nullable(Type.Integer()),
});
export type ShelfItem = Static<typeof ShelfItem>;

export const ShelvesReply = Type.Object({
  pairId: Id,
  woocommerce: Type.Object({ storeId: Id, name: Type.String(), items: Type.Array(ShelfItem) }),
  shopify: Type.Object({ storeId: Id, name: Type.String(), items: Type.Array(ShelfItem) }),
});
export type ShelvesReply = Static<typeof ShelvesReply>;

export const DEMO_ACTIONS = ['sell', 'restock', 'edit_price', 'edit_title'] as const;

/**
 * Done in the sandbox shop itself, as a customer or the merchant would; webhooks and the real engine do the rest.
 * `value`: quantity (sell, restock; 1 if left out), price in minor units (edit_price), text (edit_title).
 */
export const DemoActionBody = Type.Object({
  side: Type.Enum(PLATFORMS),
  action: Type.Enum(DEMO_ACTIONS),
  sku: Type.String({ minLength: 1, maxLength: 120 }),
  value: Type.Optional(Type.Union([Type.Integer(), Type.String({ maxLength: 255 })])),
});
export type DemoActionBody = Static<typeof DemoActionBody>;

export const DemoActionReply = Type.Object({ side: Type.Enum(PLATFORMS), item: ShelfItem, at: IsoTime });
export type DemoActionReply = Static<typeof DemoActionReply>;
