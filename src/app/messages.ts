import { type Letter, letterContext } from '../accounts/take-contact-message.ts';
import { listContactMessages } from '../db/readers/contact-messages.ts';
import { StartupError } from '../lib/startup-error.ts';
import { isoTime } from '../lib/time.ts';
import { forTerminal } from './for-terminal.ts';
import { withSealedData } from './with-sealed-data.ts';

const SHOWN_DEFAULT = 20;

/** Prints what people wrote in the contact form, newest first. Works beside a running server. */
export async function printMessages(args: readonly string[]): Promise<void> {
  const limit = Number(args[0] ?? SHOWN_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1)
    throw new StartupError(`"${args[0]}" is no number of messages.`, 'Write how many to print, from 1.');
  await withSealedData(({ db, cipher }) => {
    const messages = listContactMessages(db, limit);
    if (messages.length === 0) console.log('Nobody has written yet.');
    for (const { id, createdAt, subject, letter } of messages) {
      const { name, email, message } = JSON.parse(cipher.open(letter, letterContext(id))) as Letter;
      console.log(
        `${isoTime(createdAt)}  ${subject}  ${forTerminal(name)} <${forTerminal(email)}>\n${forTerminal(message, true)}\n`,
      );
    }
  });
}
