import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './site-part.module.css';

interface SitePartProps {
  /** The anchor by which addresses name it. */
  readonly id?: string;
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** `ink` is dark in both themes; `gold` belongs to the brand. */
  readonly tone?: 'paper' | 'ink' | 'gold';
  readonly children?: ReactNode;
}

/** A part of a public page with its own heading; linkable, and larger, when it has an id. */
export function SitePart({ id, title, lead, aside, tone = 'paper', children }: SitePartProps) {
  return (
    <section
      {...(id ? { id, tabIndex: -1 } : {})}
      aria-label={typeof title === 'string' ? title : undefined}
      className={classNames(css.part, css[tone], id && css.linked)}
    >
      <div className={css.inner}>
        <div className={css.head}>
          <div>
            <h2 className={css.title}>{title}</h2>
            {lead && <p className={css.lead}>{lead}</p>}
          </div>
          {aside}
        </div>
        {children}
      </div>
    </section>
  );
}
