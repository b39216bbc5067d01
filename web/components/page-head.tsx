import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './page-head.module.css';

interface PageHeadProps {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly trail?: readonly { readonly href: string; readonly label: string }[];
}

/** The page's only `h1`, a sentence that says what the page knows, and what can be done here. */
export function PageHead({ title, aside, children, actions, trail }: PageHeadProps) {
  return (
    <header className={css.head}>
      <div className={css.words}>
        {trail && (
          <nav aria-label="Breadcrumb" className={css.trail}>
            {trail.map(({ href, label }) => (
              <span key={href}>
                <Link href={href}>{label}</Link>
              </span>
            ))}
          </nav>
        )}
        <div className={css.titleRow}>
          <h1>{title}</h1>
          {aside}
        </div>
        {children && <p className={css.lead}>{children}</p>}
      </div>
      {actions && <div className={css.actions}>{actions}</div>}
    </header>
  );
}
