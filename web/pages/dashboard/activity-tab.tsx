import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { type ActivityFilter, useOlderActivity, useStories } from '../../api/activity.ts';
import { shownCounts, toldOf, useFilterCounts } from '../../api/filter-counts.ts';
import { useLiveStatus } from '../../api/live.ts';
import { usePairs } from '../../api/pairs.ts';
import { ActivityFeed } from '../../components/activity-feed.tsx';
import { Button } from '../../components/button.tsx';
import { CardFoot } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ShowMore } from '../../components/show-more.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatNumber } from '../../hooks/format.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import css from './activity-tab.module.css';
import { feedItems } from './feed-items.ts';

const FILTERS: readonly { readonly value: ActivityFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'orders', label: 'Orders' },
  { value: 'products', label: 'Products' },
  { value: 'errors', label: 'Errors' },
];
const LIMIT = 200;

function countOf(count: ReturnType<typeof shownCounts>[ActivityFilter]): { readonly count?: string } {
  if (count === undefined) return {};
  return { count: typeof count === 'number' ? formatNumber(count) : `${formatNumber(count.atLeast)}+` };
}

export function ActivityTab() {
  const [params, change] = useQueryState();
  const filter = oneOf(params.get('filter'), ['all', 'orders', 'products', 'errors'] as const) ?? 'all';
  const { query, stories } = useStories(filter, LIMIT);
  const older = useOlderActivity(filter, LIMIT);
  const last = query.data?.activity.at(-1)?.seq;
  const hasNextPage = last !== undefined && query.data?.nextCursor !== null;
  const askOlder = async (): Promise<void> => {
    if (last !== undefined) await older.ask(last).catch(tellFailure('The older activity could not be read.'));
  };
  const isLive = useLiveStatus() === 'connected';
  const { data: pairs } = usePairs();
  const all = useStories('all', LIMIT);
  const rowCounts = useFilterCounts(all.query.data?.lastSeq ?? null) ?? query.data?.filterCounts;
  const counts = shownCounts(
    filter,
    query.data && toldOf(query.data, stories),
    all.query.data && toldOf(all.query.data, all.stories),
    rowCounts,
  );
  const instead =
    query.data === undefined ? (
      <QueryView query={query} loading={<Skeleton type="list" count={8} />} failed="The activity could not be read.">
        {() => null}
      </QueryView>
    ) : stories.length === 0 ? (
      <EmptyShelf
        title={filter === 'all' ? 'Nothing has changed yet' : `No ${filter} in the activity`}
        actions={filter !== 'all' && <Button onClick={() => change({ filter: null })}>Clear filters</Button>}
      >
        {filter === 'all' && 'Every change that is seen or written appears here, the moment it happens.'}
      </EmptyShelf>
    ) : null;
  return (
    <>
      <div className={css.filters}>
        {FILTERS.map(({ value, label }) => (
          <Chip
            key={value}
            pressed={filter === value}
            onToggle={() => change({ filter: value === 'all' ? null : value })}
            {...countOf(counts[value])}
          >
            {label}
          </Chip>
        ))}
      </div>
      <ActivityFeed
        // What was held still under one filter is not what another one lets through.
        key={filter}
        items={feedItems(stories, query.data?.activity ?? [], pairs?.pairs ?? [])}
        isLive={isLive}
        instead={instead}
        foot={
          <>
            <ShowMore query={{ hasNextPage, isFetchingNextPage: older.isPending, fetchNextPage: askOlder }}>
              Show older activity
            </ShowMore>
            <CardFoot>
              <Link href={link.history()}>
                {TEXT.dashboard.allHistory} <ArrowRight aria-hidden="true" />
              </Link>
            </CardFoot>
          </>
        }
      />
    </>
  );
}
