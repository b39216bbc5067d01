import type { Clock } from '../../ports/clock.ts';

/** Time and chance as the memory platform takes them; the simulator's `VirtualClock` and `SeededRandom` fit. */
export interface WorldClock extends Clock {
  setTimer(run: () => void, ms: number): unknown;
}

export interface WorldRandom {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Uniform in 0 .. n - 1. */
  int(n: number): number;
  chance(p: number): boolean;
  /** An independent stream of the same seed. */
  fork(name: string): WorldRandom;
}
