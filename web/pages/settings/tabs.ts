import { link } from '../../routes.ts';

/** About oneself and the workspace. */
export const OWN_TABS = ['profile', 'security', 'api', 'team', 'audit', 'danger'] as const;
/** About the instance: for its administrators. */
export const INSTANCE_TABS = ['people', 'outbox', 'backups', 'log'] as const;
/** The parts of the settings in their order; the first is what `/settings` alone shows. */
export const SETTINGS_TABS = [...OWN_TABS, ...INSTANCE_TABS] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export const TAB_LABEL: Readonly<Record<SettingsTab, string>> = {
  profile: 'Profile',
  security: 'Security',
  api: 'API & Integrations',
  team: 'Team',
  audit: 'Audit log',
  danger: 'Danger Zone',
  people: 'People',
  outbox: 'Outbox',
  backups: 'Backups',
  log: 'Instance log',
};

export function hrefOf(tab: SettingsTab): string {
  return link.settings(tab === 'profile' ? {} : { tab });
}
