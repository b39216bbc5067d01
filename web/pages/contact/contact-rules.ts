import { TEXT } from '../../content/messages.en.ts';
import { emailError } from '../../hooks/typed-text.ts';
import type { Refused } from '../../hooks/use-refusals.ts';

export interface ContactForm {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

export type ContactErrors = Refused<keyof ContactForm>;
export const CONTACT_FIELDS = ['name', 'email', 'subject', 'message'] as const;

const NAME_MAX = 100;
const MESSAGE_MAX = 5_000;

/** The first thing wrong with each field; empty when the form is good. The server asks the same. */
export function checkContact({ name, email, subject, message }: ContactForm): ContactErrors {
  const text = TEXT.contact;
  const wrongEmail = emailError(email);
  return {
    ...(name.trim() === '' ? { name: text.name } : name.trim().length > NAME_MAX ? { name: text.nameLong } : {}),
    ...(wrongEmail === null ? {} : { email: wrongEmail }),
    ...(subject === '' ? { subject: text.subject } : {}),
    ...(message.trim() === ''
      ? { message: text.message }
      : message.trim().length > MESSAGE_MAX
        ? { message: text.messageLong }
        : {}),
  };
}

/** A draft survives a reload of the tab, and a session that ends in between. */
const DRAFT = 'contactDraft';

export function readDraft(): Partial<ContactForm> {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT) ?? '{}') as Partial<ContactForm>;
  } catch {
    return {};
  }
}

export function keepDraft(form: ContactForm | null): void {
  try {
    if (form === null) sessionStorage.removeItem(DRAFT);
    else sessionStorage.setItem(DRAFT, JSON.stringify(form));
  } catch {
    // A full or forbidden storage costs the draft, not the form.
  }
}
