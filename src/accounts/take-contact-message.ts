import { type Tx, transact } from '../db/database.ts';
import { countContactMessages, findNthContactTime, findSameContactMessage } from '../db/readers/contact-messages.ts';
import { listUsers } from '../db/readers/users.ts';
import { insertContactMessage } from '../db/writers/contact-messages.ts';
import { DAY_MS } from '../lib/time.ts';
import { CONTACT_MESSAGE_MAX, CONTACT_NAME_MAX, CONTACT_TOPICS } from '../model/contact.ts';
import { type ContactMessageId, ID_PREFIX } from '../model/ids.ts';
import { Refusal } from '../model/refusal.ts';
import type { AccountsContext } from './context.ts';
import { isEmail } from './email.ts';
import { openProfile } from './profile.ts';

export interface ContactForm {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
}

/** More than anybody reads: past it the form says so instead of filling the disk. */
export const MESSAGES_MAX = 10_000;
/** From all sources together: each is mailed to the administrators. */
const MESSAGES_PER_DAY_MAX = 200;
const SAME_WITHIN_MS = 10 * 60_000;

export interface Letter {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

/** What a sealed letter is bound to; `db/reseal.ts` names it too. */
export function letterContext(id: string): string {
  return `contact_message.letter:${id}`;
}

/**
 * Keeps what somebody wrote, sealed. The same words sent again within ten minutes are one message. With `isMailed` the administrators
 * of the instance are told, too. Refuses with VALIDATION (`details.fields`) or CONTACT_FULL (`details.retryAfterMs`).
 */
export function takeContactMessage(
  ctx: AccountsContext,
  form: ContactForm,
  ip: string,
  isMailed: boolean,
): ContactMessageId {
  const errors = validateContact(form);
  const fields = Object.entries(errors).map(([field, message]) => ({ field, message }));
  const first = fields[0];
  if (first !== undefined) throw new Refusal('VALIDATION', first.message, { fields });
  const letter: Letter = {
    name: form.name?.trim() ?? '',
    email: form.email?.trim() ?? '',
    message: form.message?.trim() ?? '',
  };
  const subject = form.subject ?? '';
  const letterIndex = ctx.vault.index(JSON.stringify([subject, letter]));
  return transact(ctx.db, (tx) => {
    const createdAt = ctx.clock.now();
    const same = findSameContactMessage(tx, letterIndex, createdAt - SAME_WITHIN_MS);
    if (same !== null) return same.id;
    refuseFull(ctx, tx, ip);
    const id = ctx.random.id(ID_PREFIX.contactMessage) as ContactMessageId;
    insertContactMessage(tx, {
      id,
      subject,
      letter: ctx.vault.seal(letter, letterContext(id)),
      letterIndex,
      createdAt,
    });
    const admins = isMailed ? listUsers(tx).filter(({ role, isDemo }) => role === 'admin' && !isDemo) : [];
    for (const admin of admins) {
      ctx.mail(tx, { kind: 'contact', to: openProfile(ctx.vault, admin).email, topic: subject, ...letter });
    }
    // Neither words nor names: the log is not the letter box.
    ctx.log.info({ messageId: id, subject }, 'contact message kept');
    ctx.letters.kept(ip);
    return id;
  });
}

/** First the share of who writes: it is no use to them that others may. */
function refuseFull({ clock, letters }: AccountsContext, tx: Tx, ip: string): void {
  const waitMs = letters.waitMs(ip);
  if (waitMs > 0) {
    const message = 'Several letters have come from your network today. Try again tomorrow.';
    throw new Refusal('CONTACT_FULL', message, { retryAfterMs: waitMs });
  }
  if (countContactMessages(tx) >= MESSAGES_MAX) {
    const message = 'The letter box of this instance is full. Write to its owner another way.';
    // What has had its time is forgotten each day.
    throw new Refusal('CONTACT_FULL', message, { retryAfterMs: DAY_MS });
  }
  const freeAt = (findNthContactTime(tx, MESSAGES_PER_DAY_MAX) ?? 0) + DAY_MS;
  if (freeAt > clock.now()) {
    const message = 'The letter box of this instance is full for today. Try again tomorrow.';
    throw new Refusal('CONTACT_FULL', message, { retryAfterMs: freeAt - clock.now() });
  }
}

/** The first thing wrong with each field, by field name; empty when the form is good. */
function validateContact(form: ContactForm): Record<string, string> {
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
