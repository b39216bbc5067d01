import { FlaskConical, Plus } from 'lucide-react';
import { type OverviewReply, useOverview } from '../../api/overview.ts';
import { useUser } from '../../api/session.ts';
import { ButtonLink } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { plural } from '../../hooks/format.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import { ActivityTab } from './activity-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { UsageAlert } from './usage-alert.tsx';

export function DashboardPage() {
  const [params] = useQueryState();
  const isActivity = params.get('tab') === 'activity';
  const title = isActivity ? 'Activity' : 'Overview';
  usePageTitle(title);
  const user = useUser();
  const overview = useOverview();
  const data = overview.data;
  return (
    <>
      <PageHead
        title={title}
        actions={
          <>
            {user?.isDemo && (
              <ButtonLink href={link.demo()} icon={<FlaskConical aria-hidden="true" />}>
                Open the shelves
              </ButtonLink>
            )}
            <ButtonLink href={link.stores({ connect: 'choose' })} look="primary" icon={<Plus aria-hidden="true" />}>
              {TEXT.dashboard.connectStore}
            </ButtonLink>
          </>
        }
      >
        {data ? (isActivity ? countsOf(data.pairs.length, data.stores.length) : summaryOf(data)) : '\u00a0'}
      </PageHead>
      <Tabs
        label="Dashboard"
        tabs={[
          { href: link.overview(), label: 'Overview', current: !isActivity },
          { href: link.activity(), label: 'Activity', current: isActivity },
        ]}
      />
      <UsageAlert onRetry={() => void overview.refetch()} />
      {isActivity ? <ActivityTab /> : <OverviewTab overview={overview} />}
    </>
  );
}

function countsOf(pairs: number, stores: number): string {
  return `${plural(pairs, 'pair')}, ${plural(stores, 'store')} connected.`;
}

/** What can be said of the pairs in one sentence; the list that it speaks of stands on the overview. */
function summaryOf({ pairs, stores, needsYou }: OverviewReply): string {
  const counts = countsOf(pairs.length, stores.length);
  if (pairs.length === 0) return counts;
  const standing = pairs.filter(({ pair }) => pair.status === 'paused' || pair.status === 'halted').length;
  const unlinked = pairs.filter(({ pair }) => pair.linkedAt === null).length;
  // What stands still or was never linked is not known to be level.
  if (standing > 0) return `${counts} ${plural(standing, 'pair')} ${standing === 1 ? 'stands' : 'stand'} still.`;
  if (unlinked > 0)
    return `${counts} ${plural(unlinked, 'pair')} ${unlinked === 1 ? 'waits' : 'wait'} for the first plan.`;
  if (needsYou.length > 0) return `${counts} Everything is level except what is listed below.`;
  const pending = pairs.reduce((sum, { pair }) => sum + pair.counts.pending, 0);
  return pending > 0 ? `${counts} ${plural(pending, 'record')} on the way.` : `${counts} Everything is level.`;
}
