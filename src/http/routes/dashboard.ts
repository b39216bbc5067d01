import { AnalyticsQuery, AnalyticsReply, OverviewReply } from '../../contracts/dashboard.ts';
import { listHeartbeat, listWorkspacePairs } from '../../db/readers/list-pairs.ts';
import { countWrites, listRuns } from '../../db/readers/list-runs.ts';
import { listWorkspaceStores } from '../../db/readers/list-stores.ts';
import { readAnalytics } from '../../db/readers/read-analytics.ts';
import { countStates } from '../../db/readers/record-states.ts';
import { sumUsage } from '../../db/readers/usage.ts';
import { readOverviewCounts } from '../../db/readers/view-overview.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import { monthStart } from '../../model/usage.ts';
import { runPresenter } from '../activity-names.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { needsYou } from '../present/needs-you.ts';
import { presentHeartbeat, presentPair } from '../present/pair.ts';
import { presentStore } from '../present/store.ts';
import { presentUsage } from '../present/usage.ts';
import { storeContact } from '../store-contact.ts';
import type { Server } from '../types.ts';

const STORES_MAX = 200;
const HEARTBEAT_RUNS = 40;
const SYNC_LOGS = 20;
const BUCKETS = {
  day: { count: 24, bucketMs: HOUR_MS },
  week: { count: 7, bucketMs: DAY_MS },
  month: { count: 30, bucketMs: DAY_MS },
} as const;

export function dashboardRoutes(server: Server, deps: HttpDeps): void {
  const { db } = deps;

  server.get('/api/dashboard/overview', { schema: { response: { 200: OverviewReply } } }, async (request) => {
    const { id: workspaceId, isDemo } = caller(request).workspace;
    const now = deps.clock.now();
    const month = monthStart(now);
    const rows = listWorkspaceStores(db, workspaceId, { limit: STORES_MAX }).rows;
    const contactOf = (storeId: StoreId) => storeContact(deps, storeId);
    const stores = rows.map((row) => presentStore(row, contactOf(row.store.id)));
    const pairRows = listWorkspacePairs(db, workspaceId);
    const plans = new Map(pairRows.flatMap(({ pair, openPlan }) => (openPlan === null ? [] : [[pair.id, openPlan]])));
    const pairs = pairRows.map((row) => presentPair(row, countStates(db, workspaceId, row.pair.id), contactOf));
    const unpaired = stores.filter((store) => store.pairIds.length === 0).map((store) => store._id);
    // A sandbox store is there to be played with: beside a person's own it waits for nobody.
    const waiting = unpaired.filter((id) => isDemo || !stores.some(({ _id, isSandbox }) => _id === id && isSandbox));
    const counts = readOverviewCounts(db, workspaceId, month);
    // The sum of what its pairs show: the two stand on one page.
    const sum = (of: 'records' | 'level') => pairs.reduce((all, { counts: own }) => all + own[of], 0);
    const latencies = stores.map((store) => store.health.latencyP50Ms).filter((ms) => ms !== null);
    return {
      usage: {
        // Orders are not mirrored by this version: there is no number to tell, not even none.
        ordersSyncedToday: null,
        ordersThisMonth: null,
        apiCallsThisMonth: sumUsage(db, workspaceId, 'api_calls', month),
        syncsThisMonth: counts.syncsSince,
        monthlyUsage: null,
        meters: presentUsage(db, workspaceId, deps.usageLimits, now),
      },
      stats: {
        uptime: null,
        avgResponseTime: latencies.length === 0 ? null : latencies.reduce((sum, ms) => sum + ms, 0) / latencies.length,
        totalProducts: sum('records'),
        changesToday: countWrites(db, workspaceId, now - DAY_MS, undefined),
        recordsLevel: sum('level'),
        openConflicts: counts.openConflicts,
        openProblems: counts.openProblems,
      },
      needsYou: needsYou(stores, pairs, plans, waiting),
      stores,
      pairs: pairs.map((pair) => ({
        pair,
        heartbeat: listHeartbeat(db, pair._id as Parameters<typeof listHeartbeat>[1], HEARTBEAT_RUNS).map(
          presentHeartbeat,
        ),
      })),
      unpairedStoreIds: unpaired,
      syncLogs: listRuns(db, workspaceId, { limit: SYNC_LOGS }).rows.map(runPresenter(db)),
    };
  });

  server.get(
    '/api/dashboard/analytics',
    { schema: { querystring: AnalyticsQuery, response: { 200: AnalyticsReply } } },
    async (request) => {
      const { period = 'month', pairId = '' } = request.query;
      const { count, bucketMs } = BUCKETS[period];
      const until = (Math.floor(deps.clock.now() / bucketMs) + 1) * bucketMs;
      const since = until - count * bucketMs;
      const { id: workspaceId } = caller(request).workspace;
      const buckets = readAnalytics(db, { workspaceId, pairId, since, until, bucketMs });
      return {
        analytics: {
          ...{ period, since: isoTime(since), until: isoTime(until) },
          buckets: buckets.map(({ at, ...counts }) => ({ at: isoTime(at), ...counts })),
        },
      };
    },
  );
}
