import { TEXT } from '../content/messages.en.ts';

const EMAIL_LENGTH_MAX = 254;

/**
 * An address or a code as it was meant: without the spaces around it, and without the marks that come along unseen when it is
 * copied out of a right-to-left text. Never for passwords or names, which may have them.
 */
export function withoutMarks(text: string): string {
  return text.replace(/[\u200b\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g, '').trim();
}

/** What is wrong with an email address, in the specification's words. Whether it exists, only a message can tell. */
export function emailError(text: string): string | null {
  const email = withoutMarks(text);
  if (email === '') return TEXT.signup.email;
  return email.length <= EMAIL_LENGTH_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : TEXT.signup.emailShape;
}
