import { useEffect, useRef } from 'react';
import { useWhyNot } from '../../api/use-why-not.ts';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { SIDE_NAME, type Side } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { plural } from '../../hooks/format.ts';
import css from './bulk-bar.module.css';

export const CHOOSE_ALL = 'choose-all-conflicts';

interface BulkBarProps {
  /** Of all that the filter shows. */
  readonly total: number;
  /** "12 conflicts of 9 records"; null: none is chosen. */
  readonly chosen: string | null;
  readonly isAll: boolean;
  /** The rest of the list is being read. */
  readonly busy: boolean;
  /** Only so many can be chosen at once, and there are more. */
  readonly isCut: boolean;
  readonly onAll: (isChosen: boolean) => void;
  readonly onKeep: (side: Side) => void;
}

/** Above the list: chooses all that the filter shows, and decides about what is chosen. */
export function BulkBar({ total, chosen, isAll, busy, isCut, onAll, onKeep }: BulkBarProps) {
  const why = useWhyNot('settle');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen !== null && !isAll;
  }, [chosen, isAll]);
  return (
    <div className={css.bar}>
      <label className={css.all}>
        <input
          ref={box}
          id={CHOOSE_ALL}
          type="checkbox"
          checked={isAll}
          aria-disabled={busy}
          onChange={(event) => {
            if (!busy) onAll(event.target.checked);
          }}
        />
        {`Choose all ${plural(total, 'conflict')}`}
      </label>
      <p role="status" className={css.chosen}>
        {busy ? 'Reading the rest of the list' : chosen !== null && `${chosen} chosen`}
        {!busy && isCut && '. More can not be chosen at once: resolve these first'}
      </p>
      {chosen !== null && (
        <fieldset className={css.actions} aria-label="What is chosen">
          {(['woocommerce', 'shopify'] as const).map((side) => (
            <ReasonedButton
              key={side}
              reason={why}
              size="sm"
              icon={<SideTile side={side} named />}
              aria-disabled={busy}
              onClick={() => {
                if (!busy) onKeep(side);
              }}
            >
              {`Keep ${SIDE_NAME[side]}`}
            </ReasonedButton>
          ))}
        </fieldset>
      )}
    </div>
  );
}
