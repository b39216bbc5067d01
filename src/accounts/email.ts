import type { Vault } from './vault.ts';

/** As SMTP carries it: what is longer is nobody's. */
export const EMAIL_LENGTH_MAX = 254;

/** What two addresses are compared by. Plus-parts and dots are kept: only their owner's provider knows what they mean. */
export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/** One @, something before it, a dotted name after it, no spaces or control characters. Whether it exists, only a message can tell. */
export function isEmail(text: string): boolean {
  const email = text.trim();
  return (
    email.length <= EMAIL_LENGTH_MAX &&
    /^[^\s@\p{Cc}<>(),;:"[\]\\]+@[^\s@.\p{Cc}<>(),;:"[\]\\]+(\.[^\s@.\p{Cc}<>(),;:"[\]\\]+)+$/u.test(email)
  );
}

/** What an address is stored and found by. */
export function emailIndex(vault: Vault, email: string): string {
  return vault.index(`email:${emailKey(email)}`);
}

/** What the audit log keeps of an address: enough to tell whom, and little of somebody who may have no account here, or not for long. */
export function maskEmail(email: string): string {
  return email.replace(/^(.)[^@]*/u, '$1…');
}
