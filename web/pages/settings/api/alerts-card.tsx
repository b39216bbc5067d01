import { useId } from 'react';
import type { User } from '../../../api/account.ts';
import { useAlerts } from '../../../api/alerts.ts';
import { useInstance } from '../../../api/instance.ts';
import { useWhyNot } from '../../../api/use-why-not.ts';
import { Banner } from '../../../components/banner.tsx';
import { Card, CardHead } from '../../../components/card.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { AlertForm } from './alert-form.tsx';
import css from './api-panel.module.css';
import { RecentAlerts } from './recent-alerts.tsx';

/** Whether mail goes out from here, as far as that is known. */
function MailNote({ isDemo }: { readonly isDemo: boolean }) {
  const isMailSent = useInstance()?.isMailSent;
  if (isDemo)
    return <Banner tone="info">In the demo nothing is sent. What you choose here holds for this demo only.</Banner>;
  if (isMailSent !== false) return null;
  return (
    <Banner tone="warn">
      This instance has no mail server: alerts wait in its outbox. A chat among the webhooks above is told all the same.
    </Banner>
  );
}

/** What people are told of when they are not looking, when, and where. */
export function AlertsCard({ user }: { readonly user: User }) {
  const id = useId();
  const alerts = useAlerts();
  const why = useWhyNot('alerts');
  return (
    <Card labelledBy={id}>
      <CardHead id={id} level={3} title="Alerts" />
      <p className={css.lead}>
        They go by email to every member who confirmed their address and has alerts on in their profile (those about
        usage have a switch of their own there), and to every chat among the webhooks.
      </p>
      <QueryView query={alerts} loading={<Skeleton type="list" count={11} />} failed="The alerts could not be read.">
        {({ settings, recent }) => (
          <>
            <div className={css.notes}>
              <MailNote isDemo={user.isDemo} />
              {why !== null && <Banner tone="info">{why}</Banner>}
            </div>
            <AlertForm workspaceId={user.workspace._id} settings={settings} isLocked={why !== null} />
            <RecentAlerts alerts={recent} />
          </>
        )}
      </QueryView>
    </Card>
  );
}
