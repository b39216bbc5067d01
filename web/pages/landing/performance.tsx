import { MirrorBars } from '../../components/mirror-bars.tsx';
import { SitePart } from '../../components/site-part.tsx';
import { MEASURED, withBasis } from '../../content/claims.ts';
import css from './performance.module.css';

/** An example day, not what somebody measured. */
const EXAMPLE_DAY = [
  ...[18, 14, 10, 9, 12, 20, 34, 52, 68, 80, 92, 101],
  ...[112, 118, 110, 98, 104, 121, 130, 116, 90, 66, 44, 28],
].map((toShopify, hour) => ({
  label: `${String(hour).padStart(2, '0')}:00`,
  toShopify,
  toWoocommerce: Math.round(toShopify * (0.35 + 0.18 * ((hour * 7) % 4))),
}));

export function Performance() {
  return (
    <SitePart
      id="performance"
      tone="ink"
      title={
        <>
          Quick, and polite
          <br />
          to your stores.
        </>
      }
      lead="Once we hear of a sale on one side, it reaches the other as fast as the two stores answer. WooCommerce may hold its webhooks for up to a minute. Each store has its own limiter, so that a burst queues up instead of failing."
    >
      <div className={css.split}>
        <dl className={css.figures}>
          {withBasis(MEASURED).map(({ value, label, basis }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
              <dd className={css.basis}>
                <code>{basis}</code>
              </dd>
            </div>
          ))}
        </dl>
        <div className={css.card}>
          <h3 className={css.cardTitle}>Changes applied in a day</h3>
          <p className={css.note}>An example day, not a measurement</p>
          <MirrorBars
            bars={EXAMPLE_DAY}
            label="Example chart: changes by hour. Most go to Shopify, with a peak in the evening; fewer go to WooCommerce."
          />
        </div>
      </div>
      <p className={css.note}>
        Figures from the repository’s own benchmarks, on two shared cores. Run them on your machine: yours may differ.
      </p>
    </SitePart>
  );
}
