import { ChevronRight } from 'lucide-react';
import type { AuditEntry } from '../../../api/audit.ts';
import { Tag } from '../../../components/tag.tsx';
import { formatClock, formatDateTime } from '../../../hooks/format.ts';
import { deviceName } from '../security/device-name.ts';
import css from './audit-panel.module.css';
import { actorOf, changeLines, deedOf, type Names } from './audit-words.ts';

/** One entry; what changed, and from where, when it is opened. */
export function AuditRow({ entry, names }: { readonly entry: AuditEntry; readonly names: Names }) {
  const { words, target, how } = deedOf(entry, names);
  const token = entry.apiTokenId === null ? null : (names.get(entry.apiTokenId) ?? entry.apiTokenId);
  const facts: readonly (readonly [string, string | null])[] = [
    ['By token', token],
    ['IP address', entry.ip || null],
    ['Device', entry.userAgent === '' ? null : deviceName(entry.userAgent).name],
    ['When', formatDateTime(entry.at)],
    ['In the log', `${entry.action}${entry.target === null ? '' : `, ${entry.target}`}`],
  ];
  return (
    <li className={css.item}>
      <details>
        <summary className={css.summary}>
          <time dateTime={entry.at} className={css.time}>
            {formatClock(entry.at)}
          </time>
          <span className={css.deed}>
            <strong>{actorOf(entry)}</strong> {words}
            {target !== null && (
              <>
                {' '}
                <strong>{target}</strong>
              </>
            )}{' '}
            {how} {token !== null && <Tag>API token</Tag>}
          </span>
          <span className={css.ip}>{entry.ip}</span>
          <ChevronRight aria-hidden="true" className={css.mark} />
        </summary>
        <dl className={css.facts}>
          {changeLines(entry.change).map(({ label, before, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {before !== undefined && (
                  <>
                    <del>{before}</del> <span aria-hidden="true">→</span>{' '}
                  </>
                )}
                {before === undefined ? value : <ins>{value}</ins>}
              </dd>
            </div>
          ))}
          {facts.map(
            ([label, value]) =>
              value !== null && (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </details>
    </li>
  );
}
