import { useId } from 'react';
import { Lane } from './lane.tsx';
import css from './lane-choice.module.css';

type Direction = 'bidirectional' | 'woocommerce_to_shopify' | 'shopify_to_woocommerce';

const OPTIONS: readonly { readonly value: Direction; readonly label: string }[] = [
  { value: 'bidirectional', label: 'Both ways' },
  { value: 'woocommerce_to_shopify', label: 'WooCommerce to Shopify' },
  { value: 'shopify_to_woocommerce', label: 'Shopify to WooCommerce' },
];

interface LaneChoiceProps {
  readonly value: Direction;
  readonly onChange: (value: Direction) => void;
}

/** The direction of a pair, as three pictures. */
export function LaneChoice({ value, onChange }: LaneChoiceProps) {
  const name = useId();
  return (
    <fieldset>
      <legend className={css.legend}>Direction</legend>
      <div className={css.options}>
        {OPTIONS.map((option) => (
          <label key={option.value} className={css.option}>
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span aria-hidden="true">
              <Lane
                to={
                  option.value === 'bidirectional'
                    ? null
                    : option.value === 'woocommerce_to_shopify'
                      ? 'shopify'
                      : 'woocommerce'
                }
              />
            </span>
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
