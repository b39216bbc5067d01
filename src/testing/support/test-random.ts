import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { SeededRandom, seededRandomPort } from '../simulator/random.ts';
import { makeTestClock } from './test-clock.ts';

/** The `Random` port with a fixed seed: the same ids in every run. */
export function makeTestRandom(seed = 'test', clock: Pick<Clock, 'now'> = makeTestClock()): Random {
  return seededRandomPort(new SeededRandom(seed), clock);
}
