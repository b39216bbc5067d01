import {
  CircleUser,
  Contact,
  DatabaseBackup,
  type LucideIcon,
  Mails,
  Plug,
  ScrollText,
  Server,
  ShieldCheck,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'wouter';
import { useMe } from '../../api/account.ts';
import { runsInstance } from '../../hooks/roles.ts';
import type { Panels } from './panels.ts';
import css from './settings-nav.module.css';
import { hrefOf, INSTANCE_TABS, OWN_TABS, type SettingsTab, TAB_LABEL } from './tabs.ts';

const ICON: Readonly<Record<SettingsTab, LucideIcon>> = {
  profile: CircleUser,
  security: ShieldCheck,
  api: Plug,
  team: Users,
  audit: ScrollText,
  danger: TriangleAlert,
  people: Contact,
  outbox: Mails,
  backups: DatabaseBackup,
  log: Server,
};

interface SettingsNavProps {
  readonly current: SettingsTab;
  readonly panels: Panels;
}

/** A list beside the panel; where there is no room for that, a strip above it that scrolls to the tab that is open. */
export function SettingsNav({ current, panels }: SettingsNavProps) {
  const { data: user } = useMe();
  const groupId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void current;
    const strip = list.current;
    const open = strip?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
    if (strip && open) strip.scrollLeft = open.offsetLeft - (strip.clientWidth - open.clientWidth) / 2;
  }, [current]);
  const itemOf = (tab: SettingsTab) => {
    const Icon = ICON[tab];
    return (
      <li key={tab}>
        <Link
          href={hrefOf(tab)}
          className={css.link}
          data-tab={tab}
          onPointerEnter={() => void panels[tab].preload()}
          onFocus={() => void panels[tab].preload()}
          {...(tab === current ? { 'aria-current': 'page' as const } : {})}
        >
          <Icon aria-hidden="true" />
          <span>{TAB_LABEL[tab]}</span>
        </Link>
      </li>
    );
  };
  return (
    <nav aria-label="Settings" className={css.nav}>
      <div ref={list} className={css.lists}>
        <ul className={css.list}>{OWN_TABS.map(itemOf)}</ul>
        {user !== undefined && runsInstance(user) && (
          <>
            <p id={groupId} className={css.group}>
              This instance
            </p>
            <ul aria-labelledby={groupId} className={css.list}>
              {INSTANCE_TABS.map(itemOf)}
            </ul>
          </>
        )}
      </div>
    </nav>
  );
}
