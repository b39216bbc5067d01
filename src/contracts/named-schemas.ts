import { type TSchema, Type } from 'typebox';
import { ALERT_KINDS, ALERT_MODES } from '../model/alert.ts';
import { ENDPOINT_EVENTS, ENDPOINT_KINDS, ENDPOINT_STATUSES, MESSAGE_STATUSES } from '../model/endpoint.ts';
import {
  CONFLICT_POLICIES,
  DIRECTIONS,
  HALT_REASONS,
  LINK_RULES,
  PAIR_STATUSES,
  SCHEDULES,
  STOCK_LINK_RULES,
} from '../model/pair.ts';
import { PLAN_ACTIONS } from '../model/plan.ts';
import { PLATFORMS } from '../model/platform.ts';
import { PRODUCT_STATUSES } from '../model/product.ts';
import { TOKEN_SCOPES, WORKSPACE_ROLES } from '../model/role.ts';
import { RUN_STATUSES, RUN_TRIGGERS } from '../model/run.ts';
import { USAGE_KINDS, USAGE_LEVELS } from '../model/usage.ts';
import * as account from './account.ts';
import * as activity from './activity.ts';
import * as alerts from './alerts.ts';
import * as auth from './auth.ts';
import * as backups from './backups.ts';
import * as conflicts from './conflicts.ts';
import * as contact from './contact.ts';
import * as dashboard from './dashboard.ts';
import * as demo from './demo.ts';
import * as endpoints from './endpoints.ts';
import * as errors from './errors.ts';
import * as health from './health.ts';
import * as pairs from './pairs.ts';
import * as plans from './plans.ts';
import * as problems from './problems.ts';
import * as records from './records.ts';
import * as stores from './stores.ts';
import * as sync from './sync.ts';

const CONTRACTS = [
  ...[account, activity, alerts, auth, backups, conflicts, contact, dashboard, demo, endpoints, errors, health],
  ...[pairs, plans, problems, records, stores, sync],
];

/** Parts of addresses are described with their route. */
const PLACED = /(Query|Params)$/;

/** Lists of words that stand in several shapes. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  ...{ AlertKind: ALERT_KINDS, AlertMode: ALERT_MODES },
  ...{ EndpointEvent: ENDPOINT_EVENTS, EndpointKind: ENDPOINT_KINDS, EndpointStatus: ENDPOINT_STATUSES },
  ...{ MessageStatus: MESSAGE_STATUSES, OutboxState: account.OUTBOX_STATES, BackupReason: backups.BACKUP_REASONS },
  ...{ Platform: PLATFORMS, ProductStatus: PRODUCT_STATUSES, RecordState: records.RECORD_STATES },
  ...{ StoreStatus: stores.STORE_STATUSES, ConnectionStatus: stores.CONNECTION_STATUSES },
  ...{ PairStatus: PAIR_STATUSES, HaltReason: HALT_REASONS, Schedule: SCHEDULES, ConflictPolicy: CONFLICT_POLICIES },
  ...{ Direction: DIRECTIONS, DirectionAccepted: pairs.DIRECTIONS_ACCEPTED },
  ...{ LinkRule: LINK_RULES, StockLinkRule: STOCK_LINK_RULES },
  ...{ PlanStatus: plans.PLAN_STATUSES, PlanAction: PLAN_ACTIONS },
  ...{ RunStatus: RUN_STATUSES, RunTrigger: RUN_TRIGGERS, RunItemOutcome: sync.RUN_ITEM_OUTCOMES },
  ...{ WorkspaceRole: WORKSPACE_ROLES, TokenScope: TOKEN_SCOPES },
  ...{ UsageKind: USAGE_KINDS, UsageLevel: USAGE_LEVELS },
};

/** What the API's description and the generated client call by name: the objects that contracts export, by that name, and lists of words. */
export function namedSchemas(): ReadonlyMap<string, TSchema> {
  const shapes = CONTRACTS.flatMap((contract) => Object.entries(contract)).filter(
    (entry): entry is [string, TSchema] => isShape(entry[1]) && !PLACED.test(entry[0]),
  );
  const words = Object.entries(WORDS).map(([name, list]): [string, TSchema] => [name, Type.Enum([...list])]);
  return new Map([...shapes, ...words].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isShape(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, anyOf } = value as { readonly type?: unknown; readonly anyOf?: unknown };
  return type === 'object' || Array.isArray(anyOf);
}
