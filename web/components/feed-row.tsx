import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './feed-row.module.css';

interface FeedRowProps {
  readonly time: ReactNode;
  /** A lane, or the shape of a warning or failure. */
  readonly mark: ReactNode;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** Arrived while the page was open. */
  readonly fresh?: boolean;
}

/** One thing that happened: when, between whom, what. */
export function FeedRow({ time, mark, title, children, fresh = false }: FeedRowProps) {
  return (
    <li className={classNames(css.row, fresh && css.fresh)}>
      <span className={css.time}>{time}</span>
      <span className={css.mark}>{mark}</span>
      <div>
        <p className={css.title}>{title}</p>
        {children && <p className={css.text}>{children}</p>}
      </div>
    </li>
  );
}

/** Old value, new value. */
export function ValueChange({ from, to }: { readonly from?: ReactNode; readonly to: ReactNode }) {
  return (
    <>
      {from !== undefined && (
        <>
          <del className={css.old}>{from}</del>
          <span className={css.arrow} aria-hidden="true" />
        </>
      )}
      <ins className={css.new}>{to}</ins>
    </>
  );
}
