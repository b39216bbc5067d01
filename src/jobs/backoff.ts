import { SECOND_MS } from '../lib/time.ts';

const BASE_MS = SECOND_MS;
/** A store that comes back is noticed within this, however long it was away. */
const CAP_MS = 64 * SECOND_MS;

/**
 * When to try again after `failures` failures in a row (1 or more): after 1 s, doubling up to 64 s, shortened by up to half so that it falls on
 * a common beat. Beats of short waits contain those of long ones: whatever fails while a store is away is tried together when it is back, in
 * full batches, however apart it was when it began to fail. `unit` (in [0, 1), one per process) shifts the beats, so that not everybody
 * in the world knocks in the same second.
 */
export function retryAt(nowMs: number, failures: number, unit: number): number {
  const longest = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(failures - 1, 30));
  const beat = longest / 2;
  const shift = Math.floor((1 - unit) * (CAP_MS / 2));
  return Math.floor((nowMs + longest - shift) / beat) * beat + shift;
}
