import { classNames } from './class-names.ts';
import css from './skeleton.module.css';

interface SkeletonProps {
  readonly type: 'card' | 'text' | 'list' | 'stats' | 'table';
  /** Lines, rows or figures. */
  readonly count?: number;
}

/** The shape of what is coming. Nothing at first: what arrives within 200 ms needs no skeleton. */
export function Skeleton({ type, count = type === 'stats' ? 4 : type === 'card' ? 1 : 5 }: SkeletonProps) {
  const parts = Array.from({ length: count }, (_, index) => index);
  return (
    <div className={classNames(css.skeleton, css[type])} role="status" aria-label="Loading">
      {parts.map((part) => (
        <div key={part} className={css.part}>
          {type === 'list' && <span className={css.square} />}
          <span className={css.line} />
          {type !== 'text' && <span className={css.short} />}
        </div>
      ))}
    </div>
  );
}
