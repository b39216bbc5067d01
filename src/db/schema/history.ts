import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type {
  ConflictId,
  PairId,
  ProblemId,
  ProductId,
  RunId,
  StoreId,
  VariantId,
  WorkspaceId,
} from '../../model/ids.ts';
import type { Side } from '../../model/platform.ts';

/** One field of one hub record changed by us: the history reads this. */
export const change = sqliteTable(
  'change',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    pairId: text('pair_id').$type<PairId>().notNull(),
    runId: text('run_id').$type<RunId>(),
    productId: text('product_id').$type<ProductId>().notNull(),
    variantId: text('variant_id').$type<VariantId>(),
    field: text().notNull(),
    /** Side whose outside change caused it; null: a rule or a person here. */
    origin: text().$type<Side>(),
    /** Side that was written; null: the hub took a value from `origin`. */
    target: text().$type<Side>(),
    from: text({ mode: 'json' }),
    to: text({ mode: 'json' }),
    /** Why: outside_change, conflict_newest, first_link, create, delete, gone, restore, stock_delta, person, written, unanswered (sent, and nobody knows whether it arrived), ... */
    cause: text().notNull(),
    at: integer().notNull(),
  },
  (t) => [
    index('change_product').on(t.productId, t.seq),
    index('change_pair').on(t.pairId, t.seq),
    index('change_run').on(t.runId),
    index('change_guard').on(t.pairId, t.cause, t.at),
    // For figures over a stretch of time: the history is long, and the time in question short. All that is asked stands in it: no row is read.
    index('change_written').on(t.pairId, t.at, t.cause, t.target).where(sql`target IS NOT NULL`),
  ],
);
export type ChangeRow = typeof change.$inferSelect;

/** Both sides changed one field to different values, and the pair's policy leaves the choice to a person. */
export const conflict = sqliteTable(
  'conflict',
  {
    id: text().$type<ConflictId>().primaryKey(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    productId: text('product_id').$type<ProductId>().notNull(),
    /** Field path, with the variant id in it where there is one. */
    field: text().notNull(),
    side: text().$type<Side>().notNull(),
    base: text({ mode: 'json' }),
    hub: text({ mode: 'json' }),
    remote: text({ mode: 'json' }),
    version: integer().notNull(),
    state: text().$type<'open' | 'closed'>().notNull(),
    resolution: text(),
    openedAt: integer('opened_at').notNull(),
    /** When `remote` was first seen. */
    remoteSeenAt: integer('remote_seen_at').notNull(),
    closedAt: integer('closed_at'),
  },
  (t) => [
    uniqueIndex('conflict_open').on(t.productId, t.field, t.side).where(sql`state = 'open'`),
    index('conflict_pair').on(t.pairId, t.state),
    index('conflict_product').on(t.productId, t.state),
    // For figures over a stretch of time: what is over is kept as long as its pair.
    index('conflict_opened').on(t.pairId, t.openedAt),
  ],
);
export type ConflictRow = typeof conflict.$inferSelect;

/** Something that failed or was refused and is shown to a person until it is gone. */
export const problem = sqliteTable(
  'problem',
  {
    id: text().$type<ProblemId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    pairId: text('pair_id').$type<PairId>(),
    storeId: text('store_id').$type<StoreId>(),
    productId: text('product_id').$type<ProductId>(),
    side: text().$type<Side>(),
    /** What it is about, so that the same trouble is one row: e.g. a product id, an external id, a SKU. */
    subject: text().notNull(),
    code: text().notNull(),
    level: text().$type<'warning' | 'error'>().notNull(),
    message: text().notNull(),
    remedy: text().notNull(),
    details: text({ mode: 'json' }),
    count: integer().notNull(),
    state: text().$type<'open' | 'closed'>().notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
  },
  (t) => [
    uniqueIndex('problem_open').on(t.pairId, t.code, t.subject, t.workspaceId).where(sql`state = 'open'`),
    index('problem_pair').on(t.pairId, t.state),
    index('problem_product').on(t.productId, t.state),
    index('problem_subject').on(t.subject, t.code),
    // Lists and counts of one workspace, without the problems of all others and those that are over.
    index('problem_workspace').on(...([t.workspaceId, t.state, t.lastAt, t.id, t.level, t.code, t.pairId] as const)),
    // For figures over a stretch of time.
    index('problem_first').on(t.workspaceId, t.firstAt, t.pairId),
  ],
);
export type ProblemRow = typeof problem.$inferSelect;
