import { CircleStop, RefreshCw } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { isListBehind } from '../../api/long-lists.ts';
import { useSyncNow } from '../../api/pairs.ts';
import { type Run, type RunItem, useCancelRun, useRun } from '../../api/runs.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { causeWords } from '../../components/cause-words.ts';
import { Chip } from '../../components/chip.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { ListBehind } from '../../components/list-behind.tsx';
import { Meter } from '../../components/meter.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { RunStatus } from '../../components/run-status.tsx';
import { type Figure, ShelfStrip } from '../../components/shelf-strip.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { Toolbar } from '../../components/toolbar.tsx';
import { faultWords } from '../../hooks/fault-words.ts';
import { formatDateTime, formatDuration, formatMoment, formatNumber } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import type { PageProps } from '../../lazy-page.tsx';
import { link } from '../../routes.ts';
import { tellFailure, tellSyncFailure } from '../../tell-failure.ts';
import { emptyWords } from './empty-words.ts';
import css from './run-page.module.css';
import { RunWrites } from './run-writes.tsx';
import { shownRecords } from './shown-records.ts';

const OUTCOMES = ['written', 'unchanged', 'skipped', 'moved', 'failed'] as const;
const OUTCOME: Readonly<Record<(typeof OUTCOMES)[number], readonly [Tone, string]>> = {
  written: ['ok', 'Written'],
  unchanged: ['quiet', 'Unchanged'],
  skipped: ['quiet', 'Skipped'],
  moved: ['warn', 'Moved meanwhile'],
  failed: ['bad', 'Failed'],
};

const ACTION: Readonly<Record<string, string>> = {
  apply: 'As planned',
  link: 'Linked',
  create: 'Created',
  update: 'Updated',
  archive: 'Put away',
  sync: 'Synced',
};

const columnsIn = (currency: string | null): readonly Column<RunItem>[] => [
  {
    key: 'title',
    head: 'Record',
    grow: true,
    cell: (item) =>
      item.recordId ? <Link href={link.record(item.recordId)}>{item.title}</Link> : <span>{item.title}</span>,
  },
  {
    key: 'outcome',
    head: 'Outcome',
    cell: ({ outcome }) => <Status tone={OUTCOME[outcome][0]}>{OUTCOME[outcome][1]}</Status>,
  },
  {
    key: 'detail',
    head: 'What',
    cell: (item) => (
      <div className={css.what}>
        <RunWrites item={item} currency={currency} />
        <p className={css.detail}>
          {item.detail === null ? (ACTION[item.action] ?? item.action) : causeWords(item.detail)}
        </p>
      </div>
    ),
  },
  { key: 'at', head: 'Time', align: 'end', cell: ({ at }) => <span className={css.time}>{formatMoment(at)}</span> },
];

function figuresOf({ stats, duration }: Run): Figure[] {
  return [
    { label: 'Processed', value: formatNumber(stats.totalProcessed), note: 'records' },
    { label: 'Written', value: formatNumber(stats.written), note: 'records' },
    { label: 'Unchanged', value: formatNumber(stats.successful - stats.written), note: 'records' },
    { label: 'Skipped', value: formatNumber(stats.skipped), note: 'records' },
    { label: 'Failed', value: formatNumber(stats.failed), note: 'records' },
    { label: 'Duration', value: duration === null ? 'Running' : formatDuration(duration) },
  ];
}

const TRAIL = [
  { href: link.overview(), label: 'Overview' },
  { href: link.history(), label: 'Sync history' },
];

function RunHead({ run }: { readonly run: Run }) {
  const why = useWhyNot('sync');
  const cancel = useCancelRun();
  const again = useSyncNow();
  const [, navigate] = useLocation();
  return (
    <PageHead
      title={run.storeName}
      aside={<RunStatus status={run.status} failed={run.stats.failed} />}
      trail={TRAIL}
      actions={
        run.status === 'running' ? (
          <ReasonedButton
            reason={why}
            icon={<CircleStop aria-hidden="true" />}
            busy={cancel.isPending || run.isCancelRequested}
            onClick={() => void cancel.mutateAsync(run._id).catch(tellFailure('Could not cancel the run.'))}
          >
            {run.isCancelRequested ? 'Cancelling' : 'Cancel the run'}
          </ReasonedButton>
        ) : (
          <ReasonedButton
            reason={why}
            icon={<RefreshCw aria-hidden="true" />}
            busy={again.isPending}
            onClick={() =>
              again
                .mutateAsync({ pairId: run.pairId })
                .then(({ run: next }) => navigate(link.run(next._id)), tellSyncFailure)
            }
          >
            Run again
          </ReasonedButton>
        )
      }
    >
      Started {formatDateTime(run.createdAt)}
      {run.finishedAt ? `, finished ${formatMoment(run.finishedAt, new Date(run.createdAt))}.` : '.'}
    </PageHead>
  );
}

export function RunPage({ params }: PageProps) {
  usePageTitle('Run');
  const [query, change] = useQueryState();
  const outcome = oneOf(query.get('outcome'), OUTCOMES) ?? undefined;
  const result = useRun(params['id'] ?? '', { outcome });
  return (
    <QueryView
      query={result}
      failed="The run could not be read."
      head={<PageHead title="Run" trail={TRAIL} />}
      loading={
        <>
          <PageHead title="Run">{'\u00a0'}</PageHead>
          <Skeleton type="stats" />
          <Skeleton type="table" />
        </>
      }
    >
      {({ pages }) => {
        const first = pages[0];
        if (!first) return null;
        const { run, outcomeCounts, currency } = first;
        const items = pages.flatMap((page) => page.items);
        const empty = emptyWords(run, outcome !== undefined);
        return (
          <>
            <RunHead run={run} />
            <div className={css.stack}>
              {run.error && <Banner tone="bad">{faultWords(run.error)}</Banner>}
              {run.status === 'running' && (
                <Meter
                  label="Progress of the run"
                  value={run.progress > 0 ? run.progress / 100 : null}
                  valueText={`${run.progress} %`}
                />
              )}
              <ShelfStrip label="Result" figures={figuresOf(run)} />
            </div>
            <Toolbar aside={shownRecords(items.length, outcomeCounts, outcome)} counting={run.status === 'running'}>
              {OUTCOMES.filter((value) => (outcomeCounts[value] ?? 0) > 0 || outcome === value).map((value) => (
                <Chip
                  key={value}
                  pressed={outcome === value}
                  count={formatNumber(outcomeCounts[value] ?? 0)}
                  onToggle={() => change({ outcome: outcome === value ? null : value })}
                >
                  {OUTCOME[value][1]}
                </Chip>
              ))}
            </Toolbar>
            <Card>
              {items.length === 0 ? (
                <EmptyShelf title={empty.title}>{empty.text}</EmptyShelf>
              ) : (
                <>
                  <DataTable
                    caption="Records of this run"
                    columns={columnsIn(currency)}
                    rows={items}
                    rowKey={(item) => `${item.subject}/${item.at}/${item.action}/${item.outcome}`}
                  />
                  <ShowMore query={result}>Show more records</ShowMore>
                </>
              )}
            </Card>
            <ListBehind query={result} isBehind={isListBehind(result.data)} />
          </>
        );
      }}
    </QueryView>
  );
}
