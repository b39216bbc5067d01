import { fullName, openProfile } from '../accounts/profile.ts';
import { openVault } from '../accounts/vault.ts';
import { listNewsletterReaders } from '../db/readers/users.ts';
import { csvLine } from '../lib/csv.ts';
import { isoTime } from '../lib/time.ts';
import { forTerminal } from './for-terminal.ts';
import { withSealedData } from './with-sealed-data.ts';

const HEAD = ['email', 'name', 'agreed_at', 'source', 'email_confirmed_at'] as const;

/** Prints who agreed to get the newsletter, as a table for a spreadsheet or a mailing program. Works beside a running server. */
export async function printNewsletter(): Promise<void> {
  await withSealedData(({ db, cipher }) => {
    const vault = openVault(db, cipher);
    console.log(csvLine(HEAD));
    for (const user of listNewsletterReaders(db)) {
      const profile = openProfile(vault, user);
      const times = { agreed: timeOf(user.newsletterAt), confirmed: timeOf(user.verifiedAt) };
      const cells = [profile.email, fullName(profile), times.agreed, user.newsletterSource ?? '', times.confirmed];
      console.log(csvLine(cells.map((cell) => forTerminal(cell))));
    }
  });
}

function timeOf(at: number | null): string {
  return at === null ? '' : isoTime(at);
}
