import type { Lazy, lazyPart } from '../../lazy-page.tsx';
import type { SettingsTab } from './tabs.ts';

type NoProps = Readonly<Record<never, never>>;
export type Panels = Readonly<Record<SettingsTab, Lazy<NoProps>>>;

/** Each tab in a file of its own: nobody downloads what they do not open. */
export function panelsWith(part: typeof lazyPart): Panels {
  return {
    profile: part('profile-panel', () => import('./profile/profile-panel.tsx').then((m) => m.ProfilePanel)),
    security: part('security-panel', () => import('./security/security-panel.tsx').then((m) => m.SecurityPanel)),
    api: part('api-panel', () => import('./api/api-panel.tsx').then((m) => m.ApiPanel)),
    team: part('team-panel', () => import('./team/team-panel.tsx').then((m) => m.TeamPanel)),
    audit: part('audit-panel', () => import('./audit/audit-panel.tsx').then((m) => m.AuditPanel)),
    danger: part('danger-panel', () => import('./danger/danger-panel.tsx').then((m) => m.DangerPanel)),
    people: part('people-panel', () => import('./instance/people-panel.tsx').then((m) => m.PeoplePanel)),
    outbox: part('outbox-panel', () => import('./instance/outbox-panel.tsx').then((m) => m.OutboxPanel)),
    backups: part('backups-panel', () => import('./instance/backups-panel.tsx').then((m) => m.BackupsPanel)),
    log: part('log-panel', () => import('./instance/log-panel.tsx').then((m) => m.LogPanel)),
  };
}
