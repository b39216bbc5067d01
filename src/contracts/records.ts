import { type Static, Type } from 'typebox';
import { PLATFORMS } from '../model/platform.ts';
import { BACKORDER_RULES, PRODUCT_STATUSES } from '../model/product.ts';
import { QUANTITY_MAX } from '../model/stock.ts';
import { Conflict } from './conflicts.ts';
import { Problem } from './problems.ts';
import { Count, Id, IsoTime, Minor, NextCursor, nullable, PageQuery, SearchText } from './shared.ts';

/** level: linked on both sides, and nothing of what follows (a warning may be open) · pending: a write is open or planned · conflict: needs a choice · failed: has a problem · unlinked: on one side only · deleted */
export const RECORD_STATES = ['level', 'pending', 'conflict', 'failed', 'unlinked', 'deleted'] as const;

export const RecordSummary = Type.Object({
  _id: Id,
  pairId: Id,
  title: Type.String(),
  sku: Type.String(),
  imageUrl: Type.String(),
  status: Type.Enum(PRODUCT_STATUSES),
  state: Type.Enum(RECORD_STATES),
  variantCount: Count,
  /** Sum over all variants that are counted. */
  quantity: nullable(Type.Integer()),
  woocommerceId: nullable(Type.String()),
  shopifyId: nullable(Type.String()),
  /** When a field was edited last; a sale moves `quantity` and not this. */
  updatedAt: IsoTime,
});
export type RecordSummary = Static<typeof RecordSummary>;

/** changed: newest `updatedAt` first; what changes between two pages moves to the front, and is not met · id: by id, oldest first; what stays is met once */
export const RECORD_SORTS = ['changed', 'id'] as const;

/** `q` looks at titles, SKUs and barcodes; with it `sort` can only be `changed`, which it is by itself. */
export const RecordsQuery = Type.Object({
  ...PageQuery.properties,
  pairId: Type.Optional(Id),
  state: Type.Optional(Type.Enum(RECORD_STATES)),
  q: Type.Optional(SearchText),
  sort: Type.Optional(Type.Enum(RECORD_SORTS)),
});
export type RecordsQuery = Static<typeof RecordsQuery>;

export const RecordsReply = Type.Object({
  records: Type.Array(RecordSummary),
  stateCounts: Type.Record(Type.Enum(RECORD_STATES), Count),
  nextCursor: NextCursor,
});
export type RecordsReply = Static<typeof RecordsReply>;

export const ProductFieldsView = Type.Object({
  title: Type.String(),
  descriptionHtml: Type.String(),
  status: Type.Enum(PRODUCT_STATUSES),
  tags: Type.Array(Type.String()),
  optionNames: Type.Array(Type.String()),
  handle: Type.String(),
});
export type ProductFieldsView = Static<typeof ProductFieldsView>;

export const PriceView = Type.Object({ regularMinor: Minor, saleMinor: Minor });

export const VariantView = Type.Object({
  variantId: Id,
  /** Option values, or the SKU, for people. */
  label: Type.String(),
  sku: Type.String(),
  barcode: Type.String(),
  price: PriceView,
  weightMg: nullable(Type.Integer()),
  optionValues: Type.Array(Type.String()),
  backorders: Type.Enum(BACKORDER_RULES),
  quantity: nullable(Type.Integer()),
  isTracked: Type.Boolean(),
});
export type VariantView = Static<typeof VariantView>;

/** What a side was last known to hold: the value that hub and side last agreed on. */
export const RecordSide = Type.Object({
  side: Type.Enum(PLATFORMS),
  storeId: Id,
  externalId: nullable(Type.String()),
  adminUrl: Type.String(),
  /** Of its prices. The two stores of a pair can have different ones; prices are not kept the same then. */
  currency: nullable(Type.String()),
  /** As its platform shows them: where WooCommerce has no archive, an archived product is a draft. */
  fields: ProductFieldsView,
  /** Those that this side has. */
  variants: Type.Array(VariantView),
  /** Fields that are to be the same in both stores and differ at present: `title`, `variant.{variantId}.price`, `variant.{variantId}.stock`. */
  apart: Type.Array(Type.String()),
  /** A write to this side is open. */
  isPending: Type.Boolean(),
  /** Until then the fate of that write is unknown, and nothing else is planned here. */
  fencedUntil: nullable(IsoTime),
});
export type RecordSide = Static<typeof RecordSide>;

/** One field of one record changed by us. */
export const Change = Type.Object({
  seq: Type.Integer(),
  recordId: Id,
  variantId: nullable(Id),
  field: Type.String(),
  /** Side whose outside change caused it; null: a rule or a person here. */
  origin: nullable(Type.Enum(PLATFORMS)),
  /** Side that was written; null: the hub took a value from `origin`. */
  target: nullable(Type.Enum(PLATFORMS)),
  from: Type.Unknown(),
  to: Type.Unknown(),
  cause: Type.String(),
  runId: nullable(Id),
  at: IsoTime,
});
export type Change = Static<typeof Change>;

export const RecordQuery = PageQuery;
export type RecordQuery = Static<typeof RecordQuery>;

export const RecordReply = Type.Object({
  record: Type.Object({
    ...RecordSummary.properties,
    currency: nullable(Type.String()),
    hub: Type.Object({ fields: ProductFieldsView, variants: Type.Array(VariantView) }),
    woocommerce: nullable(RecordSide),
    shopify: nullable(RecordSide),
    conflicts: Type.Array(Conflict),
    problems: Type.Array(Problem),
  }),
  /** Newest first. */
  changes: Type.Array(Change),
  nextCursor: NextCursor,
});
export type RecordReply = Static<typeof RecordReply>;

/** A person counted a variant: `quantity` units stood on the shelf at `countedAt` (default: now). Both stores are asked first; for a count of an earlier time only in a pair that sees late what is done in them, or while a write of the item has no answer. */
export const CountStockBody = Type.Object({
  variantId: Id,
  quantity: Type.Integer({ minimum: 0, maximum: QUANTITY_MAX }),
  countedAt: Type.Optional(IsoTime),
});
export type CountStockBody = Static<typeof CountStockBody>;

/** `quantity` is the count with `seenSince`, what both stores were seen to sell or take in after it. */
export const CountStockReply = Type.Object({
  from: Type.Integer(),
  quantity: Type.Integer(),
  seenSince: Type.Integer(),
});
export type CountStockReply = Static<typeof CountStockReply>;
