import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './shelf-strip.module.css';

export interface Figure {
  readonly label: string;
  readonly value: ReactNode;
  /** Period, limit or comparison. */
  readonly note?: ReactNode;
  /** The rows behind the number. */
  readonly href?: string;
}

/** Figures that were measured, standing on one board. */
export function ShelfStrip({ figures, label }: { readonly figures: readonly Figure[]; readonly label: string }) {
  return (
    <dl className={css.strip} aria-label={label}>
      {figures.map(({ label: name, value, note, href }) => (
        <div key={name} className={css.figure}>
          <dt>{href ? <Link href={href}>{name}</Link> : name}</dt>
          <dd className={css.value}>{value}</dd>
          {note && <dd className={css.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
