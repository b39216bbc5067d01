import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PairId, StoreId, WorkspaceId } from '../../model/ids.ts';

/** Durable work. p-queue only limits how many run at once; the truth is here. */
export const job = sqliteTable(
  'job',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** One job per key: ten signals of one record are one job. */
    key: text().notNull(),
    task: text().notNull(),
    /** Jobs of one group are claimed in batches, and groups take turns: a big pair does not starve a small one. */
    groupKey: text('group_key').notNull(),
    payload: text({ mode: 'json' }).notNull(),
    /** Lower goes first (`JOB_PRIORITY`): 0 stock, 5 and 10 products, 20 person's requests, 30 scans, 40 housekeeping. */
    priority: integer().notNull(),
    /** Not before, ms. */
    runAt: integer('run_at').notNull(),
    state: text().$type<'ready' | 'executing'>().notNull(),
    /** Moves at each enqueue: a record dirtied while in work is looked at again. */
    revision: integer().notNull(),
    /** Failures in a row that were nobody's bug; a success or a fresh signal after one sets it back. */
    attempts: integer().notNull(),
    /** Times in a row that the task threw: a bug, and after a few the job is quarantined. */
    faults: integer().notNull(),
    lastError: text('last_error'),
    /** `runAt` of the first request since it was last done: its age, whatever back-off came after. */
    dirtySince: integer('dirty_since').notNull(),
  },
  (t) => [
    uniqueIndex('job_key').on(t.key),
    // Lanes are (group, task, priority); the first entry of each tells when it is due, without reading the backlog.
    index('job_lane').on(t.state, t.groupKey, t.task, t.priority, t.runAt),
  ],
);

/** Received webhooks, by which repeats are told; kept 7 days. */
export const delivery = sqliteTable(
  'delivery',
  {
    storeId: text('store_id').$type<StoreId>().notNull(),
    deliveryId: text('delivery_id').notNull(),
    topic: text().notNull(),
    receivedAt: integer('received_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.storeId, t.deliveryId] }),
    // By time for what is forgotten, and with the store for what is counted of a day.
    index('delivery_received').on(t.receivedAt, t.storeId),
  ],
);

/** Append-only, numbered journal. The websocket and the activity list read it. */
export const event = sqliteTable(
  'event',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text('workspace_id').$type<WorkspaceId>().notNull(),
    pairId: text('pair_id').$type<PairId>(),
    type: text().notNull(),
    payload: text({ mode: 'json' }).notNull(),
    at: integer().notNull(),
  },
  // The second: lists and counts of some kinds, or of one pair, without a look at the rest. Its entries are in the order of `seq`, the key of the rows.
  (t) => [index('event_workspace').on(t.workspaceId, t.seq), index('event_type').on(t.workspaceId, t.type, t.pairId)],
);
export type EventRow = typeof event.$inferSelect;

/** Small facts of the instance: process lock, schema notes, scan numbers. */
export const meta = sqliteTable('meta', {
  key: text().primaryKey(),
  value: text().notNull(),
});
