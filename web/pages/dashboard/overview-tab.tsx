import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import { useStories } from '../../api/activity.ts';
import { knownAs } from '../../api/known-as.ts';
import { useLiveStatus } from '../../api/live.ts';
import type { OverviewReply, UsageMeter } from '../../api/overview.ts';
import { ActivityFeed } from '../../components/activity-feed.tsx';
import { CardFoot } from '../../components/card.tsx';
import { type Fetched, QueryView } from '../../components/query-view.tsx';
import { type Figure, ShelfStrip } from '../../components/shelf-strip.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { formatDuration, formatNumber, plural } from '../../hooks/format.ts';
import { link } from '../../routes.ts';
import { feedItems } from './feed-items.ts';
import { NeedsYouList } from './needs-you-list.tsx';
import css from './overview-tab.module.css';
import { PairsCard } from './pairs-card.tsx';
import { QuickActions } from './quick-actions.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { SetupCard } from './setup-card.tsx';
import { couldPair, isSettingUp, needsBesidesSetup, ownOf } from './setup-steps.ts';

const FEED_LIMIT = 50;
const SHOWN_MAX = 9;

/** Only what was measured: a figure that nobody knows yet is not on the shelf. */
function figuresOf({ stats, usage, pairs }: OverviewReply): Figure[] {
  const isSeen = pairs.every(({ pair }) => knownAs(pair) === 'now');
  return [
    { label: 'Total Products', value: formatNumber(stats.totalProducts), note: 'in all pairs', href: link.records() },
    {
      label: 'Level',
      value: formatNumber(stats.recordsLevel),
      note: `of ${plural(stats.totalProducts, 'record')}${isSeen ? '' : ', as last seen'}`,
      href: link.records({ state: 'level' }),
    },
    {
      label: 'Changes',
      value: formatNumber(stats.changesToday),
      note: 'fields, last 24 hours',
      href: link.activity(),
    },
    { label: 'Syncs This Month', value: formatNumber(usage.syncsThisMonth), note: 'runs', href: link.history() },
    {
      label: 'API Calls This Month',
      value: formatNumber(usage.apiCallsThisMonth),
      note: 'by programs',
      href: link.settings({ tab: 'api' }),
    },
    ...usage.meters
      .filter(({ count }) => count > 0)
      .map((meter) => ({ label: meterLabel(meter), value: formatNumber(meter.count), note: usageNote(meter) })),
    ...(stats.avgResponseTime === null
      ? []
      : [
          {
            label: 'Avg Response Time',
            value: formatDuration(stats.avgResponseTime),
            note: 'mean of the stores’ medians',
          },
        ]),
  ];
}

/** Two stores without a partner could be a pair. */
function canPair({ stores, unpairedStoreIds }: OverviewReply): boolean {
  const lonely = stores.filter(({ _id }) => unpairedStoreIds.includes(_id));
  return lonely.some((a) => lonely.some((b) => couldPair(a, b)));
}

/** Beside the specification's own "API Calls This Month" the same thing has the same name. */
function meterLabel({ kind, label, period }: UsageMeter): string {
  const name = kind === 'api_calls' ? 'API Calls' : label;
  return `${name} This ${period === 'hour' ? 'Hour' : 'Month'}`;
}

function usageNote({ limit, level }: UsageMeter): string {
  if (limit === null) return 'no limit';
  const where = level === null ? 'of' : `${TEXT.dashboard.usage[level]}:`;
  return `${where} ${formatNumber(limit)}`;
}

function Feed({ pairs }: { readonly pairs: OverviewReply['pairs'] }) {
  const { query, stories } = useStories('all', FEED_LIMIT);
  const isLive = useLiveStatus() === 'connected';
  const instead =
    query.data === undefined ? (
      <QueryView query={query} loading={<Skeleton type="list" />} failed="The activity could not be read.">
        {() => null}
      </QueryView>
    ) : stories.length === 0 ? (
      <p className={css.quiet}>Nothing has changed yet.</p>
    ) : null;
  return (
    <ActivityFeed
      items={feedItems(
        stories.slice(0, SHOWN_MAX),
        query.data?.activity ?? [],
        pairs.map(({ pair }) => pair),
      )}
      isLive={isLive}
      instead={instead}
      foot={
        <CardFoot>
          <Link href={link.activity()}>
            All activity <ArrowRight aria-hidden="true" />
          </Link>
        </CardFoot>
      }
    />
  );
}

function Loading() {
  return (
    <div className={css.stack}>
      <Skeleton type="stats" />
      <Skeleton type="card" count={2} />
    </div>
  );
}

export function OverviewTab({ overview }: { readonly overview: Fetched<OverviewReply> }) {
  return (
    <QueryView query={overview} loading={<Loading />} failed={TEXT.dashboard.failed}>
      {(data) =>
        data.stores.length === 0 ? (
          <SetupCard overview={data} />
        ) : (
          <div className={css.stack}>
            {isSettingUp(ownOf(data)) && <SetupCard overview={ownOf(data)} />}
            <NeedsYouList items={needsBesidesSetup({ ...data, pairs: ownOf(data).pairs })} canPair={canPair(data)} />
            {/* Of what nothing is linked yet, all figures would be none. */}
            {!isSettingUp(data) && <ShelfStrip label="Figures" figures={figuresOf(data)} />}
            <div className={css.columns}>
              <div className={css.stack}>
                <PairsCard pairs={data.pairs} stores={data.stores} unpairedStoreIds={data.unpairedStoreIds} />
                <RecentRuns runs={data.syncLogs} />
              </div>
              <div className={css.stack}>
                <Feed pairs={data.pairs} />
                <QuickActions stores={data.stores} pairs={data.pairs.map(({ pair }) => pair)} />
              </div>
            </div>
          </div>
        )
      }
    </QueryView>
  );
}
