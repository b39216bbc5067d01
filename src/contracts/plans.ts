import { type Static, Type } from 'typebox';
import { PLAN_ACTIONS } from '../model/plan.ts';
import { PLATFORMS } from '../model/platform.ts';
import { Count, Id, IsoTime, NextCursor, nullable, PageQuery, SearchText } from './shared.ts';

export const PLAN_STATUSES = ['planning', 'ready', 'nothing_to_do', 'failed', 'applied', 'discarded'] as const;

const SideCounts = Type.Object({ create: Count, update: Count, archive: Count, stock: Count });

export const PlanCounts = Type.Object({
  woocommerce: SideCounts,
  shopify: SideCounts,
  linked: Count,
  level: Count,
  ambiguous: Count,
  skipped: Count,
  conflicts: Count,
  /** Of what is linked: `unlike` of an item. */
  unlike: Count,
  read: Type.Object({ woocommerce: Count, shopify: Count }),
});
export type PlanCounts = Static<typeof PlanCounts>;

/** One field that would be written on `side`. Values are canonical JSON; prices are `{ regularMinor, saleMinor }`. */
export const PlannedField = Type.Object({
  side: Type.Enum(PLATFORMS),
  field: Type.String(),
  from: Type.Unknown(),
  to: Type.Unknown(),
});
export type PlannedField = Static<typeof PlannedField>;

/** What both stocks would become by `rule`, at the numbers seen now; apply reads again. */
export const PlannedStock = Type.Object({
  label: Type.String(),
  woocommerce: nullable(Type.Integer()),
  shopify: nullable(Type.Integer()),
  result: nullable(Type.Integer()),
  rule: Type.String(),
  /** The one side that is written, where the other keeps its number. */
  only: Type.Optional(Type.Enum(PLATFORMS)),
});
export type PlannedStock = Static<typeof PlannedStock>;

export const PlanItem = Type.Object({
  seq: Type.Integer(),
  action: Type.Enum(PLAN_ACTIONS),
  side: nullable(Type.Enum(PLATFORMS)),
  title: Type.String(),
  sku: Type.String(),
  imageUrl: Type.String(),
  reason: Type.String(),
  recordId: nullable(Id),
  woocommerceId: nullable(Type.String()),
  shopifyId: nullable(Type.String()),
  fields: Type.Array(PlannedField),
  stock: Type.Array(PlannedStock),
  /** Fields that both sides moved and that wait for a person: held back. */
  conflicts: Count,
  /** Titles of two that are to be linked although these differ and nothing but their handles ties them: to be looked at twice. */
  unlike: nullable(Type.Object({ woocommerce: Type.String(), shopify: Type.String() })),
  /** What of it is left alone, since that side is known to refuse it, and why. */
  refused: Type.Array(Type.Object({ side: Type.Enum(PLATFORMS), message: Type.String() })),
  candidates: Type.Array(Type.Object({ side: Type.Enum(PLATFORMS), externalId: Type.String(), title: Type.String() })),
});
export type PlanItem = Static<typeof PlanItem>;

const PLAN = {
  _id: Id,
  pairId: Id,
  status: Type.Enum(PLAN_STATUSES),
  /** Give it back with apply: exactly this plan, or a refusal. Null until the plan is ready. */
  hash: nullable(Type.String()),
  progress: Type.Integer(),
  counts: PlanCounts,
  currency: nullable(Type.String()),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  createdAt: IsoTime,
  readyAt: nullable(IsoTime),
  /** The run that applied it, if any. */
  runId: nullable(Id),
} as const;

export const Plan = Type.Object(PLAN);
export type Plan = Static<typeof Plan>;

export const PlanWithItems = Type.Object({
  ...PLAN,
  items: Type.Array(PlanItem),
  /** Of the items that the filters let through. */
  itemCount: Count,
  /** By action, without the filters `action` and `side`. */
  actionCounts: Type.Partial(Type.Record(Type.Enum(PLAN_ACTIONS), Count)),
  nextCursor: NextCursor,
});
export type PlanWithItems = Static<typeof PlanWithItems>;

export const PlanQuery = Type.Object({
  ...PageQuery.properties,
  action: Type.Optional(Type.Enum(PLAN_ACTIONS)),
  side: Type.Optional(Type.Enum(PLATFORMS)),
  /** True: only links to be looked at twice. */
  unlike: Type.Optional(Type.Boolean()),
  q: Type.Optional(SearchText),
});
export type PlanQuery = Static<typeof PlanQuery>;

export const PlanReply = Type.Object({ plan: Plan });
export type PlanReply = Static<typeof PlanReply>;

export const PlanWithItemsReply = Type.Object({ plan: PlanWithItems });
export type PlanWithItemsReply = Static<typeof PlanWithItemsReply>;

export const ApplyPlanBody = Type.Object({ hash: Type.String({ minLength: 1, maxLength: 128 }) });
export type ApplyPlanBody = Static<typeof ApplyPlanBody>;
