import { useSyncStats } from '../../api/runs.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ShelfStrip } from '../../components/shelf-strip.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { historyFigures } from './history-figures.ts';
import css from './history-summary.module.css';

const FAILED = 'The figures could not be read.';

/** All runs of a period: the server counts whole periods, so what the list is narrowed to changes nothing here, and it says so. */
export function HistorySummary() {
  const stats = useSyncStats();
  return (
    <section className={css.summary} aria-label="Summary">
      <p className={css.period}>All runs of the last 30 days. Search and filters narrow the list only.</p>
      <div className={css.figures}>
        {stats.data === undefined && stats.error ? (
          <Banner
            tone="bad"
            actions={
              <Button size="sm" busy={stats.isFetching} onClick={() => void stats.refetch()}>
                {TEXT.crash.retry}
              </Button>
            }
          >
            {FAILED} {stats.error.message}
          </Banner>
        ) : (
          <QueryView query={stats} loading={<Skeleton type="stats" />} failed={FAILED}>
            {(data) => <ShelfStrip label="All runs of the last 30 days" figures={historyFigures(data.stats)} />}
          </QueryView>
        )}
      </div>
    </section>
  );
}
