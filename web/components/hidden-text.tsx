import type { ReactNode } from 'react';
import css from './hidden-text.module.css';

/** For the ears only. */
export function HiddenText({ children }: { readonly children: ReactNode }) {
  return <span className={css.hidden}>{children}</span>;
}
