import type { ReactNode } from 'react';
import css from './toolbar.module.css';

interface ToolbarProps {
  readonly children: ReactNode;
  readonly aside?: ReactNode;
  /** What stands aside counts on by itself, and would be read out each time. */
  readonly counting?: boolean;
}

/** Search and filters above a list. */
export function Toolbar({ children, aside, counting = false }: ToolbarProps) {
  return (
    <div className={css.bar}>
      {children}
      {aside && (
        <p className={css.aside} aria-live={counting ? 'off' : 'polite'}>
          {aside}
        </p>
      )}
    </div>
  );
}
