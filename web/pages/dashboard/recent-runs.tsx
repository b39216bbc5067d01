import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import type { Run } from '../../api/runs.ts';
import { Card, CardFoot, CardHead } from '../../components/card.tsx';
import { RunStatus } from '../../components/run-status.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatDuration, formatNumber, formatWhen } from '../../hooks/format.ts';
import { link } from '../../routes.ts';
import css from './recent-runs.module.css';

const SHOWN_MAX = 6;

/** The newest runs, one line each. */
export function RecentRuns({ runs }: { readonly runs: readonly Run[] }) {
  if (runs.length === 0) return null;
  return (
    <Card labelledBy="recent-runs">
      <CardHead id="recent-runs" title="Recent runs" />
      <ul>
        {runs.slice(0, SHOWN_MAX).map((run) => (
          <li key={run._id} className={css.run}>
            <RunStatus status={run.status} failed={run.stats.failed} />
            <Link href={link.run(run._id)} className={css.name}>
              {run.storeName}
            </Link>
            <span className={css.stats}>
              {formatNumber(run.stats.successful)} of {formatNumber(run.stats.totalProcessed)}
              {run.duration !== null && ` in ${formatDuration(run.duration)}`}
            </span>
            <time dateTime={run.createdAt} className={css.when}>
              {formatWhen(run.createdAt)}
            </time>
          </li>
        ))}
      </ul>
      <CardFoot>
        <Link href={link.history()}>
          {TEXT.dashboard.allHistory} <ArrowRight aria-hidden="true" />
        </Link>
      </CardFoot>
    </Card>
  );
}
