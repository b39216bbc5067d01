import { type ReactNode, useId } from 'react';
import css from './panel-frame.module.css';

interface PanelFrameProps {
  readonly title: string;
  /** One sentence: what is decided here. */
  readonly lead?: ReactNode;
  /** What can be made here. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A tab of the settings: its heading, and cards under it (their headings are of level 3). */
export function PanelFrame({ title, lead, actions, children }: PanelFrameProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.frame}>
      <header className={css.head}>
        <div className={css.words}>
          <h2 id={id} className={css.title}>
            {title}
          </h2>
          {lead && <p className={css.lead}>{lead}</p>}
        </div>
        {actions && <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
