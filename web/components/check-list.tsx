import { Check } from 'lucide-react';
import css from './check-list.module.css';

interface CheckListProps {
  readonly items: readonly string[];
  /** Side by side where there is room. */
  readonly wide?: boolean;
}

export function CheckList({ items, wide = false }: CheckListProps) {
  return (
    <ul className={wide ? css.wide : css.list}>
      {items.map((item) => (
        <li key={item} className={css.item}>
          <Check aria-hidden="true" />
          {item}
        </li>
      ))}
    </ul>
  );
}
