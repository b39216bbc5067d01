import type { ReactNode } from 'react';
import css from './toolbar.module.css';

/** Search and filters above a list. */
export function Toolbar({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  return (
    <div className={css.bar}>
      {children}
      {aside && (
        <p className={css.aside} aria-live="polite">
          {aside}
        </p>
      )}
    </div>
  );
}
