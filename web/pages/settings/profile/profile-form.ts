import type { User, UserSettingsBody } from '../../../api/account.ts';
import { TEXT } from '../../../content/messages.en.ts';

/** What can be edited at once. Email has a way of its own. */
export interface ProfileForm {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  readonly timezone: string;
  readonly email: boolean;
  readonly syncAlerts: boolean;
  readonly billingAlerts: boolean;
  readonly weeklyReports: boolean;
  readonly newsletter: boolean;
}

export const TEXT_FIELDS = ['firstName', 'lastName', 'company', 'timezone'] as const;
const NOTICES = ['email', 'syncAlerts', 'billingAlerts', 'weeklyReports'] as const;
type Field = keyof ProfileForm;

/** What a new account has. Names and company are the person's own, and so is their consent to the newsletter. */
const DEFAULTS = { timezone: '', email: true, syncAlerts: true, billingAlerts: true, weeklyReports: false } as const;

const NAME: Readonly<Record<keyof typeof DEFAULTS, string>> = {
  timezone: 'Time zone',
  email: 'Emails about your stores',
  syncAlerts: 'Alerts',
  billingAlerts: 'Usage',
  weeklyReports: 'Weekly report',
};

export function formOf(user: User): ProfileForm {
  const { firstName, lastName, company, timezone, notifications } = user;
  const { email, syncAlerts, billingAlerts, weeklyReports } = notifications;
  const newsletter = user.isSubscribedToNewsletter;
  return { firstName, lastName, company, timezone, email, syncAlerts, billingAlerts, weeklyReports, newsletter };
}

/** Edits that differ from what is stored: typed and taken back is no edit. */
export function changesIn(stored: ProfileForm, edits: Partial<ProfileForm>): Partial<ProfileForm> {
  const differing = Object.entries(edits).filter(([field, value]) => value !== stored[field as Field]);
  return Object.fromEntries(differing);
}

export function checkProfile({ firstName, lastName }: ProfileForm): Partial<Record<Field, string>> {
  return {
    ...(firstName.trim() === '' ? { firstName: TEXT.signup.firstName } : {}),
    ...(lastName.trim() === '' ? { lastName: TEXT.signup.lastName } : {}),
  };
}

/** The request that stores these changes, and nothing else: what another device changed meanwhile stays. */
export function bodyOf(changes: Partial<ProfileForm>): UserSettingsBody {
  const texts = TEXT_FIELDS.flatMap((field) => (changes[field] === undefined ? [] : [[field, changes[field]]]));
  const notices = NOTICES.flatMap((field) => (changes[field] === undefined ? [] : [[field, changes[field]]]));
  return {
    ...Object.fromEntries(texts),
    ...(notices.length > 0 ? { notifications: Object.fromEntries(notices) } : {}),
    ...(changes.newsletter === undefined ? {} : { subscribeToNewsletter: changes.newsletter }),
  };
}

/** What going back to the defaults would change, and how to say it. */
export function resetOf(stored: ProfileForm): {
  readonly changes: Partial<ProfileForm>;
  readonly words: readonly string[];
} {
  const fields = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const differing = fields.filter((field) => stored[field] !== DEFAULTS[field]);
  return {
    changes: Object.fromEntries(differing.map((field) => [field, DEFAULTS[field]])),
    words: differing.map((field) =>
      field === 'timezone'
        ? `${NAME.timezone}: that of the browser, in place of ${stored.timezone}`
        : `${NAME[field]}: ${DEFAULTS[field] ? 'on' : 'off'}`,
    ),
  };
}

/** Edits that going back to the defaults leaves alone: of names, company and consent. */
export function editsAfterReset(edits: Partial<ProfileForm>): Partial<ProfileForm> {
  return Object.fromEntries(Object.entries(edits).filter(([field]) => !(field in DEFAULTS)));
}
