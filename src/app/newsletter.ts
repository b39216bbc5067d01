import { fullName, openProfile } from '../accounts/profile.ts';
import { openVault } from '../accounts/vault.ts';
import { loadConfig } from '../config/config.ts';
import { loadEncryptionKeys } from '../config/secrets.ts';
import { findMeta } from '../db/readers/meta.ts';
import { listNewsletterReaders } from '../db/readers/users.ts';
import { csvLine } from '../lib/csv.ts';
import { isoTime } from '../lib/time.ts';
import { CIPHER_PROOF, createCipher, proveCipher } from '../system/cipher.ts';
import { forTerminal } from './for-terminal.ts';
import { openExisting } from './open-existing.ts';

const HEAD = ['email', 'name', 'agreed_at', 'source', 'email_confirmed_at'] as const;

/** Prints who agreed to get the newsletter, as a table for a spreadsheet or a mailing program. Works beside a running server. */
export async function printNewsletter(): Promise<void> {
  const config = loadConfig();
  const db = openExisting(config.dataDir, 'ours');
  try {
    const cipher = createCipher(loadEncryptionKeys(config));
    proveCipher(cipher, findMeta(db, CIPHER_PROOF));
    const vault = openVault(db, cipher);
    console.log(csvLine(HEAD));
    for (const user of listNewsletterReaders(db)) {
      const profile = openProfile(vault, user);
      const times = { agreed: timeOf(user.newsletterAt), confirmed: timeOf(user.verifiedAt) };
      const cells = [profile.email, fullName(profile), times.agreed, user.newsletterSource ?? '', times.confirmed];
      console.log(csvLine(cells.map((cell) => forTerminal(cell))));
    }
  } finally {
    db.connection.close();
  }
}

function timeOf(at: number | null): string {
  return at === null ? '' : isoTime(at);
}
