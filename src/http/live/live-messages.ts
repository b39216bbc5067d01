import type { ServerMessage } from '../../contracts/live.ts';
import type { Db } from '../../db/database.ts';
import { findWorkspaceRun } from '../../db/readers/list-runs.ts';
import { findPair, findStore } from '../../db/readers/pairs.ts';
import type { EventRow } from '../../db/schema/machinery.ts';
import { isoTime } from '../../lib/time.ts';
import type { StoreId } from '../../model/ids.ts';
import { activityNames, runPresenter } from '../activity-names.ts';
import type { HttpDeps } from '../deps.ts';
import { presentActivity } from '../present/activity.ts';
import { storeHealthMessage } from './health-watch.ts';

/** Events that only move a progress bar. */
const PROGRESS: readonly string[] = ['run_progress', 'plan_progress'];

/**
 * What one journal row is to a client: the row itself, and the specification's messages where it stands for one. Those are made
 * from the run or store as it is now, so that a client that catches up is told the present and not the past again.
 */
export function messagesOf(deps: HttpDeps, event: EventRow): readonly ServerMessage[] {
  const { db } = deps;
  const timestamp = isoTime(event.at);
  const own = specMessages(deps, event, timestamp);
  if (PROGRESS.includes(event.type)) return own;
  return [{ type: 'activity', payload: presentActivity(event, activityNames(db, event)), timestamp }, ...own];
}

function specMessages(deps: HttpDeps, event: EventRow, timestamp: string): readonly ServerMessage[] {
  const { db } = deps;
  const payload = (event.payload ?? {}) as Readonly<Record<string, unknown>>;
  switch (event.type) {
    case 'run_started':
    case 'run_progress':
    case 'run_completed':
    case 'run_failed':
    case 'run_cancelled':
      return runMessages(db, event, String(payload['runId'] ?? ''), timestamp);
    case 'plan_progress':
      return [{ type: 'activity', payload: presentActivity(event, activityNames(db, event)), timestamp }];
    case 'store_health_changed':
      return storeMessages(deps, String(payload['storeId'] ?? ''), payload['reason'], timestamp);
    case 'problem':
      return payload['code'] === 'STORE_AWAY'
        ? storeMessages(deps, String(payload['subject'] ?? ''), payload['message'], timestamp)
        : [];
    case 'usage_alert': {
      const level = payload['level'] === 'exceeded' ? 'exceeded' : 'warning';
      return [{ type: 'usage_alert', payload: { message: String(payload['message'] ?? ''), level }, timestamp }];
    }
    default:
      return [];
  }
}

/** One for each store of the pair: clients of the specification listen by store. */
function runMessages(db: Db, event: EventRow, runId: string, timestamp: string): readonly ServerMessage[] {
  const row = findWorkspaceRun(db, event.workspaceId, runId);
  const pair = row === null ? null : findPair(db, row.run.pairId);
  if (row === null || pair === null) return [];
  const run = runPresenter(db)(row);
  return [pair.woocommerceStoreId, pair.shopifyStoreId].map((storeId): ServerMessage => {
    const about = { storeId, pairId: pair.id, runId: run._id, status: run.status };
    if (run.status === 'completed' || run.status === 'failed') {
      const type = run.status === 'completed' ? 'sync_completed' : 'sync_failed';
      return { type, payload: { ...about, stats: run.stats, error: run.error }, timestamp };
    }
    return {
      type: 'sync_status_update',
      payload: {
        ...about,
        progress: run.progress,
        currentEntity: run.entityType === 'inventory' ? 'inventory' : 'products',
        eta: etaSeconds(row.run.startedAt, event.at, run.progress),
      },
      timestamp,
    };
  });
}

/** By the pace so far; not told before there is a pace. */
function etaSeconds(startedAt: number, at: number, progress: number): number | null {
  if (progress < 5 || progress >= 100) return null;
  return Math.round(((at - startedAt) / progress) * (100 - progress)) / 1000;
}

function storeMessages(deps: HttpDeps, storeId: string, reason: unknown, timestamp: string): readonly ServerMessage[] {
  const store = findStore(deps.db, storeId as StoreId);
  if (store === null) return [];
  return [storeHealthMessage(deps, store, typeof reason === 'string' ? reason : null, timestamp)];
}
