import { loadConfig } from '../config/config.ts';
import { openDatabase } from '../db/database.ts';
import { listContactMessages } from '../db/readers/contact-messages.ts';
import { storagePaths } from '../db/storage.ts';
import { isoTime } from '../lib/time.ts';

const SHOWN_DEFAULT = 20;

/** Prints what people wrote in the contact form, newest first. Works beside a running server. */
export async function printMessages(args: readonly string[]): Promise<void> {
  const limit = Number(args[0] ?? SHOWN_DEFAULT);
  const db = openDatabase({ file: storagePaths(loadConfig().dataDir).database });
  try {
    const messages = listContactMessages(db, Number.isInteger(limit) && limit > 0 ? limit : SHOWN_DEFAULT);
    if (messages.length === 0) console.log('Nobody has written yet.');
    for (const { createdAt, subject, name, email, message } of messages) {
      console.log(`${isoTime(createdAt)}  ${subject}  ${plain(name)} <${plain(email)}>\n${plain(message, true)}\n`);
    }
  } finally {
    db.connection.close();
  }
}

/** What strangers wrote must not steer the terminal that shows it. */
function plain(text: string, withLines = false): string {
  return text.replace(/\p{Cc}/gu, (control) => (withLines && control === '\n' ? control : ' '));
}
