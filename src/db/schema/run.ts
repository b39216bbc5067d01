import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PairId, PlanId, ProductId, RunId, WorkspaceId } from '../../model/ids.ts';
import type { Direction, PairSettings } from '../../model/pair.ts';
import type { PlanCounts, PlanItemData } from '../../model/plan.ts';
import type { Side } from '../../model/platform.ts';
import type { RunArea, RunStats, RunStatus, RunTrigger } from '../../model/run.ts';

/** One requested sync. */
export const run = sqliteTable(
  'run',
  {
    id: text().$type<RunId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    planId: text('plan_id').$type<PlanId>(),
    trigger: text().$type<RunTrigger>().notNull(),
    /** As its pair was set when it began: the history does not change with the settings. */
    direction: text().$type<Direction>().notNull(),
    area: text().$type<RunArea>().notNull(),
    status: text().$type<RunStatus>().notNull(),
    /** 0 to 100. */
    progress: integer().notNull(),
    stats: text({ mode: 'json' }).$type<RunStats>().notNull(),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    /** Last plan item that was dealt with: a crash goes on after it. */
    cursor: integer().notNull(),
    /** Of the complete listing that it makes, where it makes one: the same after a crash, however far it had come. */
    scanNumber: integer('scan_number').notNull(),
    isCancelRequested: integer('is_cancel_requested', { mode: 'boolean' }).notNull(),
    startedAt: integer('started_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (t) => [index('run_workspace').on(t.workspaceId, t.startedAt), index('run_pair').on(t.pairId, t.startedAt)],
);
export type RunRow = typeof run.$inferSelect;

/** What a run did with one record. */
export const runItem = sqliteTable(
  'run_item',
  {
    runId: text('run_id').$type<RunId>().notNull(),
    /** Product id, or `side:externalId` for a record that has none. */
    subject: text().notNull(),
    title: text().notNull(),
    action: text().notNull(),
    outcome: text().$type<'written' | 'unchanged' | 'skipped' | 'failed' | 'moved'>().notNull(),
    detail: text(),
    at: integer().notNull(),
  },
  // The second: how many there are of each outcome, and those of one, without looking at all that a run did.
  (t) => [primaryKey({ columns: [t.runId, t.subject] }), index('run_item_outcome').on(t.runId, t.outcome, t.subject)],
);
export type RunItemRow = typeof runItem.$inferSelect;

/** What a sync would do, computed and shown without doing it. */
export const plan = sqliteTable(
  'plan',
  {
    id: text().$type<PlanId>().primaryKey(),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    pairId: text('pair_id').$type<PairId>().notNull(),
    status: text().$type<'planning' | 'ready' | 'nothing_to_do' | 'failed' | 'applied' | 'discarded'>().notNull(),
    settings: text({ mode: 'json' }).$type<PairSettings>().notNull(),
    /** Fingerprint over all items; null until it is ready. */
    hash: text(),
    counts: text({ mode: 'json' }).$type<PlanCounts>().notNull(),
    progress: integer().notNull(),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    createdAt: integer('created_at').notNull(),
    readyAt: integer('ready_at'),
  },
  (t) => [index('plan_pair').on(t.pairId, t.createdAt)],
);
export type PlanRow = typeof plan.$inferSelect;

export const planItem = sqliteTable(
  'plan_item',
  {
    planId: text('plan_id').$type<PlanId>().notNull(),
    seq: integer().notNull(),
    /** link, create, update, settle, archive, skip, ambiguous, none. */
    action: text().notNull(),
    productId: text('product_id').$type<ProductId>(),
    woocommerceId: text('woocommerce_id'),
    shopifyId: text('shopify_id'),
    title: text().notNull(),
    sku: text().notNull(),
    /** Of the fields (not the stock) that it was decided on: apply refuses what moved since. */
    fingerprint: text().notNull(),
    /** What lists ask of `data`, noted when it is stored. Before it: a row is read no further than the last column that is asked for. */
    touchesWoocommerce: integer('touches_woocommerce', { mode: 'boolean' }).notNull(),
    touchesShopify: integer('touches_shopify', { mode: 'boolean' }).notNull(),
    isUnlike: integer('is_unlike', { mode: 'boolean' }).notNull(),
    data: text({ mode: 'json' }).$type<PlanItemData>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.planId, t.seq] }),
    // All that items are filtered, searched and counted by: a plan of 100,000 is counted without a look at its rows, which are large.
    index('plan_item_list').on(
      ...([t.planId, t.action, t.seq, t.touchesWoocommerce, t.touchesShopify, t.isUnlike, t.title, t.sku] as const),
    ),
  ],
);
export type PlanItemRow = typeof planItem.$inferSelect;
/** Without what the writer sees in `data` by itself. */
export type NewPlanItem = Omit<PlanItemRow, 'touchesWoocommerce' | 'touchesShopify' | 'isUnlike'>;

/** A record as one scan saw it; lives as long as its plan or apply needs it. */
export const observation = sqliteTable(
  'observation',
  {
    scanId: text('scan_id').notNull(),
    side: text().$type<Side>().notNull(),
    externalId: text('external_id').notNull(),
    snapshot: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scanId, t.side, t.externalId] })],
);

/** A record that a plan has dealt with from its other side. Apart from `observation`, whose rows are as large as products are. */
export const observationMatch = sqliteTable(
  'observation_match',
  {
    scanId: text('scan_id').notNull(),
    side: text().$type<Side>().notNull(),
    externalId: text('external_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scanId, t.side, t.externalId] })],
);

/** What an observed record can be matched by; and its title, by which nothing is matched: it tells namesakes [M1]. */
export const observationKey = sqliteTable(
  'observation_key',
  {
    scanId: text('scan_id').notNull(),
    side: text().$type<Side>().notNull(),
    type: text().$type<'mark' | 'barcode' | 'sku' | 'handle' | 'title'>().notNull(),
    value: text().notNull(),
    externalId: text('external_id').notNull(),
  },
  (t) => [
    index('observation_key_value').on(t.scanId, t.type, t.value, t.side),
    index('observation_key_record').on(t.scanId, t.side, t.externalId),
  ],
);

/** Progress of a listing of one side, so that a crash resumes at the last page. */
export const scanProgress = sqliteTable(
  'scan_progress',
  {
    scanId: text('scan_id').notNull(),
    side: text().$type<Side>().notNull(),
    resume: text(),
    count: integer().notNull(),
    /** How many records the side was known to have when the listing began; null where nobody asks. */
    expected: integer(),
    isComplete: integer('is_complete', { mode: 'boolean' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.scanId, t.side] })],
);
