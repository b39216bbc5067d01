import type { Db } from '../db/database.ts';
import { sumReplies } from '../db/readers/idempotency.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time.ts';
import type { Clock } from '../ports/clock.ts';

/** What answers to requests with an Idempotency-Key may take of the disk in all: nightly copies hold them, too. */
export const INSTANCE_BYTES_MAX = 100_000_000;

/** The instance's room for kept answers. All workspaces share it, as they share the disk. */
export interface ReplyRoom {
  /** Milliseconds until there may be room again; 0: there is some. */
  waitMs(): number;
  kept(bytes: number): void;
}

/** Summed up once a minute, and counted in between: there may be a hundred thousand of them. */
export function createReplyRoom(db: Db, clock: Clock): ReplyRoom {
  let summed = { bytes: 0, firstAt: 0, at: Number.NEGATIVE_INFINITY };
  return {
    waitMs() {
      const now = clock.now();
      if (now - summed.at >= MINUTE_MS) summed = { ...sumReplies(db), at: now };
      return summed.bytes < INSTANCE_BYTES_MAX ? 0 : Math.max(MINUTE_MS, summed.firstAt + DAY_MS - now);
    },
    kept(bytes) {
      summed = { ...summed, bytes: summed.bytes + bytes };
    },
  };
}
