import { classNames } from './class-names.ts';
import { Lane } from './lane.tsx';
import { Level } from './level.tsx';
import { type ArtName, ProductArt } from './product-art.tsx';
import { ShelfLabel } from './shelf-label.tsx';
import { SIDE_NAME, type Side } from './side.ts';
import { SideTile } from './side-tile.tsx';
import css from './twin-shelf-picture.module.css';

interface Thing {
  readonly art: ArtName;
  readonly title: string;
  readonly stock: string;
  readonly price: string;
}

const BOARDS: readonly (readonly Thing[])[] = [
  [
    { art: 'mug', title: 'Mug', stock: '41', price: '$18' },
    { art: 'bottle', title: 'Bottle', stock: '63', price: '$32' },
    { art: 'candle', title: 'Candle', stock: '6', price: '$24' },
  ],
  [
    { art: 'textile', title: 'Merino', stock: '17', price: '$84' },
    { art: 'plant', title: 'Clay pot', stock: '30', price: '$21' },
    { art: 'bowl', title: 'Bowl', stock: '8', price: '$38' },
  ],
];

/** The label that has just changed, on both shelves. */
const CHANGED = 'Mug';

function Board({ things, side }: { readonly things: readonly Thing[]; readonly side: Side }) {
  return (
    <div className={classNames(css.board, css[side])}>
      {things.map((thing) => (
        <div key={thing.title} className={css.bay}>
          <div className={css.stand}>
            <ProductArt art={thing.art} />
          </div>
          <div className={css.hang}>
            <ShelfLabel
              title={thing.title}
              stock={thing.stock}
              price={thing.price}
              state={thing.title === CHANGED ? 'changed' : 'plain'}
            />
          </div>
        </div>
      ))}
    </div>
  );
}

/** What the product does, as a picture: two shelves, the same labels, and a level between them. */
export function TwinShelfPicture({ compact = false }: { readonly compact?: boolean }) {
  return (
    <div
      className={classNames(css.picture, compact && css.compact)}
      role="img"
      aria-label="Two shelves with the same products and the same labels. A label has just changed on both."
    >
      <div aria-hidden="true">
        <div className={css.head}>
          {(['woocommerce', 'shopify'] as const).map((side) => (
            <div key={side} className={classNames(css.store, css[side])}>
              <SideTile side={side} size="md" named />
              <span>{SIDE_NAME[side]}</span>
            </div>
          ))}
          <div className={css.level}>
            <Level tilt="level" size="lg" label="" />
          </div>
        </div>
        {BOARDS.map((things, index) => (
          <div key={things[0]?.title} className={css.row}>
            <Board things={things} side="woocommerce" />
            <div className={css.between}>
              {index === 0 && (
                <span className={css.pill}>
                  <Lane to="shopify" />
                </span>
              )}
            </div>
            <Board things={things} side="shopify" />
          </div>
        ))}
      </div>
    </div>
  );
}
