import { HOUR_MS } from '../lib/time.ts';
import type { UserId } from '../model/ids.ts';
import type { Clock } from '../ports/clock.ts';
import { createSlidingWindow } from './sliding-window.ts';

const PER_HOUR_MAX = 5;

/**
 * Bounds the links that confirm an address, within an hour, by address for the whole instance and by person: counted when they are sent, for one that is
 * worthless since (a changed password, an account that was deleted) lies in the mailbox all the same.
 */
export interface ConfirmationThrottle {
  /** Milliseconds until the address, known by its index, can be sent one more for this person; 0: go on. */
  waitMs(emailIndex: string, userId: UserId): number;
  sent(emailIndex: string, userId: UserId): void;
  /** The same for this person and any address: asked before it is looked up, or 409 and 429 would tell of any number of addresses whose they are. */
  personWaitMs(userId: UserId): number;
  /** Nothing was sent, for the address is another account's: it counts like one that was, for its answer tells something. */
  wasTaken(userId: UserId): void;
}

export function createConfirmationThrottle(clock: Clock): ConfirmationThrottle {
  const options = { max: PER_HOUR_MAX, windowMs: HOUR_MS };
  const addresses = createSlidingWindow<string>(clock, options);
  const people = createSlidingWindow<UserId>(clock, options);
  return {
    waitMs: (emailIndex, userId) => Math.max(addresses.waitMs(emailIndex), people.waitMs(userId)),
    sent(emailIndex, userId) {
      addresses.count(emailIndex);
      people.count(userId);
    },
    personWaitMs: people.waitMs,
    wasTaken: people.count,
  };
}
