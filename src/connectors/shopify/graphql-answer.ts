import { parseJson } from '../shared/exact-json.ts';
import { isTold, type ThrottleStatus } from './cost-gate.ts';
import type { GraphqlError } from './errors.ts';

export const THROTTLED_WAIT_MIN_MS = 1_000;

/** `extensions.cost` of an answer. */
export interface Cost {
  readonly requestedQueryCost?: number | null;
  /** Null when it was throttled. What it is less than the requested cost is given back at once. */
  readonly actualQueryCost?: number | null;
  readonly throttleStatus?: ThrottleStatus | null;
}

export interface Body {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly cost?: Cost } | null;
}

/** Null when it is no GraphQL answer. */
export function parseBody(text: string): Body | null {
  try {
    const value = parseJson(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const { errors, ...rest } = value as { data?: unknown; errors?: unknown };
    // Some servers write the list out when it is empty.
    if (errors === undefined || errors === null || (Array.isArray(errors) && errors.length === 0))
      return rest.data === undefined ? null : (rest as Body);
    return isErrorList(errors) ? (value as Body) : null;
  } catch {
    return null;
  }
}

function isErrorList(value: unknown): value is readonly GraphqlError[] {
  return Array.isArray(value) && value.every((error) => typeof (error as GraphqlError)?.message === 'string');
}

/** Shopify's rule: what is missing, at the rate at which it comes back, and never less than a second. */
export function throttledWaitMs(cost: Cost | null): number {
  const { requestedQueryCost, throttleStatus } = cost ?? {};
  if (typeof requestedQueryCost !== 'number' || !throttleStatus || !isTold(throttleStatus))
    return THROTTLED_WAIT_MIN_MS;
  const missing = requestedQueryCost - throttleStatus.currentlyAvailable;
  return Math.max(THROTTLED_WAIT_MIN_MS, Math.ceil((missing / throttleStatus.restoreRate) * 1000));
}
