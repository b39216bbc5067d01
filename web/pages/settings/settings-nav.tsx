import { CircleUser, type LucideIcon, Plug, ScrollText, ShieldCheck, TriangleAlert, Users } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Panels } from './panels.ts';
import css from './settings-nav.module.css';
import { hrefOf, SETTINGS_TABS, type SettingsTab, TAB_LABEL } from './tabs.ts';

const ICON: Readonly<Record<SettingsTab, LucideIcon>> = {
  profile: CircleUser,
  security: ShieldCheck,
  api: Plug,
  team: Users,
  audit: ScrollText,
  danger: TriangleAlert,
};

interface SettingsNavProps {
  readonly current: SettingsTab;
  readonly panels: Panels;
}

/** A list beside the panel; where there is no room for that, a strip above it that scrolls to the tab that is open. */
export function SettingsNav({ current, panels }: SettingsNavProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    void current;
    const strip = list.current;
    const open = strip?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
    if (strip && open) strip.scrollLeft = open.offsetLeft - (strip.clientWidth - open.clientWidth) / 2;
  }, [current]);
  return (
    <nav aria-label="Settings" className={css.nav}>
      <ul ref={list} className={css.list}>
        {SETTINGS_TABS.map((tab) => {
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
        })}
      </ul>
    </nav>
  );
}
