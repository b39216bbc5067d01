import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import css from './pair-advanced.module.css';
import type { FieldsProps } from './pair-fields.ts';
import type { SettingName } from './pair-form.ts';
import { ProductFields } from './product-fields.tsx';
import { StockFields } from './stock-fields.tsx';
import { WorkFields } from './work-fields.tsx';

/** Those that stand outside of this part. */
const OUTSIDE: ReadonlySet<SettingName> = new Set([
  ...(['syncDirection', 'syncSchedule', 'conflictResolution'] as const),
  ...(['syncProducts', 'syncPrices', 'syncInventory'] as const),
]);

interface PairAdvancedProps extends FieldsProps {
  /** The pair is being made: how its records are linked at first is asked elsewhere, and nothing is linked yet. */
  readonly isNew?: boolean;
}

/** Everything else that can be said about a pair: closed, until somebody wants it or something in it was refused. */
export function PairAdvanced({ isNew = false, ...fields }: PairAdvancedProps) {
  const [isOpen, setOpen] = useState(false);
  const [seen, setSeen] = useState(fields.errors);
  // With the refusal, so that the field is there when it gets the focus.
  if (seen !== fields.errors) {
    setSeen(fields.errors);
    const names = Object.keys(fields.errors) as SettingName[];
    if (names.some((name) => !OUTSIDE.has(name))) setOpen(true);
  }
  return (
    <details className={css.part} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={css.summary}>
        <ChevronRight aria-hidden="true" className={css.mark} />
        <span className={css.title}>Advanced</span>
        <span className={css.about}>How it works, stock, products</span>
      </summary>
      <div className={css.groups}>
        {!isNew && (
          <p className={css.note}>
            Where a change alters what the stores should show, the whole pair is looked at once it is saved, and what is
            linked already is put right; a pair that syncs only by hand waits for your next sync.
          </p>
        )}
        <WorkFields {...fields} />
        <StockFields {...fields} isNew={isNew} />
        <ProductFields {...fields} isNew={isNew} />
      </div>
    </details>
  );
}
