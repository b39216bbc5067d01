import type { ReactNode } from 'react';
import css from './save-bar.module.css';

interface SaveBarProps {
  readonly isShown: boolean;
  readonly children: ReactNode;
}

/** In view for as long as something is edited and not saved. It has its place all the time: coming and going moves nothing. */
export function SaveBar({ isShown, children }: SaveBarProps) {
  return (
    <div className={css.place}>
      {isShown && (
        <section className={css.bar} aria-label="Unsaved changes">
          <p className={css.text} role="status">
            Unsaved changes
          </p>
          <div className={css.actions}>{children}</div>
        </section>
      )}
    </div>
  );
}
