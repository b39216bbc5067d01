import { type ArtName, ProductArt } from './product-art.tsx';
import css from './three-shelves.module.css';

interface ThreeShelvesProps {
  readonly shelves: readonly { readonly art: ArtName; readonly title: string; readonly text: string }[];
}

/** A few things worth saying, each on its shelf. */
export function ThreeShelves({ shelves }: ThreeShelvesProps) {
  return (
    <ul className={css.shelves}>
      {shelves.map(({ art, title, text }) => (
        <li key={title}>
          <div className={css.stand}>
            <ProductArt art={art} />
          </div>
          <h3 className={css.title}>{title}</h3>
          <p className={css.text}>{text}</p>
        </li>
      ))}
    </ul>
  );
}
