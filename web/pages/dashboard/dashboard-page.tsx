import { FlaskConical, Plus } from 'lucide-react';
import { useOverview } from '../../api/overview.ts';
import { useUser } from '../../api/session.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { ButtonLink } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ReasonedLink } from '../../components/reasoned-button.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { useQueryState } from '../../hooks/use-query-state.ts';
import { link } from '../../routes.ts';
import { ActivityTab } from './activity-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { isSettingUp, ownOf } from './setup-steps.ts';
import { countsOf, summaryOf } from './summary.ts';
import { UsageAlert } from './usage-alert.tsx';

export function DashboardPage() {
  const why = useWhyNot('stores');
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
            {(user?.isDemo || data?.stores.some(({ isSandbox }) => isSandbox)) && (
              <ButtonLink href={link.demo()} icon={<FlaskConical aria-hidden="true" />}>
                Open the shelves
              </ButtonLink>
            )}
            <ReasonedLink
              reason={why}
              href={link.stores({ connect: 'choose' })}
              // The way through the setup has the one thing that is to be done next.
              look={data && isSettingUp(ownOf(data)) ? 'default' : 'primary'}
              icon={<Plus aria-hidden="true" />}
            >
              {TEXT.dashboard.connectStore}
            </ReasonedLink>
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
