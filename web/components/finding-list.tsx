import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import css from './finding-list.module.css';
import { remedyBelow } from './remedy-below.ts';

interface Finding {
  readonly code: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
  readonly remedy: string;
}

const SHAPE = { ok: CircleCheck, warning: TriangleAlert, error: CircleX } as const;
const WORD = { ok: 'Fine', warning: 'Warning', error: 'Must be mended' } as const;
const ORDER = { error: 0, warning: 1, ok: 2 } as const;

/** What a store's doctor found, the worst first: each with the remedy. */
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  const sorted = findings.toSorted((a, b) => ORDER[a.level] - ORDER[b.level]);
  return (
    <ul className={css.list}>
      {sorted.map(({ code, level, message }, at) => {
        const Shape = SHAPE[level];
        const remedy = remedyBelow(sorted, at);
        return (
          <li key={`${code}/${message}`} className={css.item}>
            <Shape className={css[level]} role="img" aria-label={WORD[level]} />
            <div>
              <p>{message}</p>
              {remedy !== '' && <p className={css.remedy}>{remedy}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
