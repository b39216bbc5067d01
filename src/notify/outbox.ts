import { type Db, type Tx, transact } from '../db/database.ts';
import { findOutboxMail, listHeldMails } from '../db/readers/outbox.ts';
import type { OutboxMailRow } from '../db/schema/account.ts';
import { deleteOutboxMailsTo, insertOutboxMail, updateOutboxMail } from '../db/writers/outbox.ts';
import { DAY_MS, MINUTE_MS } from '../lib/time.ts';
import { ID_PREFIX } from '../model/ids.ts';
import type { JobOutcome } from '../model/job.ts';
import type { Cipher } from '../ports/cipher.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { type LaidOutMail, layOutMail } from './lay-out-mail.ts';
import { type MailFacts, mailWords } from './mail-words.ts';

export interface Envelope extends LaidOutMail {
  readonly to: string;
}

/** Hands a message to a mail server. Throws what the server said; `isFinal` on the error: trying again will not help. */
export type SendMail = (mail: Envelope & { readonly id: string }, signal: AbortSignal) => Promise<void>;

export interface OutboxContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cipher: Cipher;
  /** A keyed hash of an address, the same for each of its spellings. */
  readonly indexOf: (address: string) => string;
  /** Null: no SMTP server is set. */
  readonly send: SendMail | null;
  /** Has a job send the mail; called in the transaction that stores it. */
  readonly enqueue: (tx: Tx, mailId: string, runAt: number) => void;
}

export type MailOrder = {
  readonly [K in keyof MailFacts]: { readonly kind: K; readonly to: string } & MailFacts[K];
}[keyof MailFacts];

const ATTEMPTS_MAX = 12;
const RETRY_FIRST_MS = MINUTE_MS;
const RETRY_MAX_MS = DAY_MS / 4;
const RELEASED_AT_ONCE_MAX = 1000;
/** What is written to an address because of the account that has it, and of nobody else's doing. */
const ABOUT_ACCOUNT = [
  'verify_email',
  'reset_password',
  'security_notice',
] as const satisfies readonly (keyof MailFacts)[];

/** Stores an email in the transaction that causes it: both happen, or neither. Without a mail server it is kept, and nothing says it was sent. */
export function orderMail(ctx: OutboxContext, tx: Tx, order: MailOrder): string {
  const id = ctx.random.id(ID_PREFIX.mail);
  const envelope: Envelope = { to: order.to, ...layOutMail(mailWords(order.kind, order as never)) };
  const createdAt = ctx.clock.now();
  insertOutboxMail(tx, {
    id,
    kind: order.kind,
    mail: sealEnvelope(ctx, id, envelope),
    recipientIndex: ctx.indexOf(order.to),
    state: ctx.send === null ? 'held' : 'queued',
    attempts: 0,
    lastError: null,
    createdAt,
    sentAt: null,
  });
  if (ctx.send === null) {
    ctx.log.warn(
      { mailId: id, kind: order.kind },
      'no SMTP_URL is set: an email waits in the outbox (command "outbox")',
    );
  } else ctx.enqueue(tx, id, createdAt);
  return id;
}

/** One attempt. What the server refuses for good, or for days, is marked failed and stays readable. */
export async function deliverMail(ctx: OutboxContext, id: string, signal: AbortSignal): Promise<JobOutcome> {
  const row = findOutboxMail(ctx.db, id);
  if (row === null || row.state !== 'queued') return { type: 'done' };
  if (ctx.send === null) {
    transact(ctx.db, (tx) => updateOutboxMail(tx, id, { state: 'held' }));
    return { type: 'done' };
  }
  const envelope = openEnvelope(ctx, row);
  try {
    await ctx.send({ ...envelope, id }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return noteFailure(ctx, row, error);
  }
  // The message may have carried a link that opens an account: once delivered it is nobody's business here.
  const spent = sealEnvelope(ctx, id, { ...envelope, text: '', html: '' });
  transact(ctx.db, (tx) =>
    updateOutboxMail(tx, id, { state: 'sent', sentAt: ctx.clock.now(), mail: spent, lastError: null }),
  );
  return { type: 'done' };
}

function noteFailure(ctx: OutboxContext, row: OutboxMailRow, error: unknown): JobOutcome {
  const attempts = row.attempts + 1;
  const isOver = attempts >= ATTEMPTS_MAX || (error as { isFinal?: unknown }).isFinal === true;
  const lastError = error instanceof Error ? error.message.slice(0, 500) : 'the mail server gave no reason';
  transact(ctx.db, (tx) => updateOutboxMail(tx, row.id, { attempts, lastError, state: isOver ? 'failed' : 'queued' }));
  ctx.log.warn(
    { mailId: row.id, attempts, error: lastError },
    isOver ? 'an email was given up' : 'an email could not be sent yet',
  );
  if (isOver) return { type: 'done' };
  return { type: 'snooze', ms: Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempts - 1)) };
}

/** At start with a mail server: what was kept until now is sent, unless its links have long expired. */
export function releaseHeldMails(ctx: OutboxContext): number {
  if (ctx.send === null) return 0;
  const now = ctx.clock.now();
  const held = listHeldMails(ctx.db, RELEASED_AT_ONCE_MAX).filter((row) => now - row.createdAt < DAY_MS);
  transact(ctx.db, (tx) => {
    for (const { id } of held) {
      updateOutboxMail(tx, id, { state: 'queued' });
      ctx.enqueue(tx, id, now);
    }
  });
  return held.length;
}

export function openEnvelope(ctx: Pick<OutboxContext, 'cipher'>, row: Pick<OutboxMailRow, 'id' | 'mail'>): Envelope {
  return JSON.parse(ctx.cipher.open(row.mail, `outbox_mail.mail:${row.id}`)) as Envelope;
}

function sealEnvelope(ctx: Pick<OutboxContext, 'cipher'>, id: string, envelope: Envelope): string {
  return ctx.cipher.seal(JSON.stringify(envelope), `outbox_mail.mail:${id}`);
}

/**
 * Takes away every email to this address, sent or not. `isProved`: false where somebody only says that it is theirs, so that what others have written
 * to whoever has the mailbox (an invitation) stays. Returns how many.
 */
export function forgetRecipient(
  ctx: Pick<OutboxContext, 'indexOf'>,
  tx: Tx,
  { address, isProved }: { readonly address: string; readonly isProved: boolean },
): number {
  return deleteOutboxMailsTo(tx, ctx.indexOf(address), isProved ? null : ABOUT_ACCOUNT);
}

/** A message to try the mail server with. */
export function sendTestMail(ctx: OutboxContext, to: string): string {
  return transact(ctx.db, (tx) => orderMail(ctx, tx, { kind: 'test', to, isTest: true }));
}
