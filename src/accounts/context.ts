import type { Db } from '../db/database.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PasswordHasher } from './password.ts';

export type SignupMode = 'first' | 'open' | 'invite';

/** What accounts need from the rest of the program. */
export interface AccountsContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly signup: SignupMode;
  /** The first account needs it; null: none is asked for. */
  readonly setupToken: string | null;
  readonly passwords: PasswordHasher;
  readonly throttle: LoginThrottle;
}

/** Where a sign-in came from; kept with the session so that its owner can tell them apart. */
export interface Device {
  readonly ip: string;
  readonly userAgent: string;
}
