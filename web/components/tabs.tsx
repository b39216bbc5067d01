import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './tabs.module.css';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly href: string; readonly label: ReactNode; readonly current: boolean }[];
}

/** Tabs that are pages: each has its address. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className={css.tabs}>
      {tabs.map(({ href, label: text, current }) => (
        <Link key={href} href={href} className={css.tab} {...(current ? { 'aria-current': 'page' as const } : {})}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
