import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './card-frame.module.css';
import { Logo } from './logo.tsx';

interface CardFrameProps {
  readonly brand: string;
  readonly homeHref: string;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

/** One card: one thing to do. */
export function CardFrame({ brand, homeHref, title, lead, children, foot }: CardFrameProps) {
  return (
    <div className={css.frame}>
      <Link href={homeHref} className={css.logo}>
        <Logo name={brand} />
      </Link>
      <div className={css.card}>
        <h1 className={css.title}>{title}</h1>
        {lead && <p className={css.lead}>{lead}</p>}
        <div className={css.body}>{children}</div>
      </div>
      {foot && <p className={css.foot}>{foot}</p>}
    </div>
  );
}
