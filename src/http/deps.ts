import type { AccountsContext } from '../accounts/context.ts';
import type { Db } from '../db/database.ts';
import type { DemoService } from '../demo/demo-service.ts';
import type { Journal } from '../journal/journal.ts';
import type { UsageLimits } from '../model/usage.ts';
import type { NotifyContext } from '../notify/context.ts';
import type { OutboxContext } from '../notify/outbox.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { UsageCounter } from '../usage/usage-counter.ts';
import type { BackupsApi } from './backups-api.ts';
import type { EngineApi } from './engine-api.ts';

/** What the HTTP server needs from the rest of the program. */
export interface HttpDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly engine: EngineApi;
  readonly accounts: AccountsContext;
  readonly backups: BackupsApi;
  readonly notify: NotifyContext;
  readonly journal: Journal;
  readonly outbox: OutboxContext;
  readonly usage: Pick<UsageCounter, 'count'>;
  readonly usageLimits: UsageLimits;
  /** Null: people sign in with passwords only. */
  readonly identityProvider: IdentityProvider | null;
  /** Null: `DEMO=off`. */
  readonly demo: DemoService | null;
  readonly version: string;
  /** Signs access tokens; at least 32 random bytes. */
  readonly jwtSecret: string;
  /** Where people and platforms reach this instance from outside, when that is known. */
  readonly publicUrl: string | null;
  /** PEM texts: the server speaks https itself. Null: plain http, as behind a proxy. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Addresses (CIDR) whose forwarded headers are believed. */
  readonly trustedProxies: readonly string[];
  /** The built web app; null while there is none. */
  readonly webDir: string | null;
  /** False while the server starts: health answers 503. */
  readonly isReady: () => boolean;
  /** Replies that break their contract are errors: while developing and testing. */
  readonly isStrict: boolean;
}
