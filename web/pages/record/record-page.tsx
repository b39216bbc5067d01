import { RefreshCw } from 'lucide-react';
import { Link } from 'wouter';
import { knownAs } from '../../api/known-as.ts';
import { isListBehind } from '../../api/long-lists.ts';
import { usePairs } from '../../api/pairs.ts';
import { type Problem, useRetryProblem } from '../../api/problems.ts';
import { type Change, type RecordReply, useRecord } from '../../api/records.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { Card, CardHead } from '../../components/card.tsx';
import { ListBehind } from '../../components/list-behind.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { RecordState } from '../../components/record-state.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { showToast } from '../../components/toast.tsx';
import { plural } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import type { PageProps } from '../../lazy-page.tsx';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import { ChangeList } from './change-list.tsx';
import { deletedWords } from './deleted-words.ts';
import css from './record-page.module.css';
import { SidesTable } from './sides-table.tsx';

interface NoticesProps {
  readonly record: RecordReply['record'];
  readonly changes: readonly Change[];
}

function ProblemNotice({ problem }: { readonly problem: Problem }) {
  const why = useWhyNot('retry');
  const retry = useRetryProblem();
  const again = (): void =>
    void retry
      .mutateAsync(problem._id)
      .then(
        () => showToast('success', 'It is tried again. This notice is gone when it is over.'),
        tellFailure('Could not try it again.'),
      );
  return (
    <Banner
      tone={problem.level === 'error' ? 'bad' : 'warn'}
      actions={
        <ReasonedButton
          size="sm"
          icon={<RefreshCw aria-hidden="true" />}
          reason={why}
          busy={retry.isPending}
          onClick={again}
        >
          Try again
        </ReasonedButton>
      }
    >
      {problem.message} {problem.remedy}
    </Banner>
  );
}

function Notices({ record, changes }: NoticesProps) {
  const deleted = deletedWords(record, changes);
  return (
    <>
      {deleted !== '' && <Banner tone="info">{deleted}</Banner>}
      {record.conflicts.length > 0 && (
        <Banner tone="warn" actions={<Link href={link.conflicts({ id: record._id })}>Resolve</Link>}>
          {plural(record.conflicts.length, 'field')} changed differently on both sides and{' '}
          {record.conflicts.length === 1 ? 'waits' : 'wait'} for you. The rest keeps syncing.
        </Banner>
      )}
      {record.problems.map((problem) => (
        <ProblemNotice key={problem._id} problem={problem} />
      ))}
    </>
  );
}

const TRAIL = [
  { href: link.overview(), label: 'Overview' },
  { href: link.records(), label: 'Records' },
];

export function RecordPage({ params }: PageProps) {
  const result = useRecord(params['id'] ?? '');
  const record = result.data?.pages[0]?.record;
  usePageTitle(record?.title ?? 'Record');
  const pairs = usePairs();
  const pair = pairs.data?.pairs.find(({ _id }) => _id === record?.pairId);
  return (
    <QueryView
      query={result}
      failed="The record could not be read."
      head={<PageHead title="Record" trail={TRAIL} />}
      loading={
        <>
          <PageHead title="Record">{'\u00a0'}</PageHead>
          <Skeleton type="card" count={2} />
        </>
      }
    >
      {({ pages }) => {
        const first = pages[0];
        if (!first) return null;
        const shown = first.record;
        const changes = pages.flatMap((page) => page.changes);
        return (
          <>
            <PageHead
              title={shown.title}
              aside={
                // Not called level before it is known whether anybody looks at its stores.
                !pairs.isPending && (
                  <RecordState state={shown.state} known={pair === undefined ? null : knownAs(pair)} />
                )
              }
              trail={TRAIL}
            >
              {shown.sku === '' ? 'No SKU' : shown.sku}
              {shown.variantCount > 1 ? `, ${plural(shown.variantCount, 'variant')}` : ''}
            </PageHead>
            <div className={css.stack}>
              <Notices record={shown} changes={changes} />
              <div className={css.columns}>
                <SidesTable record={shown} />
                <Card labelledBy="history">
                  <CardHead id="history" title="History" />
                  <ChangeList changes={changes} record={shown} />
                  <ShowMore query={result}>Show older changes</ShowMore>
                  <ListBehind query={result} isBehind={isListBehind(result.data)} />
                </Card>
              </div>
            </div>
          </>
        );
      }}
    </QueryView>
  );
}
