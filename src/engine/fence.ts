import type { Capabilities } from '../ports/connector.ts';

/** From the moment an intent is stored, a request waits at most 30 s for its turn [C9] and 30 s for its answer. */
const SENDING_MS = 60_000;

/**
 * When an intent is stored: after this nothing of it can land any more. `batch`: how many requests go out one after another before its own
 * may have ended. (After a crash the fence is cut short: `cap-fences`.)
 */
export function fenceOfNewIntent(now: number, capabilities: Capabilities, batch = 1): number {
  return now + SENDING_MS * batch + capabilities.fenceMs;
}

/** When its answer did not come: from now on it may still land for as long as the platform can take. */
export function fenceOfLostAnswer(now: number, capabilities: Capabilities): number {
  return now + capabilities.fenceMs;
}
