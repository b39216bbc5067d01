import {
  Activity,
  Contact,
  DatabaseBackup,
  GitPullRequestArrow,
  HeartPulse,
  History,
  LayoutDashboard,
  type LucideIcon,
  Mails,
  Package,
  Server,
  Settings,
  Store,
  TriangleAlert,
} from 'lucide-react';
import { link, matchPattern, PATTERN } from '../../routes.ts';

export interface Destination {
  readonly href: string;
  readonly label: string;
  /** Under the icon in the bottom dock, where there is little room. */
  readonly short: string;
  readonly icon: LucideIcon;
  /** Paths that count as being there. */
  readonly patterns: readonly string[];
  readonly tab?: 'overview' | 'activity';
  /** After `G`. */
  readonly key?: string;
}

export const DESTINATION = {
  overview: {
    href: link.overview(),
    label: 'Overview',
    short: 'Overview',
    icon: LayoutDashboard,
    patterns: [PATTERN.overview, PATTERN.problems],
    tab: 'overview',
    key: 'o',
  },
  activity: {
    href: link.activity(),
    label: 'Activity',
    short: 'Activity',
    icon: Activity,
    patterns: [PATTERN.overview],
    tab: 'activity',
  },
  demo: { href: link.demo(), label: 'Demo shelves', short: 'Shelves', icon: Store, patterns: [PATTERN.demo] },
  conflicts: {
    href: link.conflicts(),
    label: 'Conflicts',
    short: 'Conflicts',
    icon: TriangleAlert,
    patterns: [PATTERN.conflicts],
    key: 'c',
  },
  plans: {
    href: link.plans(),
    label: 'Plan preview',
    short: 'Plan',
    icon: GitPullRequestArrow,
    patterns: [PATTERN.plans, PATTERN.plan],
    key: 'p',
  },
  history: {
    href: link.history(),
    label: 'Sync history',
    short: 'History',
    icon: History,
    patterns: [PATTERN.history, PATTERN.run],
    key: 'h',
  },
  records: {
    href: link.records(),
    label: 'Records',
    short: 'Records',
    icon: Package,
    patterns: [PATTERN.records, PATTERN.record],
    key: 'r',
  },
  stores: {
    href: link.stores(),
    label: 'Stores',
    short: 'Stores',
    icon: HeartPulse,
    patterns: [PATTERN.stores],
    key: 's',
  },
  settings: {
    href: link.settings(),
    label: 'Settings',
    short: 'Settings',
    icon: Settings,
    patterns: [PATTERN.settings],
  },
} as const satisfies Record<string, Destination>;

type Name = keyof typeof DESTINATION;

export function railOf(isDemo: boolean): readonly Destination[] {
  const places: readonly Name[] = ['overview', 'activity', 'conflicts', 'plans', 'history', 'records', 'stores'];
  const names: readonly Name[] = [...(isDemo ? (['demo'] as const) : []), ...places, 'settings'];
  return names.map((name) => DESTINATION[name]);
}

/** Parts of the settings that the palette leads to, for who runs the instance. */
export const INSTANCE_PLACES: readonly Pick<Destination, 'href' | 'label' | 'icon'>[] = [
  { href: link.settings({ tab: 'people' }), label: 'People of this instance', icon: Contact },
  { href: link.settings({ tab: 'outbox' }), label: 'Outbox of this instance', icon: Mails },
  { href: link.settings({ tab: 'backups' }), label: 'Backups of this instance', icon: DatabaseBackup },
  { href: link.settings({ tab: 'log' }), label: 'Log of this instance', icon: Server },
];

/** Four places and "More": what is not here is there. */
export function dockOf(isDemo: boolean): readonly Destination[] {
  const names: readonly Name[] = isDemo
    ? ['demo', 'overview', 'plans', 'history']
    : ['overview', 'conflicts', 'plans', 'history'];
  return names.map((name) => DESTINATION[name]);
}

export function isThere({ patterns, tab }: Destination, path: string, search: string): boolean {
  if (!patterns.some((pattern) => matchPattern(pattern, path) !== null)) return false;
  return tab === undefined || (new URLSearchParams(search).get('tab') === 'activity') === (tab === 'activity');
}
