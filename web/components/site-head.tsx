import type { ReactNode } from 'react';
import css from './site-head.module.css';

interface SiteHeadProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a public page: its only `h1`, a sentence, and what can be done. */
export function SiteHead({ title, lead, children }: SiteHeadProps) {
  return (
    <header className={css.head}>
      <h1 className={css.title}>{title}</h1>
      {lead && <p className={css.lead}>{lead}</p>}
      {children && <div className={css.actions}>{children}</div>}
    </header>
  );
}
