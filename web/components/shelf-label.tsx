import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './shelf-label.module.css';

interface ShelfLabelProps {
  readonly title: string;
  readonly stock: ReactNode;
  readonly price: ReactNode;
  /**
   * changed: just now · waiting: the other side has moved and this one has not yet · missing: not on this side ·
   * created: only on this side · conflict: both sides say something else.
   */
  readonly state?: 'plain' | 'changed' | 'waiting' | 'missing' | 'created' | 'conflict';
  readonly children?: ReactNode;
}

/** The tag that hangs from a shelf board. It turns marigold when it has just changed. */
export function ShelfLabel({ title, stock, price, state = 'plain', children }: ShelfLabelProps) {
  return (
    <div className={classNames(css.label, css[state])} data-state={state}>
      <span className={css.title} title={title}>
        {title}
      </span>
      <span className={css.numbers}>
        <span className={css.stock}>{stock}</span>
        <span className={css.price}>{price}</span>
      </span>
      {children}
    </div>
  );
}
