import { type Static, Type } from 'typebox';
import { PLATFORMS } from '../model/platform.ts';
import { Count, Id, IsoTime, NextCursor, nullable, PageQuery, SearchText } from './shared.ts';

export const CONFLICT_STATES = ['open', 'closed'] as const;

/**
 * Both sides changed one field to different values. `side` is the one whose value `remote` differs from ours (`hub`), and
 * `base` is what was last agreed. The same by position, for a page that shows WooCommerce left and Shopify right:
 * `woocommerce`, `agreed`, `shopify`.
 */
export const Conflict = Type.Object({
  _id: Id,
  pairId: Id,
  recordId: Id,
  recordTitle: Type.String(),
  sku: Type.String(),
  imageUrl: Type.String(),
  field: Type.String(),
  /** Option values or SKU of the variant that the field belongs to. */
  variantLabel: nullable(Type.String()),
  side: Type.Enum(PLATFORMS),
  base: Type.Unknown(),
  hub: Type.Unknown(),
  remote: Type.Unknown(),
  woocommerce: Type.Unknown(),
  agreed: Type.Unknown(),
  shopify: Type.Unknown(),
  currency: nullable(Type.String()),
  /** Moves whenever a value moves; a choice names the version it was made for. */
  version: Type.Integer(),
  state: Type.Enum(CONFLICT_STATES),
  resolution: nullable(Type.String()),
  openedAt: IsoTime,
  closedAt: nullable(IsoTime),
});
export type Conflict = Static<typeof Conflict>;

export const ConflictsQuery = Type.Object({
  ...PageQuery.properties,
  pairId: Type.Optional(Id),
  recordId: Type.Optional(Id),
  state: Type.Optional(Type.Enum(CONFLICT_STATES)),
  q: Type.Optional(SearchText),
});
export type ConflictsQuery = Static<typeof ConflictsQuery>;

export const ConflictsReply = Type.Object({
  conflicts: Type.Array(Conflict),
  total: Count,
  nextCursor: NextCursor,
});
export type ConflictsReply = Static<typeof ConflictsReply>;

export const CONFLICT_CHOICES = ['hub', 'remote', 'value', 'woocommerce', 'shopify', 'agreed'] as const;

/** `hub`/`remote` as in the conflict; `woocommerce`, `shopify` and `agreed` are the same by position; `value` is a new one. Of a delete only a side can be chosen. */
export const ResolveConflictBody = Type.Object({
  choice: Type.Enum(CONFLICT_CHOICES),
  expectedVersion: Type.Integer({ minimum: 0 }),
  value: Type.Optional(Type.Unknown()),
});
export type ResolveConflictBody = Static<typeof ResolveConflictBody>;

/** Of so many conflicts can one request decide. */
export const RESOLUTIONS_MAX = 100;
export const BULK_CHOICES = ['hub', 'remote', 'woocommerce', 'shopify', 'agreed'] as const;

/** One choice each. A value that a person types belongs to one field of one record, so there is no `value` here. */
export const ResolveConflictsBody = Type.Object({
  choices: Type.Array(
    Type.Object({
      conflictId: Id,
      version: Type.Integer({ minimum: 0 }),
      choice: Type.Enum(BULK_CHOICES),
    }),
    { minItems: 1, maxItems: RESOLUTIONS_MAX },
  ),
});
export type ResolveConflictsBody = Static<typeof ResolveConflictsBody>;

export const RESOLUTION_OUTCOMES = ['done', 'refused'] as const;

/** In the order of the choices. `code` and `message` say why one was refused, as the answer about it alone would; null where it was done. */
export const ResolveConflictsReply = Type.Object({
  results: Type.Array(
    Type.Object({
      conflictId: Id,
      outcome: Type.Enum(RESOLUTION_OUTCOMES),
      code: nullable(Type.String()),
      message: nullable(Type.String()),
    }),
  ),
});
export type ResolveConflictsReply = Static<typeof ResolveConflictsReply>;

export const ConflictReply = Type.Object({ conflict: Conflict });
export type ConflictReply = Static<typeof ConflictReply>;
