import css from './mirror-bars.module.css';

interface MirrorBar {
  readonly label: string;
  readonly toShopify: number;
  readonly toWoocommerce: number;
}

interface MirrorBarsProps {
  readonly bars: readonly MirrorBar[];
  /** What is seen, for who does not see it. */
  readonly label: string;
}

const WIDTH = 480;
const UP = 132;
const DOWN = 72;
const GAP = 2;
const LABEL_EVERY = 6;

/** Changes by hour: to Shopify above the shelf board, to WooCommerce below. */
export function MirrorBars({ bars, label }: MirrorBarsProps) {
  const step = WIDTH / Math.max(1, bars.length);
  const most = Math.max(1, ...bars.map(({ toShopify }) => toShopify));
  const mostDown = Math.max(1, ...bars.map(({ toWoocommerce }) => toWoocommerce));
  return (
    <figure className={css.figure}>
      <figcaption className={css.legend}>
        <span className={css.toShopify}>To Shopify</span>
        <span className={css.toWoocommerce}>To WooCommerce</span>
      </figcaption>
      <svg className={css.chart} viewBox={`0 0 ${WIDTH} ${UP + DOWN + 22}`} role="img" aria-label={label}>
        {bars.map(({ label: at, toShopify, toWoocommerce }, index) => {
          const up = (toShopify / most) * (UP - 6);
          const down = (toWoocommerce / mostDown) * (DOWN - 8);
          const x = index * step + GAP / 2;
          return (
            <g key={at}>
              <rect x={x} y={UP - up} width={step - GAP} height={up} rx="1.5" className={css.up} />
              <rect x={x} y={UP + 3} width={step - GAP} height={down} rx="1.5" className={css.down} />
              {index % LABEL_EVERY === 0 && (
                <text x={x} y={UP + DOWN + 16} className={css.hour}>
                  {at}
                </text>
              )}
            </g>
          );
        })}
        <rect y={UP} width={WIDTH} height="3" rx="1.5" className={css.board} />
      </svg>
    </figure>
  );
}
