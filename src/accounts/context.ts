import type { Db, Tx } from '../db/database.ts';
import type { WorkspaceId } from '../model/ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import type { CodeThrottle } from './code-throttle.ts';
import type { ConfirmationThrottle } from './confirmation-throttle.ts';
import type { InvitationThrottle } from './invitation-throttle.ts';
import type { LetterThrottle } from './letter-throttle.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { PasswordHasher } from './password.ts';
import type { ReplyRoom } from './reply-room.ts';
import type { SetupToken } from './setup-token.ts';
import type { Vault } from './vault.ts';

export type SignupMode = 'first' | 'open' | 'invite';

/** What accounts need from the rest of the program. */
export interface AccountsContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly signup: SignupMode;
  readonly setup: SetupToken;
  readonly passwords: PasswordHasher;
  /** Passwords that nobody may choose; null: no list was given. */
  readonly breached: Pick<BreachedPasswords, 'has'> | null;
  readonly throttle: LoginThrottle;
  readonly codes: CodeThrottle;
  readonly invitations: InvitationThrottle;
  readonly confirmations: ConfirmationThrottle;
  readonly letters: LetterThrottle;
  readonly replies: ReplyRoom;
  readonly vault: Vault;
  /** Puts an email on its way, in the transaction that causes it. */
  readonly mail: (tx: Tx, mail: AccountMail) => void;
  /** Takes away the emails to this address, sent or not: all where it is proved, else those about the account itself. */
  readonly forgetMail: (tx: Tx, whose: { readonly address: string; readonly isProved: boolean }) => void;
  /** Ends everything that a workspace has with its stores: pairs (a sync that is under way ends with its pair), webhooks, credentials. */
  readonly clearWorkspace: (id: WorkspaceId) => Promise<void>;
  /** Where people reach this instance, without a slash at the end: links in emails begin with it. */
  readonly webUrl: () => string;
}

/** Emails that accounts send; `notify` gives them words. Links carry their secret behind a #, which no server ever sees. */
export type AccountMail = { readonly to: string } & (
  | { readonly kind: 'verify_email'; readonly firstName: string; readonly link: string }
  | { readonly kind: 'reset_password'; readonly firstName: string; readonly link: string }
  | {
      readonly kind: 'invitation';
      readonly inviter: string;
      readonly workspace: string;
      readonly role: string;
      readonly link: string;
    }
  | {
      readonly kind: 'contact';
      readonly topic: string;
      readonly name: string;
      readonly email: string;
      readonly message: string;
    }
  | { readonly kind: 'security_notice'; readonly firstName: string; readonly event: SecurityEvent }
);

/** What a person is told of, so that they notice when it was not them. */
export type SecurityEvent =
  | 'password_changed'
  | 'unconfirmed_cleared'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_reset'
  | 'recovery_code_used'
  | 'identity_connected'
  | 'email_changed';

/** Where a request came from; kept with the session so that its owner can tell them apart. */
export interface Device {
  readonly ip: string;
  readonly userAgent: string;
  /** Straight from this very machine: nobody else can be behind it. */
  readonly isLocal: boolean;
}
