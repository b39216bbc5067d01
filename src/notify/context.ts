import type { Db } from '../db/database.ts';
import type { Cipher } from '../ports/cipher.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Poster } from '../ports/poster.ts';
import type { Random } from '../ports/random.ts';

/** What telling others needs. */
export interface NotifyContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cipher: Cipher;
  readonly poster: Poster;
}
