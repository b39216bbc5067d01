import type { TokenScope } from '../../../api/api-tokens.ts';
import { formatDate, formatIn } from '../../../hooks/format.ts';

export const SCOPE_LABEL: Readonly<Record<TokenScope, string>> = {
  read: 'Read',
  operate: 'Operate',
  manage: 'Manage',
};

/** Each scope takes the ones before it along. */
export const SCOPE_TEXT: Readonly<Record<TokenScope, string>> = {
  read: 'Looks at everything and changes nothing.',
  operate: 'Also runs syncs and resolves conflicts.',
  manage: 'Also connects stores and changes pairs, alerts and webhooks.',
};

/** What the form offers; `other` has a field of its own. */
export const LIVES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'other', label: 'Another number of days' },
  { value: 'never', label: 'Until it is revoked' },
] as const;
export type Life = (typeof LIVES)[number]['value'];

export const CREATE_FAILED = 'Failed to create API key. Please try again.';
/** The specification's. */
export const REGENERATE_FAILED = 'Failed to regenerate API key. Please try again.';
export const REVOKE_FAILED = 'Failed to revoke API key. Please try again.';

export const NAME_MAX = 100;
const DAYS_MAX = 3650;

export interface TokenForm {
  readonly name: string;
  readonly scope: TokenScope;
  readonly life: Life;
  /** As typed; counts where `life` is `other`. */
  readonly days: string;
}

export const EMPTY_TOKEN: TokenForm = { name: '', scope: 'read', life: '90', days: '' };

/** How many days the form asks for; null: until it is revoked. */
export function daysOf({ life, days }: Pick<TokenForm, 'life' | 'days'>): number | null {
  if (life === 'never') return null;
  return Number(life === 'other' ? days.trim() : life);
}

export function checkToken(form: TokenForm): { readonly name?: string; readonly expiresInDays?: string } {
  const days = daysOf(form);
  const isDays = days === null || (Number.isInteger(days) && days >= 1 && days <= DAYS_MAX);
  return {
    ...(form.name.trim() === '' ? { name: 'Say what the token is for: that is how you find it again.' } : {}),
    ...(isDays ? {} : { expiresInDays: 'Write a whole number of days, from 1 to 3650.' }),
  };
}

const SOON_MS = 7 * 86_400_000;

/** When a token ends, and whether that is near. */
export function expiryOf(
  expiresAt: string | null,
  nowMs: number,
): { readonly tone: 'quiet' | 'warn' | 'bad'; readonly text: string } {
  if (expiresAt === null) return { tone: 'quiet', text: 'Never' };
  const leftMs = new Date(expiresAt).getTime() - nowMs;
  if (leftMs <= 0) return { tone: 'bad', text: 'Expired' };
  if (leftMs <= SOON_MS) return { tone: 'warn', text: formatIn(expiresAt, nowMs) };
  return { tone: 'quiet', text: formatDate(expiresAt) };
}
