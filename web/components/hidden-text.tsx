import type { ReactNode } from 'react';
import css from './hidden-text.module.css';

/** For the ears only. */
export function HiddenText({ children, id }: { readonly children: ReactNode; readonly id?: string }) {
  return (
    <span id={id} className={css.hidden}>
      {children}
    </span>
  );
}
