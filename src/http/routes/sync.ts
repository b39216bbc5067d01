import { IdParams } from '../../contracts/shared.ts';
import {
  HistoryQuery,
  HistoryReply,
  ManualSyncBody,
  QueueReply,
  RunDetailReply,
  RunQuery,
  RunReply,
  SyncStatsQuery,
  SyncStatsReply,
} from '../../contracts/sync.ts';
import { readQueue } from '../../db/readers/list-jobs.ts';
import { findWorkspacePair } from '../../db/readers/list-pairs.ts';
import {
  countRunOutcomes,
  findWorkspaceRun,
  listRunItems,
  listRuns,
  readRunTotals,
} from '../../db/readers/list-runs.ts';
import { findOnlyPairOfStore, findWorkspaceStore } from '../../db/readers/list-stores.ts';
import { getStore } from '../../db/readers/pairs.ts';
import { listRunWrites } from '../../db/readers/run-writes.ts';
import { DAY_MS, isoTime } from '../../lib/time.ts';
import type { PairId, WorkspaceId } from '../../model/ids.ts';
import { runPresenter } from '../activity-names.ts';
import { found, invalidField } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { presentRunItem, recordOf } from '../present/run.ts';
import { isoTimeOrNull } from '../present/store.ts';
import type { Server } from '../types.ts';

/** Of a product with many variants a list shows the beginning; its page has them all. */
const WRITES_SHOWN = 6;
const PERIOD_MS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

export function syncRoutes(server: Server, deps: HttpDeps): void {
  const { db, engine } = deps;
  const getRow = (workspaceId: WorkspaceId, id: string) => found(findWorkspaceRun(db, workspaceId, id), 'run');
  const presentRun = runPresenter(db);

  function pairOf(workspaceId: WorkspaceId, body: ManualSyncBody): PairId {
    if (body.pairId !== undefined)
      return found(findWorkspacePair(db, workspaceId, body.pairId), 'pair', 'pairId').pair.id;
    if (body.storeId === undefined) throw invalidField('pairId', 'pairId is missing: name the pair to sync');
    const { store } = found(findWorkspaceStore(db, workspaceId, body.storeId), 'store', 'storeId');
    const pairId = findOnlyPairOfStore(db, workspaceId, store.id);
    if (pairId !== null) return pairId;
    throw invalidField('storeId', `storeId: ${store.name} is not in exactly one pair; name the pair (pairId) instead`);
  }

  server.post(
    '/api/sync/manual',
    { schema: { body: ManualSyncBody, response: { 202: RunReply } } },
    async (request, reply) => {
      const workspaceId = caller(request).workspace.id;
      const run = await engine.requestRun({ pairId: pairOf(workspaceId, request.body), trigger: 'manual' });
      return reply.code(202).send({ run: presentRun(getRow(workspaceId, run.id)) });
    },
  );

  server.get(
    '/api/sync/status/:id',
    { schema: { params: IdParams, response: { 200: RunReply } } },
    async (request) => ({ run: presentRun(getRow(caller(request).workspace.id, request.params.id)) }),
  );

  server.post(
    '/api/sync/cancel/:id',
    { schema: { params: IdParams, response: { 202: RunReply } } },
    async (request, reply) => {
      const workspaceId = caller(request).workspace.id;
      const { run } = getRow(workspaceId, request.params.id);
      await engine.cancelRun(run.id);
      return reply.code(202).send({ run: presentRun(getRow(workspaceId, run.id)) });
    },
  );

  server.get(
    '/api/sync/history',
    { schema: { querystring: HistoryQuery, response: { 200: HistoryReply } } },
    async (request) => {
      const page = listRuns(db, caller(request).workspace.id, request.query);
      return { syncLogs: page.rows.map(presentRun), total: page.total, nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/sync/stats',
    { schema: { querystring: SyncStatsQuery, response: { 200: SyncStatsReply } } },
    async (request) => {
      const period = request.query.period ?? 'month';
      const since = deps.clock.now() - PERIOD_MS[period];
      const totals = readRunTotals(db, caller(request).workspace.id, since, request.query.pairId);
      const { running, completed, failed, cancelled } = totals.byStatus;
      return {
        stats: {
          period,
          since: isoTime(since),
          total: running + completed + failed + cancelled,
          completed,
          failed,
          cancelled,
          running,
          recordsProcessed: totals.processed,
          recordsWritten: totals.written,
          recordsFailed: totals.failed,
          changes: totals.changes,
          averageDurationMs: totals.averageDurationMs,
        },
      };
    },
  );

  server.get('/api/sync/queue/status', { schema: { response: { 200: QueueReply } } }, async (request) => {
    const { oldestReadyAt, ...queue } = readQueue(db, caller(request).workspace.id, deps.clock.now());
    return { queue: { ...queue, oldestReadyAt: isoTimeOrNull(oldestReadyAt) } };
  });

  server.get(
    '/api/runs/:id',
    { schema: { params: IdParams, querystring: RunQuery, response: { 200: RunDetailReply } } },
    async (request) => {
      const row = getRow(caller(request).workspace.id, request.params.id);
      const page = listRunItems(db, row.run.id, request.query);
      const { pair } = row;
      return {
        run: presentRun(row),
        currency: pair === null ? null : (getStore(db, pair.woocommerceStoreId).info?.currency ?? null),
        items: page.rows.map((item) => {
          const record = recordOf(item);
          return presentRunItem(item, record === null ? null : listRunWrites(db, row.run.id, record, WRITES_SHOWN));
        }),
        outcomeCounts: countRunOutcomes(db, row.run.id),
        nextCursor: page.nextCursor,
      };
    },
  );
}
