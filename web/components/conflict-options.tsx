import { CircleCheck, History } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './conflict-options.module.css';
import { differingParts } from './differing-parts.ts';
import { SideTile } from './side-tile.tsx';

export type Choice = 'woocommerce' | 'agreed' | 'shopify';

const ORDER: readonly Choice[] = ['woocommerce', 'agreed', 'shopify'];
const NAME: Readonly<Record<Choice, string>> = {
  woocommerce: 'WooCommerce',
  agreed: 'Last agreed',
  shopify: 'Shopify',
};

interface ConflictOptionsProps {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly woocommerce: string;
  /** Null: nothing lies between the two that could be gone back to. */
  readonly agreed: string | null;
  readonly shopify: string;
  readonly value: Choice | null;
  /** How it was settled; null while it is open. */
  readonly closed: string | null;
  readonly onChoose: (choice: Choice) => void;
}

function Marked({ value, against }: { readonly value: string; readonly against: string | null }): ReactNode {
  if (against === null) return value;
  const [before, differing, after] = differingParts(value, against);
  return (
    <>
      {before}
      {differing !== '' && <mark className={css.mark}>{differing}</mark>}
      {after}
    </>
  );
}

/** One field: left, last agreed where there is such a thing, right. What differs from the last agreed value is marked. */
export function ConflictOptions(props: ConflictOptionsProps) {
  const { name, title, note, value, closed, onChoose } = props;
  return (
    <fieldset disabled={closed !== null}>
      <legend className={css.title}>
        {title} {note !== '' && <span className={css.note}>{note}</span>}
      </legend>
      <div className={css.options}>
        {ORDER.filter((choice) => choice !== 'agreed' || props.agreed !== null).map((choice) => (
          <label key={choice} className={css.option} data-agreed={choice === 'agreed' || undefined}>
            <input type="radio" name={name} checked={value === choice} onChange={() => onChoose(choice)} />
            <span className={css.who}>
              {choice === 'agreed' ? <History aria-hidden="true" /> : <SideTile side={choice} named />}
              {NAME[choice]}
              <CircleCheck className={css.tick} aria-hidden="true" />
            </span>
            <span className={css.value}>
              {choice === 'agreed' ? props.agreed : <Marked value={props[choice]} against={props.agreed} />}
            </span>
          </label>
        ))}
      </div>
      {closed && <p className={css.closed}>{closed}</p>}
    </fieldset>
  );
}
