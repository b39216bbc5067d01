import { HOUR_MS } from '../lib/time.ts';
import type { UserId } from '../model/ids.ts';
import type { Clock } from '../ports/clock.ts';

const PER_ADDRESS_MAX = 3;
const PER_INVITER_MAX = 30;
const ENTRIES_MAX = 10_000;

/**
 * Bounds what invitations put into mailboxes within an hour: counted when they are sent, for one that was replaced or revoked lies there all the same.
 * By address for the whole instance, since whoever may sign up has as many workspaces as they like.
 */
export interface InvitationThrottle {
  /** Milliseconds until the address, known by its index, can be invited once more; 0: go on. */
  addressWaitMs(emailIndex: string): number;
  inviterWaitMs(userId: UserId): number;
  sent(emailIndex: string, userId: UserId): void;
}

export function createInvitationThrottle(clock: Clock): InvitationThrottle {
  const addresses = createWindow(clock, PER_ADDRESS_MAX);
  const inviters = createWindow(clock, PER_INVITER_MAX);
  return {
    addressWaitMs: addresses.waitMs,
    inviterWaitMs: inviters.waitMs,
    sent(emailIndex, userId) {
      addresses.count(emailIndex);
      inviters.count(userId);
    },
  };
}

function createWindow(clock: Clock, max: number) {
  const entries = new Map<string, number[]>();
  const recent = (key: string) => (entries.get(key) ?? []).filter((at) => clock.now() - at < HOUR_MS);
  return {
    waitMs(key: string): number {
      const times = recent(key);
      const oldest = times[times.length - max];
      return oldest === undefined ? 0 : oldest + HOUR_MS - clock.now();
    },
    count(key: string): void {
      const times = [...recent(key), clock.now()].slice(-max);
      entries.delete(key);
      entries.set(key, times);
      if (entries.size <= ENTRIES_MAX) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
  };
}
