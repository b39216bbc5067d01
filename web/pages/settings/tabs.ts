import { link } from '../../routes.ts';

/** The parts of the settings in their order; the first is what `/settings` alone shows. */
export const SETTINGS_TABS = ['profile', 'security', 'api', 'team', 'audit', 'danger'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export const TAB_LABEL: Readonly<Record<SettingsTab, string>> = {
  profile: 'Profile',
  security: 'Security',
  api: 'API & Integrations',
  team: 'Team',
  audit: 'Audit log',
  danger: 'Danger Zone',
};

export function hrefOf(tab: SettingsTab): string {
  return link.settings(tab === 'profile' ? {} : { tab });
}
