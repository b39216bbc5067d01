import type { PlanWithItems } from '../../api/plans.ts';
import { Chip } from '../../components/chip.tsx';
import { DiffGlyph, type DiffKind } from '../../components/diff-glyph.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { SIDE_NAME } from '../../components/side.ts';
import { SideTile } from '../../components/side-tile.tsx';
import { formatNumber, plural } from '../../hooks/format.ts';
import css from './plan-filters.module.css';

export const PLAN_FILTER_ACTIONS = ['link', 'create', 'update', 'archive', 'ambiguous', 'skip', 'none'] as const;
type Action = (typeof PLAN_FILTER_ACTIONS)[number];

export interface PlanFilterState {
  readonly action: Action | undefined;
  readonly side: 'woocommerce' | 'shopify' | undefined;
  /** Only links to be looked at twice. */
  readonly unlike: true | undefined;
  readonly q: string | undefined;
}

const LABEL: Readonly<Record<Action, string>> = {
  create: 'Create',
  update: 'Update',
  link: 'Link',
  archive: 'Put away',
  ambiguous: 'Ambiguous',
  skip: 'Skipped',
  none: 'Level',
};
const GLYPH: Readonly<Record<Action, DiffKind>> = {
  create: 'add',
  update: 'mod',
  link: 'link',
  archive: 'del',
  ambiguous: 'ask',
  skip: 'none',
  none: 'none',
};
const ORDER: readonly Action[] = ['create', 'update', 'link', 'archive', 'ambiguous', 'skip', 'none'];

interface PlanFiltersProps {
  readonly plan: PlanWithItems;
  readonly filter: PlanFilterState;
  readonly shown: number;
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}

export function PlanFilters({ plan, filter, shown, onChange }: PlanFiltersProps) {
  const counts = plan.actionCounts;
  return (
    <div className={css.filters}>
      <SearchField
        label="Filter by name or SKU"
        value={filter.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? null : q })}
      />
      <div className={css.chips}>
        {ORDER.filter((action) => (counts[action] ?? 0) > 0 || filter.action === action).map((action) => (
          <Chip
            key={action}
            pressed={filter.action === action}
            icon={<DiffGlyph kind={GLYPH[action]} />}
            count={formatNumber(counts[action] ?? 0)}
            onToggle={() => onChange({ action: filter.action === action ? null : action })}
          >
            {LABEL[action]}
          </Chip>
        ))}
        {(plan.counts.unlike > 0 || filter.unlike) && (
          <Chip
            pressed={filter.unlike === true}
            icon={<DiffGlyph kind="ask" />}
            count={formatNumber(plan.counts.unlike)}
            onToggle={() => onChange({ unlike: filter.unlike ? null : '1' })}
          >
            Look twice
          </Chip>
        )}
      </div>
      <div className={css.chips}>
        {(['woocommerce', 'shopify'] as const).map((side) => (
          <Chip
            key={side}
            pressed={filter.side === side}
            icon={<SideTile side={side} named />}
            onToggle={() => onChange({ side: filter.side === side ? null : side })}
          >
            On {SIDE_NAME[side]}
          </Chip>
        ))}
      </div>
      <p className={css.shown} aria-live="polite">
        {formatNumber(shown)} of {plural(plan.itemCount, 'record')}
      </p>
    </div>
  );
}
