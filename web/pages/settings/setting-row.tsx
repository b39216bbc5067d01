import { type ReactNode, useId } from 'react';
import css from './setting-row.module.css';

interface SettingRowProps {
  readonly title: ReactNode;
  /** Beside the title: a status. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly icon?: ReactNode;
  /** Why the action is not possible. */
  readonly reason?: ReactNode;
}

/** One thing that can be done: what it is and what comes of it, and the button. */
export function SettingRow({ title, aside, children, actions, icon, reason }: SettingRowProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={css.row}>
      {icon}
      <div className={css.words}>
        <h3 id={id} className={css.title}>
          {title}
          {aside}
        </h3>
        <div className={css.text}>{children}</div>
        {reason && <p className={css.reason}>{reason}</p>}
      </div>
      {actions && <div className={css.actions}>{actions}</div>}
    </section>
  );
}
