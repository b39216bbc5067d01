import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { type Run, useHistory } from '../../api/runs.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { Lane } from '../../components/lane.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RunStatus } from '../../components/run-status.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Toolbar } from '../../components/toolbar.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatDuration, formatNumber, formatWhen, plural } from '../../hooks/format.ts';
import { sentence } from '../../hooks/sentence.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import css from './history-page.module.css';
import { HistorySummary } from './history-summary.tsx';

const PAGE_SIZE = 20;
/** Further than this the server skips no runs. */
const PAGE_MAX = 50_000;
const STATUSES = ['completed', 'running', 'failed', 'cancelled'] as const;
const STATUS_NAME = { completed: 'Completed', running: 'Running', failed: 'Failed', cancelled: 'Cancelled' } as const;
const TRIGGER = {
  manual: 'Started by hand',
  scheduled: 'By schedule',
  realtime: 'Real time',
  reconcile: 'Full check',
  initial: 'Plan applied',
} as const;

/** A plan that is applied to linked stores is asked for by hand, too: what it is matters more. */
function triggerOf({ trigger, planId }: Run): string {
  return trigger === 'manual' && planId !== null ? TRIGGER.initial : TRIGGER[trigger];
}

const COLUMNS: readonly Column<Run>[] = [
  {
    key: 'status',
    head: 'Run',
    grow: true,
    cell: (run) => (
      <Link href={link.run(run._id)} className={css.run}>
        <RunStatus status={run.status} failed={run.stats.failed} />
        <span className={css.store}>{run.storeName}</span>
        {run.error?.message && <span className={css.error}>{sentence(run.error.message)}</span>}
      </Link>
    ),
  },
  { key: 'trigger', head: 'Trigger', cell: (run) => <span className={css.quiet}>{triggerOf(run)}</span> },
  {
    key: 'lane',
    head: 'Direction',
    cell: ({ direction }) => (
      <Lane
        to={direction === 'bidirectional' ? null : direction === 'woocommerce_to_shopify' ? 'shopify' : 'woocommerce'}
      />
    ),
  },
  {
    key: 'stats',
    head: 'Records',
    align: 'end',
    cell: ({ stats }) => (
      <span className={css.number}>
        {formatNumber(stats.successful)} of {formatNumber(stats.totalProcessed)}
      </span>
    ),
  },
  {
    key: 'written',
    head: 'Written',
    align: 'end',
    cell: ({ stats }) => <span className={css.number}>{formatNumber(stats.written)}</span>,
  },
  {
    key: 'duration',
    head: 'Duration',
    align: 'end',
    cell: ({ duration }) => (
      <span className={css.number}>{duration === null ? 'Running' : formatDuration(duration)}</span>
    ),
  },
  {
    key: 'time',
    head: 'Started',
    align: 'end',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className={css.number}>
        {formatWhen(createdAt)}
      </time>
    ),
  },
];

export function HistoryPage() {
  usePageTitle('Sync history');
  const [params, change] = useQueryState();
  const status = oneOf(params.get('status'), STATUSES) ?? undefined;
  const q = params.get('q') ?? undefined;
  const page = Math.min(PAGE_MAX, Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1));
  const history = useHistory({ status, q, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE });
  const isFiltered = status !== undefined || q !== undefined;
  const total = history.data?.total ?? 0;

  return (
    <>
      <PageHead
        title="Sync history"
        actions={
          <ButtonLink href={link.overview()} icon={<ArrowLeft aria-hidden="true" />}>
            Back to Dashboard
          </ButtonLink>
        }
      >
        Every run, with what it read, wrote and left behind. Live changes between runs are in the activity.
      </PageHead>
      <HistorySummary />
      <Toolbar aside={history.data && plural(total, 'run')}>
        <SearchField
          label="Filter by store, entity or status"
          value={q ?? ''}
          onChange={(text) => change({ q: text || null, page: null })}
        />
        {STATUSES.map((value) => (
          <Chip
            key={value}
            pressed={status === value}
            onToggle={() => change({ status: status === value ? null : value, page: null })}
          >
            {STATUS_NAME[value]}
          </Chip>
        ))}
      </Toolbar>
      <Card>
        <QueryView query={history} loading={<Skeleton type="table" count={8} />} failed={TEXT.history.failed}>
          {({ syncLogs }) =>
            syncLogs.length === 0 && total > 0 ? (
              // By an address that was kept, or while the last of them went.
              <EmptyShelf
                title={`There is no page ${formatNumber(page)}`}
                actions={<Button onClick={() => change({ page: null })}>First page</Button>}
              />
            ) : syncLogs.length === 0 ? (
              <EmptyShelf
                title={isFiltered ? 'No run matches the filters' : 'No runs yet'}
                actions={
                  isFiltered ? (
                    <Button onClick={() => change({ status: null, q: null, page: null })}>Clear filters</Button>
                  ) : (
                    <ButtonLink href={link.plans()} look="primary">
                      Read a plan
                    </ButtonLink>
                  )
                }
              >
                {!isFiltered && 'The first run starts when you apply a plan.'}
              </EmptyShelf>
            ) : (
              <>
                <DataTable caption="Runs, newest first" columns={COLUMNS} rows={syncLogs} rowKey={({ _id }) => _id} />
                <Pagination
                  page={page}
                  pageCount={Math.ceil(total / PAGE_SIZE)}
                  onPage={(next) => change({ page: next === 1 ? null : String(next) })}
                />
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  );
}
