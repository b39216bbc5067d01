import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';
import type { ConnectorError } from '../model/connector-error.ts';
import type { Clock } from '../ports/clock.ts';

/** [W1] The time until which a write may leave. What waits longer for its turn with a platform is not sent, since what it was decided on has grown old. */
export interface Departure {
  /** For the connector: aborted with the pass, or when the write has missed its departure. */
  readonly signal: AbortSignal;
  /** It may not leave any more: its record has been seen otherwise. */
  miss(): void;
  /** Whether an error says that a write was not sent because of this, and of nothing else. */
  isMissed(error: ConnectorError): boolean;
  /** To be called when the write has ended. */
  close(): void;
}

/** What may leave at any time (a create of a first link) is given this. */
const WAIT_MAX_MS = 10 * MINUTE_MS;

/** A reason of its own: without one an error with a stack is made each time. */
const MISSED = 'a write has missed its departure';
const ENDED = 'a write has ended';

export function openDeparture(signal: AbortSignal, clock: Clock, untilMs: number): Departure {
  const own = new AbortController();
  const timer = new AbortController();
  const miss = (): void => own.abort(MISSED);
  const onAbort = (): void => own.abort(signal.reason);
  if (signal.aborted) onAbort();
  else if (clock.now() > untilMs) miss();
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    untilLate(clock, untilMs, timer.signal).then(miss, () => undefined);
  }
  return {
    signal: own.signal,
    miss,
    isMissed: ({ kind, details }) =>
      kind === 'unavailable' && details.isCancelled === true && own.signal.reason === MISSED,
    close() {
      signal.removeEventListener('abort', onAbort);
      timer.abort(ENDED);
    },
  };
}

/** Timers stand while the machine sleeps: whether it did is asked each second. */
async function untilLate(clock: Clock, untilMs: number, signal: AbortSignal): Promise<void> {
  const openedAt = clock.now();
  const lateAt = Math.min(untilMs, openedAt + WAIT_MAX_MS);
  for (let left = lateAt - openedAt; left > 0 && clock.brokenAt() < openedAt; left = lateAt - clock.now())
    await clock.sleep(Math.min(left, SECOND_MS), signal);
}
