import { MINUTE_MS } from '../lib/time.ts';
import type { PairId, StoreId } from '../model/ids.ts';
import { type Halt, isStockAtWork, type PairSettings, type PairStatus } from '../model/pair.ts';
import { nextTime, type Recurrence } from './recurrence.ts';

/** Something that recurs and is due. `key` names it for the notes of when it was last done. */
export type ScheduledAction = { readonly key: string } & (
  | { readonly type: 'poll_store'; readonly storeId: StoreId }
  | { readonly type: 'sync_pair'; readonly pairId: PairId; readonly trigger: 'scheduled' | 'reconcile' }
  | { readonly type: 'ensure_webhooks' | 'check_store'; readonly storeId: StoreId }
  | { readonly type: 'housekeeping' }
);

/** How often a store is asked whether our webhooks are still there and switched on. */
const WEBHOOK_CHECK_MINUTES = 60;

export interface ScheduledPair {
  readonly id: PairId;
  readonly status: PairStatus;
  readonly halt: Halt | null;
  readonly storeIds: readonly StoreId[];
  readonly settings: Pick<PairSettings, 'syncSchedule' | 'syncInterval'>;
  /** IANA name; what is none is read as UTC. */
  readonly timeZone: string;
  /** Null: not linked yet, and nothing of it recurs. */
  readonly linkedAt: number | null;
}

export interface ScheduledStore {
  readonly id: StoreId;
  readonly isConnected: boolean;
  /** Its webhooks can't be relied on: with realtime pairs it is polled at least so often, minutes. Null: as the pairs say. */
  readonly pollMinutesMax: number | null;
  readonly createdAt: number;
}

export interface ScheduleInput {
  readonly pairs: readonly ScheduledPair[];
  readonly stores: readonly ScheduledStore[];
  /** By action key: when it was last done, ms. */
  readonly lastAt: ReadonlyMap<string, number>;
  /** When the instance was first seen, ms: what housekeeping that was never done counts from. */
  readonly since: number;
  readonly nowMs: number;
}

export interface Due {
  /** What is due now: each once, however many of its times were missed while the server was off. */
  readonly actions: readonly ScheduledAction[];
  /** When to look again, ms. */
  readonly nextAt: number;
}

interface Entry {
  readonly action: ScheduledAction;
  readonly recurrence: Recurrence;
  /** What the first time counts from. */
  readonly since: number;
}

/** Longest wait before looking again: settings change, pairs come and go. */
const LOOK_AGAIN_MS = MINUTE_MS;

/** Everything that recurs, and what of it is due. Pure: rows and a time in, actions out. */
export function dueWork(input: ScheduleInput): Due {
  const { nowMs, lastAt } = input;
  const pairs = input.pairs.filter(({ linkedAt }) => linkedAt !== null);
  const whole = pairs.filter(({ status }) => status === 'active');
  // [G1] A poll brings sales, which not every halt stops.
  const polled = pairs.filter(isStockAtWork);
  const entries = [
    ...whole.flatMap(pairEntries),
    ...input.stores.filter(({ isConnected }) => isConnected).flatMap((store) => storeEntries(store, polled)),
    housekeeping(input.since),
  ];
  const actions: ScheduledAction[] = [];
  let nextAt = nowMs + LOOK_AGAIN_MS;
  for (const { action, recurrence, since } of entries) {
    const from = lastAt.get(action.key) ?? since;
    // A clock that was set back must not silence the schedule until it catches up.
    const at = from > nowMs ? nowMs : nextTime(recurrence, from, action.key);
    if (at > nowMs) nextAt = Math.min(nextAt, at);
    else actions.push(action);
  }
  return { actions, nextAt };
}

function pairEntries(pair: ScheduledPair): readonly Entry[] {
  const { id: pairId, timeZone } = pair;
  const since = pair.linkedAt ?? 0;
  const schedule = pair.settings.syncSchedule;
  switch (schedule) {
    case 'manual':
      return [];
    case 'realtime': {
      const key = `reconcile:${pairId}`;
      const action = { type: 'sync_pair', key, pairId, trigger: 'reconcile' } as const;
      return [{ action, recurrence: { type: 'nightly', timeZone }, since }];
    }
    case 'hourly':
    case 'daily':
    case 'weekly': {
      const key = `sync:${pairId}`;
      const action = { type: 'sync_pair', key, pairId, trigger: 'scheduled' } as const;
      return [{ action, recurrence: { type: schedule, timeZone }, since }];
    }
  }
}

/** A store is polled once for all its realtime pairs, as often as the most eager one or the store itself asks. */
function storeEntries(store: ScheduledStore, pairs: readonly ScheduledPair[]): readonly Entry[] {
  const storeId = store.id;
  const webhooks: Entry = {
    action: { type: 'ensure_webhooks', key: `webhooks:${storeId}`, storeId },
    recurrence: { type: 'every', minutes: WEBHOOK_CHECK_MINUTES },
    since: store.createdAt,
  };
  const check: Entry = {
    action: { type: 'check_store', key: `check:${storeId}`, storeId },
    recurrence: { type: 'daily', timeZone: 'UTC' },
    since: store.createdAt,
  };
  const realtime = pairs.filter(
    ({ storeIds, settings }) => storeIds.includes(storeId) && settings.syncSchedule === 'realtime',
  );
  if (realtime.length === 0) return [webhooks, check];
  const wanted = realtime.map(({ settings }) => settings.syncInterval);
  const poll: Entry = {
    action: { type: 'poll_store', key: `poll:${storeId}`, storeId },
    recurrence: { type: 'every', minutes: Math.min(...wanted, store.pollMinutesMax ?? Number.POSITIVE_INFINITY) },
    since: Math.min(...realtime.map(({ linkedAt }) => linkedAt ?? 0)),
  };
  return [poll, webhooks, check];
}

function housekeeping(since: number): Entry {
  return {
    action: { type: 'housekeeping', key: 'housekeeping' },
    recurrence: { type: 'hourly', timeZone: 'UTC' },
    since,
  };
}
