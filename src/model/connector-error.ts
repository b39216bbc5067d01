import type { Platform } from './platform.ts';
import type { SearchKey } from './search-key.ts';

/** What to do next, not what went wrong: the eight kinds every platform answer is classed by. */
export const CONNECTOR_ERROR_KINDS = [
  'rate_limited',
  'timeout',
  'unknown_outcome',
  'unavailable',
  'unauthorized',
  'not_found',
  'rejected',
  'malformed',
] as const;
export type ConnectorErrorKind = (typeof CONNECTOR_ERROR_KINDS)[number];

export interface ConnectorErrorDetails {
  /** The platform's own words, cut to 500 characters, free of secrets. */
  readonly platformMessage?: string;
  /** The platform's own code, e.g. "product_invalid_sku" or "TAKEN". */
  readonly platformCode?: string;
  /** Of the answer that was refused, where the platform speaks in them. */
  readonly httpStatus?: number;
  /** Of the keys that were searched for, one that can't be; without it the others can, as far as is known. */
  readonly unsearched?: SearchKey;
  /** The canonical field that was refused, where it could be told. */
  readonly field?: string;
  /** The SKUs or barcodes that the write gave, one of which is meant. */
  readonly keys?: readonly string[];
  /** The platform's id of the record that stands in the way (a duplicate SKU), where it was named. */
  readonly conflictingId?: string;
  /** What a person can do about it, in whole sentences, where the connector knows more than the platform says. */
  readonly remedy?: string;
  /** How long the platform asked us to wait. */
  readonly retryAfterMs?: number;
  /** It is our own limit of requests that left no room, and the store was not asked. */
  readonly isOwnLimit?: true;
  /** It was a list that ended before its end, and this platform's. */
  readonly cutShort?: Platform;
  /** It was we who gave the call up, and not the platform that failed. */
  readonly isCancelled?: true;
}

/**
 * The only error a connector throws or returns.
 * - `rate_limited`, `timeout`, `unavailable`: nothing happened; ask again later. A read that timed out is `timeout`.
 * - `unknown_outcome`: a write that may have happened (timed out, connection lost, 5xx after sending).
 * - `unauthorized`: the credentials no longer work, or lack a permission.
 * - `not_found`: the exact answer "no such record", never a general failure.
 * - `rejected`: refused for what it says; repeating it is useless until something changes.
 * - `malformed`: an answer that can't be understood.
 */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly kind: ConnectorErrorKind;
  readonly details: ConnectorErrorDetails;

  constructor(kind: ConnectorErrorKind, message: string, details: ConnectorErrorDetails = {}) {
    // What a platform answers is no fault of our code: where in it that was classed is never asked, and costs more to note than the rest of the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.details = details;
  }
}
