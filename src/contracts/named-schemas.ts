import type { TSchema } from 'typebox';
import * as account from './account.ts';
import * as activity from './activity.ts';
import * as alerts from './alerts.ts';
import * as auth from './auth.ts';
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
  ...[account, activity, alerts, auth, conflicts, contact, dashboard, demo, endpoints, errors, health],
  ...[pairs, plans, problems, records, stores, sync],
];

/** Parts of addresses are described with their route. */
const PLACED = /(Query|Params)$/;

/** The shapes that the API's description and the generated client call by name: what the contracts export as objects, by that name. */
export function namedSchemas(): ReadonlyMap<string, TSchema> {
  const named = CONTRACTS.flatMap((contract) => Object.entries(contract))
    .filter((entry): entry is [string, TSchema] => isShape(entry[1]) && !PLACED.test(entry[0]))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(named);
}

function isShape(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, anyOf } = value as { readonly type?: unknown; readonly anyOf?: unknown };
  return type === 'object' || Array.isArray(anyOf);
}
