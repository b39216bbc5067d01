import { RefreshCw } from 'lucide-react';
import { Link } from 'wouter';
import { isListBehind } from '../../api/long-lists.ts';
import { pairName } from '../../api/pair-name.ts';
import { usePairs } from '../../api/pairs.ts';
import { type Problem, useProblems, useRetryProblem } from '../../api/problems.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Card } from '../../components/card.tsx';
import { Count } from '../../components/count.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { ListBehind } from '../../components/list-behind.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ToneTile } from '../../components/status.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatAgo, formatNumber, plural } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import css from './problems-page.module.css';

function ProblemRow({ problem, place }: { readonly problem: Problem; readonly place: string | null }) {
  const why = useWhyNot('retry');
  const retry = useRetryProblem();
  const now = useNow();
  const again = (): void =>
    void retry
      .mutateAsync(problem._id)
      .then(
        () => showToast('success', 'It is tried again. When it is over, it leaves this list.'),
        tellFailure('Could not try it again.'),
      );
  return (
    <li className={css.row}>
      <ToneTile tone={problem.level === 'error' ? 'bad' : 'warn'} />
      <div className={css.words}>
        <p className={css.message}>{problem.message}</p>
        {problem.remedy !== '' && <p className={css.remedy}>{problem.remedy}</p>}
        <p className={css.meta}>
          {place && `${place}. `}
          First seen {formatAgo(problem.firstAt, now)}
          {problem.count > 1 && `, seen ${formatNumber(problem.count)} times`}.{' '}
          {problem.recordId && <Link href={link.record(problem.recordId)}>{problem.recordTitle ?? 'The record'}</Link>}
        </p>
      </div>
      <ReasonedButton
        size="sm"
        icon={<RefreshCw aria-hidden="true" />}
        reason={why}
        busy={retry.isPending}
        onClick={again}
      >
        Try again
      </ReasonedButton>
    </li>
  );
}

/** Everything that failed or was refused, with what to do about it; also what is about no record, or about one that is not linked. */
export function ProblemsPage() {
  usePageTitle('Problems');
  const problems = useProblems();
  const { data: pairs } = usePairs();
  const total = problems.data?.pages[0]?.total ?? 0;
  const placeOf = (pairId: string | null): string | null => {
    const pair = pairs?.pairs.find(({ _id }) => _id === pairId);
    return pair ? pairName(pair) : null;
  };
  return (
    <>
      <PageHead
        title="Problems"
        aside={total > 0 && <Count label={plural(total, 'open problem')}>{total}</Count>}
        trail={[{ href: link.overview(), label: 'Overview' }]}
      >
        What failed or was refused, and what to do. A problem leaves this list by itself when it is over.
      </PageHead>
      <Card>
        <QueryView
          query={problems}
          loading={<Skeleton type="list" count={3} />}
          failed="The problems could not be read."
        >
          {({ pages }) => {
            const list = pages.flatMap((page) => page.problems);
            if (list.length === 0) return <EmptyShelf title="No open problem" />;
            return (
              <>
                <ul aria-label="Open problems">
                  {list.map((problem) => (
                    <ProblemRow key={problem._id} problem={problem} place={placeOf(problem.pairId)} />
                  ))}
                </ul>
                <ShowMore query={problems}>Show more problems</ShowMore>
              </>
            );
          }}
        </QueryView>
      </Card>
      <ListBehind query={problems} isBehind={isListBehind(problems.data)} />
    </>
  );
}
