import type { Claim, Settlement } from '../db/writers/jobs.ts';
import { unreachable } from '../lib/assert.ts';
import { retryAt } from './backoff.ts';
import type { JobResult } from './batch.ts';
import { failureText } from './failure.ts';

/** Throws of one job in a row after which it is put aside: a bug is not cured by repeating it. */
const FAULTS_MAX = 5;

export function isQuarantined(claim: Claim, result: JobResult): boolean {
  return result.type === 'failed' && result.failure.type === 'bug' && claim.faults + 1 >= FAULTS_MAX;
}

/** What becomes of the row. `unit`: see `retryAt`. */
export function settlementOf(claim: Claim, result: JobResult, nowMs: number, unit: number): Settlement {
  const { id, revision, attempts, faults } = claim;
  const forget: Settlement = { type: 'forget', id, revision };
  const again = (runAt: number, change: { attempts?: number; faults?: number; error?: string }): Settlement => ({
    type: 'again',
    id,
    runAt,
    attempts: change.attempts ?? attempts,
    faults: change.faults ?? faults,
    error: change.error ?? null,
  });
  switch (result.type) {
    case 'interrupted':
      return again(nowMs, {});
    case 'failed': {
      const error = failureText(result.error);
      if (isQuarantined(claim, result)) return forget;
      if (result.failure.type === 'bug') {
        return again(retryAt(nowMs, faults + 1, unit), { faults: faults + 1, error });
      }
      const { afterMs } = result.failure;
      const runAt = afterMs === undefined ? retryAt(nowMs, attempts + 1, unit) : nowMs + atLeastOne(afterMs);
      return again(runAt, { attempts: attempts + 1, error });
    }
    case 'outcome': {
      const { outcome } = result;
      switch (outcome.type) {
        case 'done':
        case 'cancel':
          return forget;
        case 'snooze':
          return again(nowMs + atLeastOne(outcome.ms), {});
        case 'retry': {
          const { afterMs } = outcome;
          const failures = outcome.isProgress === true ? 1 : attempts + 1;
          const runAt = afterMs === undefined ? retryAt(nowMs, failures, unit) : nowMs + atLeastOne(afterMs);
          return again(runAt, { attempts: failures, faults: 0, error: outcome.reason });
        }
        default:
          return unreachable(outcome);
      }
    }
    default:
      return unreachable(result);
  }
}

/** A wait of nothing would claim the same row again in the same millisecond, for ever under a clock that stands still. */
function atLeastOne(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}
