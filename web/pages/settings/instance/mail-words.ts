import type { OutboxMail, OutboxState } from '../../../api/instance-owner.ts';
import { plural } from '../../../hooks/format.ts';

export const MAIL_STATES: readonly OutboxState[] = ['held', 'queued', 'failed', 'sent'];

export const MAIL_STATE_LABEL: Readonly<Record<OutboxState, string>> = {
  held: 'Kept',
  queued: 'On its way',
  failed: 'Failed',
  sent: 'Sent',
};

type Sending = Pick<OutboxMail, 'state' | 'attempts'>;

/** Shape, colour and word of an email's state. */
export function mailState({ state, attempts }: Sending): {
  readonly tone: 'ok' | 'running' | 'warn' | 'bad';
  readonly text: string;
} {
  if (state === 'queued' && attempts > 0)
    return { tone: 'warn', text: `Failed ${plural(attempts, 'time')}, tried again` };
  return {
    tone: ({ held: 'warn', queued: 'running', failed: 'bad', sent: 'ok' } as const)[state],
    text: MAIL_STATE_LABEL[state],
  };
}

/** Why it is where it is, and what can be done. */
export function mailFate({ state, attempts }: Sending): string {
  if (state === 'sent')
    return 'The mail server took it. Its text was dropped then: it may have carried a link that opens an account.';
  if (state === 'held')
    return 'It was kept because there was no mail server. Hand its text over yourself; with a mail server, what is less than a day old is sent at the next start.';
  if (state === 'failed')
    return 'It is not tried again. Put right what the mail server said, send a test email, then have it asked for once more; or hand its text over yourself.';
  return attempts > 0
    ? 'It is tried again by itself, ever more seldom. What the mail server said may have to be put right first.'
    : 'It goes to the mail server in a moment.';
}

/** The links of a text, each once, without the sign that ends its sentence. */
export function linksIn(text: string): readonly string[] {
  const found = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return [...new Set(found.map((link) => link.replace(/[.,;:!?)]+$/, '')))];
}
