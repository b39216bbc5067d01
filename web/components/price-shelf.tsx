import { Check } from 'lucide-react';
import { ButtonLink } from './button.tsx';
import { classNames } from './class-names.ts';
import css from './price-shelf.module.css';
import { Tag } from './tag.tsx';

export interface PriceCard {
  readonly name: string;
  readonly price: string;
  /** After the price: "per month". */
  readonly unit: string;
  readonly scope: string;
  readonly note: string | null;
  /** Stands out. */
  readonly isMain: boolean;
  readonly badge: string | null;
  readonly features: readonly string[];
  readonly action: { readonly label: string; readonly href: string };
}

/** Price cards side by side; under each other where it is narrow. */
export function PriceShelf({ cards }: { readonly cards: readonly PriceCard[] }) {
  return (
    <ul className={css.shelf} data-count={cards.length}>
      {cards.map((card) => (
        <li key={card.name} className={classNames(css.card, card.isMain && css.popular)}>
          <h3 className={css.name}>
            {card.name}
            {card.badge !== null && <Tag tone="gold">{card.badge}</Tag>}
          </h3>
          <p className={css.price}>
            <strong>{card.price}</strong> {card.unit}
          </p>
          <p className={css.scope}>{card.scope}</p>
          <p className={css.note}>{card.note ?? '\u00a0'}</p>
          <ul className={css.features}>
            {card.features.map((feature) => (
              <li key={feature}>
                <Check aria-hidden="true" />
                {feature}
              </li>
            ))}
          </ul>
          <ButtonLink href={card.action.href} size="lg" wide look={card.isMain ? 'primary' : 'default'}>
            {card.action.label}
          </ButtonLink>
        </li>
      ))}
    </ul>
  );
}
