import type { Story } from '../../api/activity.ts';
import { HiddenText } from '../../components/hidden-text.tsx';
import { Lane } from '../../components/lane.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { formatDuration } from '../../hooks/format.ts';
import type { ItemAddress } from './demo-shelves.tsx';
import { ShelfBay } from './shelf-bay.tsx';
import css from './shelf-board.module.css';
import { differencesOf, type Twin } from './twin-items.ts';

interface ShelfBoardProps {
  readonly twins: readonly Twin[];
  readonly perBoard: number;
  readonly isSyncing: boolean;
  readonly crossing: Story | null;
  readonly onEdit: (address: ItemAddress) => void;
}

const SIDES: readonly Side[] = ['woocommerce', 'shopify'];
/** A board that is not full goes on all the same. */
const EMPTY_BAYS = ['second', 'third'] as const;
const COLUMNS = ['', 'one', 'two', 'three'] as const;

/** What happens between the two boards: nothing, something on the way, or what has just arrived and how fast. */
function Between({ isMoving, crossing }: { readonly isMoving: boolean; readonly crossing: Story | null }) {
  return (
    <div className={css.between} data-moving={isMoving || undefined}>
      {crossing && !isMoving && (
        <>
          <span className={css.pill} key={crossing.seq}>
            <Lane to={crossing.to} order="place" />
          </span>
          {crossing.tookMs !== null && <span className={css.took}>in {formatDuration(crossing.tookMs)}</span>}
        </>
      )}
      {isMoving && <HiddenText>On the way</HiddenText>}
    </div>
  );
}

/** The same products on a board of each shop, and the way between. */
export function ShelfBoard({ twins, perBoard, isSyncing, crossing, onEdit }: ShelfBoardProps) {
  const isMoving = isSyncing && twins.some((twin) => differencesOf(twin).length > 0);
  const [left, right] = SIDES.map((side) => (
    <ul key={side} className={css[COLUMNS[perBoard] ?? 'one']} data-board aria-label={SIDE_NAME[side]}>
      {twins.map((twin) => (
        <ShelfBay key={twin.sku} twin={twin} side={side} onEdit={onEdit} />
      ))}
      {EMPTY_BAYS.slice(0, perBoard - twins.length).map((place) => (
        <li key={place} className={css.rest} aria-hidden="true" />
      ))}
    </ul>
  ));
  return (
    <div className={css.row}>
      {left}
      <Between isMoving={isMoving} crossing={crossing} />
      {right}
    </div>
  );
}
