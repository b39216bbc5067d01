import { HOUR_MS } from '../lib/time.ts';
import type { UserId } from '../model/ids.ts';
import type { Clock } from '../ports/clock.ts';
import { createSlidingWindow } from './sliding-window.ts';

const PER_ADDRESS_MAX = 3;
const PER_INVITER_MAX = 30;

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
  const addresses = createSlidingWindow<string>(clock, { max: PER_ADDRESS_MAX, windowMs: HOUR_MS });
  const inviters = createSlidingWindow<UserId>(clock, { max: PER_INVITER_MAX, windowMs: HOUR_MS });
  return {
    addressWaitMs: addresses.waitMs,
    inviterWaitMs: inviters.waitMs,
    sent(emailIndex, userId) {
      addresses.count(emailIndex);
      inviters.count(userId);
    },
  };
}
