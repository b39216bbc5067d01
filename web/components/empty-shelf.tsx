import type { ReactNode } from 'react';
import css from './empty-shelf.module.css';

interface EmptyShelfProps {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Heading level of the title on its page. */
  readonly level?: 1 | 2 | 3 | 4;
}

/** A shelf with dashed labels: nothing here yet, what it is for, and the one thing to do about it. */
export function EmptyShelf({ title, children, actions, level = 2 }: EmptyShelfProps) {
  const Title = `h${level}` as const;
  return (
    <div className={css.empty}>
      <svg className={css.shelf} viewBox="0 0 200 64" aria-hidden="true">
        <rect y="20" width="200" height="6" rx="1.5" className={css.board} />
        <rect x="14.5" y="28.5" width="50" height="30" rx="3" className={css.label} />
        <rect x="75.5" y="28.5" width="50" height="30" rx="3" className={css.label} />
        <rect x="136.5" y="28.5" width="50" height="30" rx="3" className={css.label} />
      </svg>
      <Title className={css.title}>{title}</Title>
      {children && <div className={css.text}>{children}</div>}
      {actions && <div className={css.actions}>{actions}</div>}
    </div>
  );
}
