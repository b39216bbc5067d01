import { classNames } from './class-names.ts';
import { SIDE_NAME, type Side } from './side.ts';
import css from './side-tile.module.css';

interface SideTileProps {
  readonly side: Side;
  readonly size?: 'sm' | 'md' | 'lg';
  /** No store there yet. */
  readonly hollow?: boolean;
  /** The name stands beside it, so that it need not be read out twice. */
  readonly named?: boolean;
}

export function SideTile({ side, size = 'sm', hollow = false, named = false }: SideTileProps) {
  const letter = side === 'woocommerce' ? 'W' : 'S';
  const style = classNames(css.tile, css[side], css[size], hollow && css.hollow);
  if (named) {
    return (
      <span className={style} aria-hidden="true">
        {letter}
      </span>
    );
  }
  return (
    <span className={style} role="img" aria-label={SIDE_NAME[side]} title={SIDE_NAME[side]}>
      {letter}
    </span>
  );
}
