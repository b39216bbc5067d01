import type { UserRow } from '../db/schema/user.ts';
import type { UserId } from '../model/ids.ts';
import type { Vault } from './vault.ts';

export interface NotificationChoices {
  readonly email: boolean;
  readonly syncAlerts: boolean;
  readonly billingAlerts: boolean;
  readonly weeklyReports: boolean;
}

/** What is personal about a person. */
export interface Profile {
  /** As it was typed. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  /** IANA name; '' where none was chosen. */
  readonly timezone: string;
  readonly notifications: NotificationChoices;
}

export const DEFAULT_NOTIFICATIONS: NotificationChoices = {
  email: true,
  syncAlerts: true,
  billingAlerts: true,
  weeklyReports: false,
};

export function sealProfile(vault: Vault, id: UserId, profile: Profile): string {
  return vault.seal(profile, `user.profile:${id}`);
}

export function openProfile(vault: Vault, user: Pick<UserRow, 'id' | 'profile'>): Profile {
  return vault.open<Profile>(user.profile, `user.profile:${user.id}`);
}

export function fullName(profile: Pick<Profile, 'firstName' | 'lastName'>): string {
  return `${profile.firstName} ${profile.lastName}`.trim();
}
