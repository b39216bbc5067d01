import { type Db, transact } from '../db/database.ts';
import { countContactMessages, findSameContactMessage } from '../db/readers/contact-messages.ts';
import { insertContactMessage } from '../db/writers/contact-messages.ts';
import { CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX, CONTACT_TOPICS } from '../model/contact.ts';
import { type ContactMessageId, ID_PREFIX } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { isEmail } from './email.ts';

export interface ContactContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface ContactForm {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
}

/** More than anybody reads: past it the form says so instead of filling the disk. */
const MESSAGES_MAX = 10_000;
const SAME_WITHIN_MS = 10 * 60_000;

/**
 * Keeps what somebody wrote. The same words sent again within ten minutes are one message.
 * Refuses with VALIDATION (`details.fields`) or CONTACT_FULL.
 */
export function takeContactMessage(ctx: ContactContext, form: ContactForm): ContactMessageId {
  const errors = validateContact(form);
  const fields = Object.entries(errors).map(([field, message]) => ({ field, message }));
  const first = fields[0];
  if (first !== undefined) throw new Refusal('VALIDATION', first.message, { fields });
  const row = {
    name: form.name?.trim() ?? '',
    email: form.email?.trim() ?? '',
    subject: form.subject ?? '',
    message: form.message?.trim() ?? '',
  };
  return transact(ctx.db, (tx) => {
    const now = ctx.clock.now();
    const same = findSameContactMessage(tx, row, now - SAME_WITHIN_MS);
    if (same !== null) return same.id;
    if (countContactMessages(tx) >= MESSAGES_MAX) {
      throw new Refusal('CONTACT_FULL', 'The letter box of this instance is full. Write to its owner another way.');
    }
    const id = ctx.random.id(ID_PREFIX.contactMessage) as ContactMessageId;
    insertContactMessage(tx, { id, ...row, createdAt: now });
    // Neither words nor names: the log is not the letter box.
    ctx.log.info({ messageId: id, subject: row.subject }, 'contact message kept');
    return id;
  });
}

/** The first thing wrong with each field, by field name; empty when the form is good. */
export function validateContact(form: ContactForm): Record<string, string> {
  const errors: Record<string, string> = {};
  const name = form.name?.trim() ?? '';
  const email = form.email?.trim() ?? '';
  const message = form.message?.trim() ?? '';
  if (name === '') errors['name'] = 'Name is required';
  else if (name.length > CONTACT_NAME_MAX) errors['name'] = `Name can have ${CONTACT_NAME_MAX} characters at most`;
  if (email === '') errors['email'] = 'Email is required';
  else if (!isEmail(email)) errors['email'] = 'Please enter a valid email address';
  if (!CONTACT_TOPICS.some((topic) => topic === form.subject)) errors['subject'] = 'Please select a topic';
  if (message === '') errors['message'] = 'Message is required';
  else if (message.length > CONTACT_MESSAGE_MAX)
    errors['message'] = `Message can have ${CONTACT_MESSAGE_MAX} characters at most`;
  return errors;
}
