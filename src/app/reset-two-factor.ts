import { emailIndex } from '../accounts/email.ts';
import { resetTwoFactor } from '../accounts/reset-two-factor.ts';
import { openVault } from '../accounts/vault.ts';
import { BRAND } from '../brand.ts';
import { findOutboxMail } from '../db/readers/outbox.ts';
import { enqueueMail } from '../jobs/tasks/mail.ts';
import { StartupError } from '../lib/startup-error.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { Refusal } from '../model/refusal.ts';
import { deliverMail, type OutboxContext, orderMail } from '../notify/outbox.ts';
import { createSmtp } from '../notify/smtp.ts';
import { systemClock } from '../system/clock.ts';
import { createLog } from '../system/log.ts';
import { systemRandom } from '../system/random.ts';
import { type SealedData, withSealedData } from './with-sealed-data.ts';

/** The email is sent from here; a server that runs beside takes over what could not be. */
const TAKEN_OVER_MS = 5 * MINUTE_MS;

/** `reset-2fa EMAIL`: the way back in when phone and recovery codes are lost. Works beside a running server. */
export async function runResetTwoFactor(args: readonly string[]): Promise<void> {
  const [email] = args;
  if (email === undefined) {
    throw new StartupError('Whose?', `Give the email address of the account: ${BRAND.slug} reset-2fa ada@example.com`);
  }
  await withSealedData(async (data) => {
    const isSent = await reset(data, email);
    console.log(
      `Two-factor sign-in is off for ${email}, and all devices are signed out. The password is still needed.`,
    );
    console.log(
      isSent
        ? 'An email tells the person.'
        : `An email to the person waits in the outbox ("${BRAND.slug} outbox"): tell them yourself as well.`,
    );
  });
}

/** Whether the notice has left. */
async function reset({ config, db, cipher }: SealedData, email: string): Promise<boolean> {
  const smtp = config.mail === null ? null : createSmtp(config.mail.smtpUrl, config.mail.from);
  const log = createLog({ level: 'error', format: 'text' });
  const vault = openVault(db, cipher);
  const outbox: OutboxContext = {
    ...{ db, clock: systemClock, random: systemRandom, log, cipher },
    indexOf: (address) => emailIndex(vault, address),
    send: smtp?.send ?? null,
    enqueue: (tx, mailId, runAt) => enqueueMail(tx, mailId, runAt + TAKEN_OVER_MS),
  };
  const mailIds: string[] = [];
  try {
    resetTwoFactor(
      {
        db,
        clock: outbox.clock,
        vault,
        mail: (tx, mail) => void mailIds.push(orderMail(outbox, tx, mail)),
      },
      email,
    );
    if (smtp === null) return false;
    for (const id of mailIds) await deliverMail(outbox, id, new AbortController().signal);
    return mailIds.every((id) => findOutboxMail(db, id)?.state === 'sent');
  } catch (error) {
    if (error instanceof Refusal) throw new StartupError(error.message, 'Nothing was changed.');
    throw error;
  } finally {
    smtp?.close();
  }
}
