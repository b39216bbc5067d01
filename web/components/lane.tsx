import { ArrowLeft, ArrowRight, MoveHorizontal } from 'lucide-react';
import css from './lane.module.css';
import { SIDE_NAME, type Side } from './side.ts';
import { SideTile } from './side-tile.tsx';

interface LaneProps {
  /** Side that the change went to; null: both ways. */
  readonly to: Side | null;
  /** Whether the side that a change came from is drawn first (a story), or WooCommerce always left (a place). */
  readonly order?: 'story' | 'place';
}

/** From where to where. */
export function Lane({ to, order = 'place' }: LaneProps) {
  if (to === null) {
    return (
      <span className={css.lane} role="img" aria-label="WooCommerce and Shopify, both ways">
        <SideTile side="woocommerce" named />
        <MoveHorizontal aria-hidden="true" />
        <SideTile side="shopify" named />
      </span>
    );
  }
  const from: Side = to === 'shopify' ? 'woocommerce' : 'shopify';
  const leftIsFrom = order === 'story' || from === 'woocommerce';
  return (
    <span className={css.lane} role="img" aria-label={`${SIDE_NAME[from]} to ${SIDE_NAME[to]}`}>
      <SideTile side={leftIsFrom ? from : to} named />
      {leftIsFrom ? <ArrowRight aria-hidden="true" /> : <ArrowLeft aria-hidden="true" />}
      <SideTile side={leftIsFrom ? to : from} named />
    </span>
  );
}
