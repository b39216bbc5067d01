import type { Clock } from '../ports/clock.ts';
import { networkOf, sourceOf } from './sources.ts';

const WINDOW_MS = 15 * 60_000;
/** Attempts of one source without success on one account before it has to wait, and on all accounts together; and of all sources of an IPv6 network. */
const FREE_PER_ACCOUNT = 5;
const FREE_PER_SOURCE = 40;
const FREE_PER_NETWORK = 400;
const WAIT_FIRST_MS = 2_000;
const WAIT_MAX_MS = 15 * 60_000;
const ENTRIES_MAX = 20_000;

export interface ThrottleEntry {
  failures: number;
  lastAt: number;
}

/**
 * Slows guessing down. Counted by (account, source), by source and by network, never by account alone: failing on purpose
 * with someone's email must not keep that person out. Unknown accounts are counted like known ones.
 * `account` is remembered before anybody has shown a password: an id or a hash, never the text that somebody typed.
 */
export interface LoginThrottle {
  /** Milliseconds that this source has to wait before its next attempt on this account; 0: go on. */
  waitMs(account: string, ip: string): number;
  /** Before the password is looked at: attempts made at once must not slip past the count. */
  attempted(account: string, ip: string): void;
  succeeded(account: string, ip: string): void;
}

export function createLoginThrottle(clock: Clock, entries = new Map<string, ThrottleEntry>()): LoginThrottle {
  function current(key: string): ThrottleEntry | null {
    const entry = entries.get(key);
    if (entry === undefined) return null;
    if (clock.now() - entry.lastAt < WINDOW_MS) return entry;
    entries.delete(key);
    return null;
  }

  function waitFor(key: string, free: number): number {
    const entry = current(key);
    if (entry === null || entry.failures < free) return 0;
    const pause = Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** Math.min(20, entry.failures - free));
    return Math.max(0, entry.lastAt + pause - clock.now());
  }

  function count(key: string): void {
    const failures = (current(key)?.failures ?? 0) + 1;
    // Re-inserted at the end: the map is in order of the last failure, and the oldest makes room.
    entries.delete(key);
    entries.set(key, { failures, lastAt: clock.now() });
    for (const [oldest, { lastAt }] of entries) {
      if (entries.size <= ENTRIES_MAX && clock.now() - lastAt < WINDOW_MS) break;
      entries.delete(oldest);
    }
  }

  function forgive(key: string): void {
    const entry = entries.get(key);
    if (entry !== undefined) entry.failures = Math.max(0, entry.failures - 1);
  }

  return {
    waitMs(account, ip) {
      const source = sourceOf(ip);
      return Math.max(
        waitFor(`${source} ${account}`, FREE_PER_ACCOUNT),
        waitFor(source, FREE_PER_SOURCE),
        waitFor(networkKey(ip), FREE_PER_NETWORK),
      );
    },
    attempted(account, ip) {
      const source = sourceOf(ip);
      count(`${source} ${account}`);
      count(source);
      count(networkKey(ip));
    },
    succeeded(account, ip) {
      const source = sourceOf(ip);
      entries.delete(`${source} ${account}`);
      forgive(source);
      forgive(networkKey(ip));
    },
  };
}

function networkKey(ip: string): string {
  return `network ${networkOf(ip)}`;
}
