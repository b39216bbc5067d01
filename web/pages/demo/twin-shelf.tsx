import { useRef } from 'react';
import { type Story, useStories } from '../../api/activity.ts';
import type { ShelvesReply } from '../../api/demo.ts';
import { Level } from '../../components/level.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { formatNumber } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useWidth } from '../../hooks/use-width.ts';
import type { ItemAddress } from './demo-shelves.tsx';
import { FEED_LIMIT } from './live-feed.tsx';
import { ShelfBoard } from './shelf-board.tsx';
import { differencesOf, differenceWords, type Twin, tiltOf, toTwins } from './twin-items.ts';
import css from './twin-shelf.module.css';

/** A crossing is shown between the boards for this long. */
const CROSSING_SHOWN_MS = 9_000;
/** Narrowest label that holds its three controls in one line, and what lies beside the labels. */
const LABEL_WIDTH_MIN = 144;
const LANE_WIDTH = 112;
const PADDING_WIDTH = 48;
const LABELS_PER_BOARD_MAX = 3;

interface TwinShelfProps {
  readonly shelves: ShelvesReply;
  /** Changes travel now; else they wait for a person. */
  readonly isSyncing: boolean;
  readonly onEdit: (address: ItemAddress) => void;
}

function boardsOf(twins: readonly Twin[], perBoard: number): Twin[][] {
  const boards: Twin[][] = [];
  for (let start = 0; start < twins.length; start += perBoard) boards.push(twins.slice(start, start + perBoard));
  return boards;
}

function StoreName({ side, name }: { readonly side: Side; readonly name: string }) {
  return (
    <div className={css.store} data-side={side}>
      <SideTile side={side} size="md" named />
      <div>
        <h2 className={css.platform}>{SIDE_NAME[side]}</h2>
        <p className={css.name}>{name}</p>
      </div>
    </div>
  );
}

/** The newest crossing of any product of a board, if it was just now. */
function crossingOn(board: readonly Twin[], stories: readonly Story[], now: number): Story | null {
  const skus = new Set(board.map(({ sku }) => sku));
  const titles = new Set(board.flatMap(({ woocommerce, shopify }) => [woocommerce?.title, shopify?.title]));
  return (
    stories.find(
      ({ to, sku, title, at }) =>
        to !== null && now - Date.parse(at) < CROSSING_SHOWN_MS && (sku === '' ? titles.has(title) : skus.has(sku)),
    ) ?? null
  );
}

export function TwinShelf({ shelves, isSyncing, onEdit }: TwinShelfProps) {
  const ref = useRef<HTMLDivElement>(null);
  const width = useWidth(ref);
  const now = useNow(1_000);
  const { stories } = useStories('all', FEED_LIMIT);

  const twins = toTwins(shelves);
  const differing = twins.filter((twin) => differencesOf(twin).length > 0).length;
  const isLevel = differing === 0;
  const sideWidth = (width - LANE_WIDTH - PADDING_WIDTH) / 2;
  const perBoard = Math.max(1, Math.min(LABELS_PER_BOARD_MAX, Math.floor(sideWidth / LABEL_WIDTH_MIN)));

  return (
    <section ref={ref} className={css.shelf} aria-label="Both shelves">
      <header className={css.head}>
        <StoreName side="woocommerce" name={shelves.woocommerce.name} />
        <div className={css.level}>
          <Level tilt={tiltOf(twins)} size="lg" label={isLevel ? 'Both shelves agree' : 'The shelves differ'} />
          <p className={css.state} aria-live="polite">
            {isLevel ? (
              <>
                <strong>Level</strong>{' '}
                <span>
                  {formatNumber(twins.length)} of {formatNumber(twins.length)} variants agree
                </span>
              </>
            ) : (
              differenceWords(differing, isSyncing)
            )}
          </p>
        </div>
        <StoreName side="shopify" name={shelves.shopify.name} />
      </header>
      {width > 0 && (
        <ol className={css.boards}>
          {boardsOf(twins, perBoard).map((board) => (
            <li key={board[0]?.sku}>
              <ShelfBoard
                twins={board}
                perBoard={perBoard}
                isSyncing={isSyncing}
                crossing={crossingOn(board, stories, now)}
                onEdit={onEdit}
              />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
