import type { AuditEntry } from '../../../api/audit.ts';
import { formatDate } from '../../../hooks/format.ts';
import css from './audit-panel.module.css';
import { AuditRow } from './audit-row.tsx';
import type { Names } from './audit-words.ts';
import { byDay } from './by-day.ts';

interface AuditListProps {
  readonly entries: readonly AuditEntry[];
  readonly names: Names;
}

/** Entries of a log, day by day. */
export function AuditList({ entries, names }: AuditListProps) {
  return byDay(entries, formatDate).map(({ day, entries: list }) => (
    <section key={day} aria-label={day}>
      <h3 className={css.day}>{day}</h3>
      <ul>
        {list.map((entry) => (
          <AuditRow key={entry.seq} entry={entry} names={names} />
        ))}
      </ul>
    </section>
  ));
}
