import { MINUTE_MS } from '../lib/time.ts';
import { ConnectorError } from '../model/connector-error.ts';
import type { JobOutcome } from '../model/job.ts';

export const DONE: JobOutcome = { type: 'done' };

/**
 * What a failed read means for the job that asked. Nothing was wrong with what the job wants: a store that refuses to be read is asked again, with
 * growing distance, and a person is told (`noteReadError`).
 */
export function outcomeOfRead(error: ConnectorError): JobOutcome {
  const outcome = outcomeOfError(error);
  return outcome.type === 'cancel' ? { type: 'retry', reason: outcome.reason } : outcome;
}

/** How long a single record is left alone that a store refuses to show while it shows others, ms: somebody has to mend it there. */
const REFUSED_ITEM_MS = 15 * 60_000;

/** The same for one record of a reading whose others were answered. */
export function outcomeOfReadItem(error: ConnectorError): JobOutcome {
  const outcome = outcomeOfRead(error);
  return error.kind === 'rejected' && outcome.type === 'retry' ? { ...outcome, afterMs: REFUSED_ITEM_MS } : outcome;
}

/**
 * The same for what recurs by itself. A store that has no room for us is left alone for a minute, and counts as one that does not answer: when
 * it has none for long, a person is told.
 */
export function outcomeOfRecurring(error: ConnectorError): JobOutcome {
  if (error.kind !== 'rate_limited') return outcomeOfRead(error);
  const afterMs = Math.max(MINUTE_MS, error.details.retryAfterMs ?? 0);
  return { type: 'retry', reason: `${error.kind}: ${error.message}`, afterMs };
}

/** Whether a write that ended so may have happened, or may yet. */
export function mayHaveHappened({ kind }: ConnectorError): boolean {
  return kind === 'unknown_outcome' || kind === 'malformed';
}

/** What a write that certainly did not happen means for the job that asked. */
export function outcomeOfError(error: ConnectorError): JobOutcome {
  switch (error.kind) {
    case 'rate_limited':
      return { type: 'snooze', ms: Math.max(250, error.details.retryAfterMs ?? 1_000) };
    case 'timeout':
    case 'unavailable':
    case 'malformed':
    case 'unknown_outcome':
      return { type: 'retry', reason: `${error.kind}: ${error.message}` };
    case 'unauthorized':
      // The store's own state goes to `error` and a person is told; the work waits for them.
      return { type: 'snooze', ms: 60_000 };
    case 'not_found':
    case 'rejected':
      return { type: 'cancel', reason: `${error.kind}: ${error.message}` };
  }
}

/** [S12] Whether it is the place that the pair maps which is switched off or gone: nothing is wrong with what was asked. */
export function isPlaceAway(error: ConnectorError): boolean {
  return error.kind === 'rejected' && error.details.field === 'locationId';
}

/** A thrown `ConnectorError`; anything else is a bug and goes on up. */
export function asConnectorError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  throw error;
}
