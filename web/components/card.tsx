import type { ReactNode } from 'react';
import css from './card.module.css';
import { classNames } from './class-names.ts';

interface CardProps {
  readonly children: ReactNode;
  /** Ends in a shelf board: a summary, not a list. */
  readonly board?: boolean;
  readonly labelledBy?: string;
}

export function Card({ children, board = false, labelledBy }: CardProps) {
  const style = classNames(css.card, board && css.board);
  return labelledBy ? (
    <section className={style} aria-labelledby={labelledBy}>
      {children}
    </section>
  ) : (
    <div className={style}>{children}</div>
  );
}

interface CardHeadProps {
  readonly title: ReactNode;
  readonly id?: string;
  /** Beside the title: a status, a count. */
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  /** Level of the heading. */
  readonly level?: 2 | 3;
}

export function CardHead({ title, id, aside, actions, level = 2 }: CardHeadProps) {
  const Title = level === 3 ? 'h3' : 'h2';
  return (
    <div className={css.head}>
      <Title id={id} className={css.title}>
        {title}
      </Title>
      {aside}
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}

export function CardFoot({ children }: { readonly children: ReactNode }) {
  return <div className={css.foot}>{children}</div>;
}
