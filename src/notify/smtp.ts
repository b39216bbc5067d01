import { redactText } from '../lib/redact.ts';
import type { SendMail } from './outbox.ts';

const TIMEOUT_MS = 20_000;

export interface Smtp {
  readonly send: SendMail;
  close(): void;
}

/** A mail server by its address (`smtps://user:password@host:465`). `from`: the address that messages come from. */
export function createSmtp(url: string, from: string): Smtp {
  let opened: ReturnType<typeof open> | null = null;
  // Loaded with the first message: an instance that sends none does without it.
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(optionsOf(url), { from });
  };
  return {
    async send(mail, signal) {
      signal.throwIfAborted();
      opened ??= open();
      const transport = await opened;
      const { to, subject, text, html, id } = mail;
      // The id makes a repeat after a crash one message in most mailboxes.
      const messageId = `<${id}@${domainOf(from)}>`;
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html, messageId, signal });
      } catch (error) {
        throw sendFailure(error);
      }
    },
    close() {
      void opened?.then((transport) => transport.close());
    },
  };
}

function optionsOf(url: string) {
  return {
    ...serverOf(url),
    pool: true as const,
    maxConnections: 1,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    tls: { minVersion: 'TLSv1.2' as const },
    // Messages are ours alone; nothing in one may make the server read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function serverOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === 'smtps:';
  const auth =
    username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } };
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (secure ? 465 : 587), secure, ...auth };
}

function domainOf(from: string): string {
  return /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost';
}

/** 5xx answers are final; everything else may pass. */
function sendFailure(error: unknown): Error & { readonly isFinal: boolean } {
  const { message, responseCode } = error as { readonly message?: string; readonly responseCode?: number };
  const isFinal = responseCode !== undefined && responseCode >= 500 && responseCode !== 535;
  return Object.assign(new Error(redactText(message ?? 'the mail server gave no reason')), { isFinal });
}
