import { DAY_MS } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';
import { createSlidingWindow } from './sliding-window.ts';
import { networkOf, sourceOf } from './sources.ts';

const PER_SOURCE_MAX = 10;
const PER_NETWORK_MAX = 30;

/** Bounds what one source, and one IPv6 network, writes by the contact form within a day: the letter box takes a number of letters from all together. */
export interface LetterThrottle {
  /** Milliseconds until the next letter from there; 0: go on. */
  waitMs(ip: string): number;
  kept(ip: string): void;
}

export function createLetterThrottle(clock: Clock): LetterThrottle {
  const sources = createSlidingWindow<string>(clock, { max: PER_SOURCE_MAX, windowMs: DAY_MS });
  const networks = createSlidingWindow<string>(clock, { max: PER_NETWORK_MAX, windowMs: DAY_MS });
  return {
    waitMs: (ip) => Math.max(sources.waitMs(sourceOf(ip)), networks.waitMs(networkOf(ip))),
    kept(ip) {
      sources.count(sourceOf(ip));
      networks.count(networkOf(ip));
    },
  };
}
