import type { ReactNode } from 'react';
import css from './chip.module.css';

interface ChipProps {
  readonly pressed: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  readonly count?: string;
  readonly disabled?: boolean;
}

/** A filter that is on or off, with how many it would leave. */
export function Chip({ pressed, onToggle, children, icon, count, disabled = false }: ChipProps) {
  return (
    <button type="button" className={css.chip} aria-pressed={pressed} disabled={disabled} onClick={onToggle}>
      {icon}
      <span>{children}</span>
      {count !== undefined && <span className={css.count}>{count}</span>}
    </button>
  );
}
