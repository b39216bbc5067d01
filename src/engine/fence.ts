import type { Capabilities } from '../ports/connector.ts';

/** From the moment an intent is stored, a request waits at most 30 s for its turn [C9] and 30 s for its answer. */
const SENDING_MS = 60_000;

/** When an intent is stored: after this nothing of it can land any more, even if the process dies right now. */
export function fenceOfNewIntent(now: number, capabilities: Capabilities): number {
  return now + SENDING_MS + capabilities.fenceMs;
}

/** When its answer did not come: from now on it may still land for as long as the platform can take. */
export function fenceOfLostAnswer(now: number, capabilities: Capabilities): number {
  return now + capabilities.fenceMs;
}
