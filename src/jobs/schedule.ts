import type { JobRequest } from '../db/writers/jobs.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { PairId, StoreId } from '../model/ids.ts';
import { JOB_PRIORITY } from '../model/job.ts';
import type { PairSettings, PairStatus } from '../model/pair.ts';
import { nextTime, type Recurrence } from './recurrence.ts';

/** Task names of recurring work. */
export const SCHEDULED_TASK = {
  poll: 'poll_pair',
  sync: 'scheduled_sync',
  reconcile: 'reconcile_pair',
  webhooks: 'ensure_webhooks',
  deliveries: 'prune_deliveries',
  events: 'prune_events',
} as const;

/** Group of housekeeping that belongs to no pair and no store. */
export const INSTANCE_GROUP = 'instance';

/** How often a store is asked whether our webhooks are still there and switched on. */
const WEBHOOK_CHECK_MINUTES = 60;

export interface ScheduledPair {
  readonly id: PairId;
  readonly status: PairStatus;
  readonly settings: Pick<PairSettings, 'syncSchedule' | 'syncInterval'>;
  /** IANA name; what is none is read as UTC. */
  readonly timeZone: string;
  /** Null: not linked yet, and nothing of it recurs. */
  readonly linkedAt: number | null;
}

export interface ScheduledStore {
  readonly id: StoreId;
  readonly isConnected: boolean;
  readonly createdAt: number;
}

export interface ScheduleInput {
  readonly pairs: readonly ScheduledPair[];
  readonly stores: readonly ScheduledStore[];
  /** By job key: when it was last asked for, ms. */
  readonly lastAt: ReadonlyMap<string, number>;
  /** When the instance was set up or first seen, ms: what housekeeping that never ran counts from. */
  readonly since: number;
  readonly nowMs: number;
}

export interface Due {
  /** What is due now. Each key once, however many of its times were missed while the server was off. */
  readonly jobs: readonly JobRequest[];
  /** When to look again, ms. */
  readonly nextAt: number;
}

interface Entry {
  readonly task: string;
  readonly key: string;
  readonly groupKey: string;
  readonly payload: unknown;
  readonly priority: number;
  readonly recurrence: Recurrence;
  /** What the first time counts from. */
  readonly since: number;
}

/** Longest wait before looking again: settings change, pairs come and go. */
const LOOK_AGAIN_MS = MINUTE_MS;

/** Everything that recurs, and what of it is due. Pure: rows and a time in, jobs out. */
export function dueWork(input: ScheduleInput): Due {
  const { nowMs, lastAt } = input;
  const entries = [
    ...input.pairs.flatMap(pairEntries),
    ...input.stores.flatMap(storeEntries),
    ...instanceEntries(input.since),
  ];
  const jobs: JobRequest[] = [];
  let nextAt = nowMs + LOOK_AGAIN_MS;
  for (const entry of entries) {
    const from = lastAt.get(entry.key) ?? entry.since;
    // A clock that was set back must not silence the schedule until it catches up.
    const at = from > nowMs ? nowMs : nextTime(entry.recurrence, from, entry.key);
    if (at > nowMs) {
      nextAt = Math.min(nextAt, at);
      continue;
    }
    const { task, key, groupKey, payload, priority } = entry;
    jobs.push({ task, key, groupKey, payload, priority, runAt: nowMs });
  }
  return { jobs, nextAt };
}

function pairEntries(pair: ScheduledPair): readonly Entry[] {
  if (pair.status !== 'active' || pair.linkedAt === null) return [];
  const { timeZone, linkedAt: since } = pair;
  const entry = (task: string, recurrence: Recurrence): Entry => ({
    task,
    key: `${task}:${pair.id}`,
    groupKey: pair.id,
    payload: { pairId: pair.id },
    priority: JOB_PRIORITY.scan,
    recurrence,
    since,
  });
  const schedule = pair.settings.syncSchedule;
  switch (schedule) {
    case 'manual':
      return [];
    case 'realtime':
      return [
        entry(SCHEDULED_TASK.poll, { type: 'every', minutes: pair.settings.syncInterval }),
        entry(SCHEDULED_TASK.reconcile, { type: 'nightly', timeZone }),
      ];
    case 'hourly':
    case 'daily':
    case 'weekly':
      return [entry(SCHEDULED_TASK.sync, { type: schedule, timeZone })];
  }
}

function storeEntries(store: ScheduledStore): readonly Entry[] {
  if (!store.isConnected) return [];
  const task = SCHEDULED_TASK.webhooks;
  return [
    {
      task,
      key: `${task}:${store.id}`,
      groupKey: store.id,
      payload: { storeId: store.id },
      priority: JOB_PRIORITY.housekeeping,
      recurrence: { type: 'every', minutes: WEBHOOK_CHECK_MINUTES },
      since: store.createdAt,
    },
  ];
}

function instanceEntries(since: number): readonly Entry[] {
  const entry = (task: string, recurrence: Recurrence): Entry => ({
    task,
    key: task,
    groupKey: INSTANCE_GROUP,
    payload: null,
    priority: JOB_PRIORITY.housekeeping,
    recurrence,
    since,
  });
  return [
    entry(SCHEDULED_TASK.deliveries, { type: 'hourly', timeZone: 'UTC' }),
    entry(SCHEDULED_TASK.events, { type: 'hourly', timeZone: 'UTC' }),
  ];
}
