import { createCodeThrottle } from '../../accounts/code-throttle.ts';
import { createConfirmationThrottle } from '../../accounts/confirmation-throttle.ts';
import type { AccountMail, AccountsContext } from '../../accounts/context.ts';
import { emailIndex } from '../../accounts/email.ts';
import { createInvitationThrottle } from '../../accounts/invitation-throttle.ts';
import { createLetterThrottle } from '../../accounts/letter-throttle.ts';
import { createLoginThrottle } from '../../accounts/login-throttle.ts';
import type { PasswordHasher } from '../../accounts/password.ts';
import { createReplyRoom } from '../../accounts/reply-room.ts';
import { createSetupToken } from '../../accounts/setup-token.ts';
import { openVault } from '../../accounts/vault.ts';
import { forgetRecipient, type OutboxContext, orderMail } from '../../notify/outbox.ts';
import { createCipher } from '../../system/cipher.ts';

/** Passwords that cost nothing; the real hasher has tests of its own. */
const plainPasswords: PasswordHasher = {
  hash: async (password) => `plain ${password}`,
  verify: async (password, stored) => stored === `plain ${password}`,
};

export interface TestAccounts {
  readonly accounts: AccountsContext;
  readonly outbox: OutboxContext;
  /** Emails that were ordered, oldest first. */
  readonly mails: readonly AccountMail[];
}

/** Accounts over a database of the test's: real but for the price of passwords. Emails are stored, and noted. */
export function makeTestAccounts(
  base: Pick<AccountsContext, 'db' | 'clock' | 'random' | 'log'>,
  change: Partial<AccountsContext> = {},
): TestAccounts {
  const cipher = createCipher([new Uint8Array(32).fill(7)]);
  const mails: AccountMail[] = [];
  const vault = openVault(base.db, cipher);
  const indexOf = (address: string) => emailIndex(vault, address);
  const outbox: OutboxContext = { ...base, cipher, indexOf, send: null, enqueue: () => undefined };
  const accounts: AccountsContext = {
    ...base,
    signup: 'open',
    setup: createSetupToken({ given: null, isPublished: false, show: () => undefined }),
    passwords: plainPasswords,
    breached: null,
    throttle: createLoginThrottle(base.clock),
    letters: createLetterThrottle(base.clock),
    replies: createReplyRoom(base.db, base.clock),
    codes: createCodeThrottle(base.clock),
    invitations: createInvitationThrottle(base.clock),
    confirmations: createConfirmationThrottle(base.clock),
    vault,
    mail: (tx, mail) => {
      mails.push(mail);
      orderMail(outbox, tx, mail);
    },
    forgetMail: (tx, whose) => void forgetRecipient(outbox, tx, whose),
    clearWorkspace: async () => undefined,
    webUrl: () => 'https://sync.example.com',
    ...change,
  };
  return { accounts, outbox, mails };
}
