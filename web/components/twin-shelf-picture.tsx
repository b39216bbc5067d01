import { TriangleAlert } from 'lucide-react';
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
    { art: 'mug', title: 'Camp mug', stock: '41', price: '$18' },
    { art: 'bottle', title: 'Bottle 750', stock: '63', price: '$32' },
    { art: 'candle', title: 'Candle', stock: '6', price: '$24' },
  ],
  [
    { art: 'textile', title: 'Merino', stock: '17', price: '$84' },
    { art: 'plant', title: 'Clay pot', stock: '30', price: '$21' },
    { art: 'bowl', title: 'Bowl', stock: '8', price: '$38' },
  ],
];

/** The label that has just changed, on both shelves. */
const CHANGED = 'Camp mug';

interface View {
  readonly state: 'plain' | 'changed' | 'missing' | 'created' | 'conflict';
  readonly price: string;
}

/** How a thing looks on one side. With the story one thing has two prices, and one is on the right shelf only. */
function viewOf({ title, price }: Thing, side: Side, isStory: boolean): View {
  if (title === CHANGED) return { state: 'changed', price };
  if (!isStory) return { state: 'plain', price };
  if (title === 'Merino') return { state: 'conflict', price: side === 'woocommerce' ? price : '$79' };
  if (title === 'Clay pot') return { state: side === 'woocommerce' ? 'missing' : 'created', price };
  return { state: 'plain', price };
}

interface BoardProps {
  readonly things: readonly Thing[];
  readonly side: Side;
  readonly isStory: boolean;
}

function Board({ things, side, isStory }: BoardProps) {
  return (
    <div className={classNames(css.board, css[side])}>
      {things.map((thing) => {
        const { state, price } = viewOf(thing, side, isStory);
        return (
          <div key={thing.title} className={css.bay}>
            <div className={classNames(css.stand, state === 'missing' && css.ghost)}>
              <ProductArt art={thing.art} />
            </div>
            <div className={css.hang}>
              <ShelfLabel title={thing.title} stock={thing.stock} price={price} state={state} />
            </div>
          </div>
        );
      })}
    </div>
  );
}

interface PictureProps {
  readonly compact?: boolean;
  /** Also a conflict and a product that is on one shelf only. */
  readonly story?: boolean;
}

const WHAT = 'Two shelves with the same products and the same labels. A label has just changed on both.';
const STORY = ' One product has two prices and waits for a decision. One is on the right shelf only.';

/** What the product does, as a picture: two shelves, the same labels, and a level between them. */
export function TwinShelfPicture({ compact = false, story = false }: PictureProps) {
  return (
    <div
      className={classNames(css.picture, compact && css.compact)}
      role="img"
      aria-label={story ? WHAT + STORY : WHAT}
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
            <Board things={things} side="woocommerce" isStory={story} />
            <div className={css.between}>
              {index === 0 && (
                <span className={css.pill}>
                  <Lane to="shopify" />
                </span>
              )}
              {index === 1 && story && (
                <span className={classNames(css.pill, css.needs)}>
                  <TriangleAlert />
                  <span>2 prices</span>
                </span>
              )}
            </div>
            <Board things={things} side="shopify" isStory={story} />
          </div>
        ))}
      </div>
    </div>
  );
}
