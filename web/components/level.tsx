import { classNames } from './class-names.ts';
import css from './level.module.css';

/** Which way the bubble stands: in the middle when both sides agree; else towards the side that is ahead. */
export type Tilt = 'level' | 'left' | 'right';

interface LevelProps {
  readonly tilt: Tilt;
  /** Read out. The same must also stand in words beside it, unless `label` is all there is to say. */
  readonly label: string;
  readonly size?: 'sm' | 'lg';
}

/** The spirit level: the bubble between the two lines means that both stores agree. */
export function Level({ tilt, label, size = 'sm' }: LevelProps) {
  return (
    <svg
      className={classNames(css.level, css[size])}
      viewBox={size === 'lg' ? '0 0 128 32' : '11 2 106 28'}
      role="img"
      aria-label={label}
    >
      {size === 'lg' && <rect width="128" height="32" rx="5" className={css.frame} />}
      <rect x="18" y="7" width="92" height="18" rx="9" className={size === 'lg' ? css.glass : css.glassOutlined} />
      <g className={classNames(css.bubble, css[tilt])}>
        <rect x="49" y="10" width="30" height="12" rx="6" className={css.air} />
      </g>
      <rect x="45" y="7" width="2.5" height="18" className={css.line} />
      <rect x="80.5" y="7" width="2.5" height="18" className={css.line} />
    </svg>
  );
}
