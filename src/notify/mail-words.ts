import { BRAND } from '../brand.ts';

/** An email in words, before it is laid out. */
export interface MailWords {
  readonly subject: string;
  readonly greeting: string;
  readonly paragraphs: readonly string[];
  /** The one thing to do, if there is one. */
  readonly action: { readonly label: string; readonly link: string } | null;
  readonly footer: string;
}

/** Emails by kind, with what each is filled with. */
export interface MailFacts {
  readonly verify_email: { readonly firstName: string; readonly link: string };
  readonly reset_password: { readonly firstName: string; readonly link: string };
  readonly invitation: {
    readonly inviter: string;
    readonly workspace: string;
    readonly role: string;
    readonly link: string;
  };
  readonly security_notice: { readonly firstName: string; readonly event: keyof typeof EVENTS };
  readonly contact: {
    readonly topic: string;
    readonly name: string;
    readonly email: string;
    readonly message: string;
  };
  readonly alert: {
    readonly firstName: string;
    readonly workspace: string;
    readonly lines: readonly string[];
    readonly link: string;
  };
  readonly weekly_report: {
    readonly firstName: string;
    readonly workspace: string;
    readonly period: string;
    readonly lines: readonly string[];
    readonly link: string;
  };
  readonly test: { readonly isTest: true };
}

const NOT_YOU = 'If this was not you, you can ignore this message: nothing changes.';

const UNSUBSCRIBE = 'Which of these messages you get is set in your profile, under notifications.';

const EVENTS = {
  password_changed: 'The password of your account was changed, and all other devices were signed out.',
  unconfirmed_cleared:
    'The password of your account was changed, and all devices were signed out. Nobody had confirmed this address before, so whatever somebody else could have prepared with it was taken away: two-factor sign-in is off, you are the only one in your workspace and have left those of others, invitations are withdrawn, and webhooks and chats are switched off. Turn on and invite anew what you want. Stores and pairs have stayed: remove what you do not know.',
  two_factor_enabled: 'Two-factor sign-in was turned on for your account.',
  two_factor_disabled: 'Two-factor sign-in was turned off for your account.',
  two_factor_reset:
    'Two-factor sign-in was turned off for your account by who administers the server, and all devices were signed out.',
  recovery_code_used: 'One of your recovery codes was used in place of a code from your authenticator app.',
  identity_connected:
    'Another sign-in was connected to your account: whoever has it needs no password here. If this was not you, disconnect it as well, under Security in the settings.',
  email_changed: 'The email address of your account was changed. This is the last message to the old one.',
} as const;

const ROLES: Readonly<Record<string, string>> = {
  owner: 'an owner: they can do everything',
  admin: 'an administrator: connects stores and changes pairs',
  member: 'a member: runs syncs and resolves conflicts',
  viewer: 'a viewer: sees everything and changes nothing',
};

const WORDS: { readonly [K in keyof MailFacts]: (facts: MailFacts[K]) => MailWords } = {
  verify_email: ({ firstName, link }) => ({
    subject: `Confirm your email address for ${BRAND.name}`,
    greeting: hello(firstName),
    paragraphs: ['Please confirm that this address is yours. The link is good for three days.'],
    action: { label: 'Confirm this address', link },
    footer: NOT_YOU,
  }),
  reset_password: ({ firstName, link }) => ({
    subject: `Set a new password for ${BRAND.name}`,
    greeting: hello(firstName),
    paragraphs: [
      'Somebody, hopefully you, asked for a new password. The link is good for one hour and can be used once. Setting a new password signs all devices out, revokes your API tokens, disconnects another way to sign in, and withdraws a change of your address that was not confirmed. Where nobody had confirmed this address yet, it also turns two-factor sign-in off, takes everybody else out of your workspace and you out of those of others, withdraws invitations, and switches webhooks and chats off: somebody else could have prepared them. Administrators of the instance keep all of that.',
    ],
    action: { label: 'Set a new password', link },
    footer: NOT_YOU,
  }),
  invitation: ({ inviter, workspace, role, link }) => ({
    subject: `${inviter} invites you to "${workspace}" on ${BRAND.name}`,
    greeting: 'Hello,',
    paragraphs: [
      `${inviter} invites you to the workspace "${workspace}" as ${ROLES[role] ?? role}.`,
      'The link is good for seven days, for this email address only.',
    ],
    action: { label: 'Accept the invitation', link },
    footer: 'If you do not know who this is, you can ignore this message.',
  }),
  security_notice: ({ firstName, event }) => ({
    subject: `Something changed in your ${BRAND.name} account`,
    greeting: hello(firstName),
    paragraphs: [EVENTS[event]],
    action: null,
    footer: 'If this was not you, set a new password at once and look at the list of your sessions.',
  }),
  contact: ({ topic, name, email, message }) => ({
    // Nothing that a stranger typed: subjects are headers.
    subject: `${BRAND.name}: somebody wrote about "${topic}"`,
    greeting: 'Hello,',
    paragraphs: [`${name} (${email}) wrote in the contact form:`, ...message.split(/\n{2,}/)],
    action: null,
    footer: 'You get this because you administer the instance. Its command "messages" lists all of them.',
  }),
  alert: ({ firstName, workspace, lines, link }) => ({
    subject: lines.length === 1 ? `${workspace}: ${lines[0]}` : `${workspace}: ${lines.length} things need a look`,
    greeting: hello(firstName),
    paragraphs: lines,
    action: { label: 'Open the dashboard', link },
    footer: UNSUBSCRIBE,
  }),
  weekly_report: ({ firstName, workspace, period, lines, link }) => ({
    subject: `${workspace}: the week in numbers`,
    greeting: hello(firstName),
    paragraphs: [`"${workspace}", ${period}:`, ...lines],
    action: { label: 'Open the dashboard', link },
    footer: UNSUBSCRIBE,
  }),
  test: () => ({
    subject: `${BRAND.name} can send email`,
    greeting: 'Hello,',
    paragraphs: ['This is the test message that you asked for. Your mail server works.'],
    action: null,
    footer: '',
  }),
};

export function mailWords<K extends keyof MailFacts>(kind: K, facts: MailFacts[K]): MailWords {
  return WORDS[kind](facts);
}

function hello(firstName: string): string {
  return firstName === '' ? 'Hello,' : `Hello ${firstName},`;
}
