import { type Static, Type } from 'typebox';
import { PLATFORMS } from '../model/platform.ts';
import { RUN_STATUSES } from '../model/run.ts';
import { Activity } from './activity.ts';
import { Id, IsoTime, nullable } from './shared.ts';
import { CONNECTION_STATUSES } from './stores.ts';
import { RunStats } from './sync.ts';

/** Messages of the websocket `/api/ws`. Every one is `{ type, payload, timestamp }`. */

/** The first message must come within this, and be `authenticate`. */
export const LIVE_AUTH_TIMEOUT_MS = 10_000;
export const LIVE_HEARTBEAT_MS = 30_000;

function message<T extends string, P extends Parameters<typeof Type.Object>[0][string]>(type: T, payload: P) {
  return Type.Object({ type: Type.Literal(type), payload, timestamp: IsoTime });
}

// What a client sends. `timestamp` may be left out.

export const ClientMessage = Type.Object({
  type: Type.Enum(['authenticate', 'heartbeat', 'heartbeat_ack', 'subscribe_sync', 'subscribe_store_health']),
  payload: Type.Optional(
    Type.Object({
      accessToken: Type.Optional(Type.String({ maxLength: 4096 })),
      storeId: Type.Optional(Id),
      /** With `authenticate`: journal rows after this seq are sent again first, so that nothing is missed over a reconnect. */
      afterSeq: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  ),
  timestamp: Type.Optional(Type.Unknown()),
});
export type ClientMessage = Static<typeof ClientMessage>;

// What the server sends.

/**
 * Answer to `authenticate`. `lastSeq` is where the journal stands; `quietMs` is how long nothing has happened in the workspace, null: nothing
 * ever has. Whoever read something longer ago than that has to read it again.
 */
export const ReadyMessage = message(
  'ready',
  Type.Object({ workspaceId: Id, lastSeq: Type.Integer(), quietMs: nullable(Type.Integer()) }),
);

/** The connection is closed after this one. Code as in the error catalogue; TOKEN_EXPIRED: refresh, then connect again. */
export const RefusedMessage = message('refused', Type.Object({ code: Type.String(), message: Type.String() }));

export const HeartbeatMessage = message('heartbeat', Type.Object({}));
export const HeartbeatAckMessage = message('heartbeat_ack', Type.Object({}));

/** Sent once for each store of the pair, because clients of the specification listen by store. At most one a second and run. */
export const SyncStatusUpdateMessage = message(
  'sync_status_update',
  Type.Object({
    storeId: Id,
    pairId: Id,
    runId: nullable(Id),
    status: Type.Enum(RUN_STATUSES),
    progress: Type.Integer(),
    currentEntity: Type.String(),
    /** Seconds left, null when it can't be told. */
    eta: nullable(Type.Number()),
  }),
);

const Finished = Type.Object({
  storeId: Id,
  pairId: Id,
  runId: Id,
  status: Type.Enum(RUN_STATUSES),
  stats: RunStats,
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
});
export const SyncCompletedMessage = message('sync_completed', Finished);
export const SyncFailedMessage = message('sync_failed', Finished);

export const StoreHealthChangedMessage = message(
  'store_health_changed',
  Type.Object({
    storeId: Id,
    platform: Type.Enum(PLATFORMS),
    connectionStatus: Type.Enum(CONNECTION_STATUSES),
    reason: nullable(Type.String()),
  }),
);

export const UsageAlertMessage = message(
  'usage_alert',
  Type.Object({ message: Type.String(), level: Type.Enum(['warning', 'exceeded']) }),
);

/** Every row of the workspace's journal, in order; `payload.seq` counts up. */
export const ActivityMessage = message('activity', Activity);

/** The client was too slow and rows were left out: fetch what is shown again. */
export const LaggedMessage = message('lagged', Type.Object({ lastSeq: Type.Integer() }));

export const ServerMessage = Type.Union([
  ReadyMessage,
  RefusedMessage,
  HeartbeatMessage,
  HeartbeatAckMessage,
  SyncStatusUpdateMessage,
  SyncCompletedMessage,
  SyncFailedMessage,
  StoreHealthChangedMessage,
  UsageAlertMessage,
  ActivityMessage,
  LaggedMessage,
]);
export type ServerMessage = Static<typeof ServerMessage>;
