import { findOutboxMail, listOutboxMails } from '../db/readers/outbox.ts';
import { StartupError } from '../lib/startup-error.ts';
import { isoTime } from '../lib/time.ts';
import { openEnvelope } from '../notify/outbox.ts';
import { forTerminal } from './for-terminal.ts';
import { withSealedData } from './with-sealed-data.ts';

const LISTED_MAX = 50;

/** `outbox`: the last emails; `outbox ID`: one of them in full. Reads only, and works beside a running server. */
export async function runOutbox(args: readonly string[]): Promise<void> {
  await withSealedData(({ db, cipher }) => {
    const [id] = args;
    if (id === undefined) {
      const { rows } = listOutboxMails(db, { limit: LISTED_MAX });
      for (const row of rows) {
        const { to, subject } = openEnvelope({ cipher }, row);
        console.log(`${row.id}  ${isoTime(row.createdAt)}  ${row.state.padEnd(6)}  ${to}  ${subject}`);
      }
      if (rows.length === 0) console.log('No emails.');
      return;
    }
    const row = findOutboxMail(db, id);
    if (row === null) throw new StartupError(`There is no email ${id}.`, 'Call "outbox" for the list.');
    const { to, subject, text } = openEnvelope({ cipher }, row);
    console.log(
      `To: ${to}\nSubject: ${subject}\n\n${text === '' ? '(sent; its text was dropped)' : forTerminal(text, true)}`,
    );
  });
}
