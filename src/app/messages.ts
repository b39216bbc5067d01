import { type Letter, letterContext } from '../accounts/take-contact-message.ts';
import { loadConfig } from '../config/config.ts';
import { loadSecrets } from '../config/secrets.ts';
import { openDatabase } from '../db/database.ts';
import { listContactMessages } from '../db/readers/contact-messages.ts';
import { storagePaths } from '../db/storage.ts';
import { isoTime } from '../lib/time.ts';
import { createCipher } from '../system/cipher.ts';

const SHOWN_DEFAULT = 20;

/** Prints what people wrote in the contact form, newest first. Works beside a running server. */
export async function printMessages(args: readonly string[]): Promise<void> {
  const limit = Number(args[0] ?? SHOWN_DEFAULT);
  const config = loadConfig();
  const cipher = createCipher(loadSecrets(config).encryptionKeys);
  const db = openDatabase({ file: storagePaths(config.dataDir).database });
  try {
    const messages = listContactMessages(db, Number.isInteger(limit) && limit > 0 ? limit : SHOWN_DEFAULT);
    if (messages.length === 0) console.log('Nobody has written yet.');
    for (const { id, createdAt, subject, letter } of messages) {
      const { name, email, message } = JSON.parse(cipher.open(letter, letterContext(id))) as Letter;
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
