import type { ReactNode } from 'react';
import css from './shelf.module.css';

/** A group of the kit. */
export function Shelf({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={css.shelf}>
      <h2>{title}</h2>
      <div className={css.row}>{children}</div>
    </section>
  );
}
