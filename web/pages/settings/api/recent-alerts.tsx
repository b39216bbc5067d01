import { useId, useRef, useState } from 'react';
import type { Alert } from '../../../api/alerts.ts';
import { useInstance } from '../../../api/instance.ts';
import { Button } from '../../../components/button.tsx';
import { formatAgo, formatDateTime, formatNumber, plural } from '../../../hooks/format.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { fateWords } from './alert-words.ts';
import css from './recent-alerts.module.css';

const FIRST = 3;

/** What was told lately, or will be. */
export function RecentAlerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  const id = useId();
  const now = useNow();
  const isMailSent = useInstance()?.isMailSent;
  const list = useRef<HTMLUListElement>(null);
  const [isAll, setAll] = useState(false);
  const shown = isAll ? alerts : alerts.slice(0, FIRST);
  const more = alerts.length - shown.length;
  return (
    <section aria-labelledby={id} className={css.recent}>
      <h4 id={id} className={css.title}>
        Last alerts
      </h4>
      {alerts.length === 0 ? (
        <p className={css.meta}>There was nothing to tell.</p>
      ) : (
        <ul ref={list} tabIndex={-1} className={css.list}>
          {shown.map((alert) => (
            <li key={`${alert.kind}/${alert.raisedAt}/${alert.message}`}>
              <p className={css.message}>{alert.message}</p>
              <p className={css.meta}>
                <time dateTime={alert.raisedAt} title={formatDateTime(alert.raisedAt)}>
                  {formatAgo(alert.raisedAt, now)}
                </time>
                {alert.count > 1 && `, ${formatNumber(alert.count)} times`}. {fateWords(alert, isMailSent)}.
              </p>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Button
          size="sm"
          look="ghost"
          onClick={() => {
            setAll(true);
            // The button goes with what it was for.
            list.current?.focus({ preventScroll: true });
          }}
        >
          Show {plural(more, 'more alert')}
        </Button>
      )}
    </section>
  );
}
