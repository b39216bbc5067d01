import { ArrowLeft, ArrowRight, CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { CheckList } from '../../components/check-list.tsx';
import { Lane } from '../../components/lane.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { SitePart } from '../../components/site-part.tsx';
import css from './features.module.css';

const ALSO = [
  ...['Products and variants', 'Prices and sale prices', 'Stock, both ways', 'Tags and descriptions'],
  ...['Webhooks with HMAC-SHA256', 'Safety halts', 'Keyboard first', 'Light and dark'],
];

/** The cabinet of four. The pictures are drawn from what the screens show; they are examples, and read out as such. */
export function Features() {
  return (
    <SitePart
      id="features"
      title={
        <>
          Built for the moment
          <br />
          the two sides disagree.
        </>
      }
    >
      <div className={css.cabinet}>
        <Feature
          title="See the plan before anything is written"
          text="The first link is a plan: what would be linked, created and changed, on which store, field by field. Ask for another one at any time."
        >
          <PlanPicture />
        </Feature>
        <Feature
          title="Disagreements go by your rule, or come to you"
          text="Where both stores changed the same field, let the newer change win, prefer one store, or be asked: then you see both values next to the last one they agreed on, and neither is written until you decide."
        >
          <ConflictPicture />
        </Feature>
        <Feature
          title="One bad record never stops the rest"
          text="Each record succeeds or fails by itself, says why in plain words, and can be retried alone. Timeouts retry on their own."
        >
          <RecordsPicture />
        </Feature>
        <Feature
          title="Every field remembers"
          text="Which store a value came from, when it was carried over, and what was there before."
        >
          <HistoryPicture />
        </Feature>
      </div>
      <CheckList items={ALSO} wide />
    </SitePart>
  );
}

function Feature({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  return (
    <article className={css.feature}>
      <h3 className={css.title}>{title}</h3>
      <p className={css.text}>{text}</p>
      <div className={css.picture} aria-hidden="true">
        {children}
      </div>
    </article>
  );
}

const PLAN = [
  { field: 'Stock', left: '41', old: '42', right: '41', toRight: true },
  { field: 'Price', left: '$18.00', old: '$16.50', right: '$18.00', toRight: false },
  { field: 'Tags', left: 'kitchen, camp', old: 'kitchen', right: 'kitchen, camp', toRight: true },
];

function PlanPicture() {
  return (
    <>
      <p className={css.planHead}>
        <strong>59 writes planned</strong>
        <span className={css.add}>+18</span>
        <span className={css.mod}>~41</span>
      </p>
      {PLAN.map(({ field, left, old, right, toRight }) => (
        <p key={field} className={css.planRow}>
          <span className={css.quiet}>{field}</span>
          <span className={toRight ? undefined : css.target}>
            {!toRight && <del>{old}</del>} {left}
          </span>
          {toRight ? <ArrowRight /> : <ArrowLeft />}
          <span className={toRight ? css.target : undefined}>
            {toRight && <del>{old}</del>} {right}
          </span>
        </p>
      ))}
    </>
  );
}

function ConflictPicture() {
  return (
    <>
      <p className={css.conflictHead}>Price</p>
      <div className={css.options}>
        <p>
          <span>
            <SideTile side="woocommerce" named /> WooCommerce
          </span>
          <strong>$84.00</strong>
        </p>
        <p>
          <span>Last agreed</span>
          <strong>$89.00</strong>
        </p>
        <p className={css.chosen}>
          <span>
            <SideTile side="shopify" named /> Shopify
          </span>
          <strong>$79.00</strong>
        </p>
      </div>
      <p className={css.pending}>Shopify’s price goes to both stores once you resolve it.</p>
    </>
  );
}

const RECORDS = [
  { title: 'Stoneware bowl, Rust', text: 'Stock 9 to 8', isOk: true },
  { title: 'Beeswax candle', text: 'Second attempt, after a 429', isOk: true },
  { title: 'Walnut desk lamp', text: 'SKU is empty on Shopify', isOk: false },
  { title: 'Linen apron', text: 'Price $52.50', isOk: true },
];

function RecordsPicture() {
  return RECORDS.map(({ title, text, isOk }) => (
    <p key={title} className={css.record}>
      {isOk ? <CircleCheck className={css.ok} /> : <CircleX className={css.bad} />}
      <strong>{title}</strong>
      <span className={css.quiet}>{text}</span>
    </p>
  ));
}

const HISTORY = [
  { to: 'shopify', old: '$16.50', value: '$18.00', at: 'Today 09:31' },
  { to: 'woocommerce', old: '$17.00', value: '$16.50', at: '12 Nov 14:02' },
  { to: 'shopify', old: '$19.00', value: '$17.00', at: '2 Oct 08:15' },
  { to: 'woocommerce', old: '$18.50', value: '$19.00', at: '9 Sep 16:40' },
] as const;

function HistoryPicture() {
  return HISTORY.map(({ to, old, value, at }) => (
    <p key={at} className={css.record}>
      <Lane to={to} order="story" />
      <span>
        <del>{old}</del> <strong>{value}</strong>
      </span>
      <span className={css.at}>{at}</span>
    </p>
  ));
}
