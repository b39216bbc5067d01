import { SETTINGS_TABS } from '../../web/pages/settings/tabs.ts';
import { type Scene, visit } from './scene.ts';

/** The settings as a demo session sees them. */
export const SETTINGS_SCENES: readonly Scene[] = SETTINGS_TABS.map((tab) => ({
  name: `settings-demo-${tab}`,
  isSignedIn: true,
  go: visit(`/settings?tab=${tab}`),
}));
