import { GitPullRequestArrow } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ShelvesReply } from '../../api/demo.ts';
import { usePairs } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { Banner } from '../../components/banner.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { type Fetched, QueryView } from '../../components/query-view.tsx';
import { ReasonedButton, ReasonedLink } from '../../components/reasoned-button.tsx';
import type { Side } from '../../components/side.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { TEXT } from '../../content/messages.en.ts';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import { DemoNotices, isTravelling } from './demo-notices.tsx';
import css from './demo-shelves.module.css';
import { EditItem } from './edit-item.tsx';
import { LiveFeed } from './live-feed.tsx';
import { TwinShelf } from './twin-shelf.tsx';

export interface ItemAddress {
  readonly side: Side;
  readonly sku: string;
}

export function DemoShelves({ shelves }: { readonly shelves: Fetched<ShelvesReply> }) {
  const whyNoPlan = useWhyNot('plan');
  const whyNoPair = useWhyNot('stores');
  const makePlan = useMakePlan();
  const [, navigate] = useLocation();
  const { data: pairs } = usePairs();
  const pair = pairs?.pairs.find(({ _id }) => _id === shelves.data?.pairId);
  const isParted = pairs !== undefined && shelves.data !== undefined && pair === undefined;
  const [edited, setEdited] = useState<ItemAddress | null>(null);

  const preview = async (pairId: string): Promise<void> => {
    try {
      const { plan } = await makePlan.mutateAsync(pairId);
      navigate(link.plan(plan._id));
    } catch (error) {
      tellFailure('Could not make a plan.')(error);
    }
  };

  return (
    <>
      <PageHead
        title="Demo shelves"
        actions={
          <ReasonedButton
            reason={whyNoPlan}
            icon={<GitPullRequestArrow aria-hidden="true" />}
            busy={makePlan.isPending}
            disabled={!shelves.data || isParted}
            onClick={() => shelves.data && void preview(shelves.data.pairId)}
          >
            Preview a plan
          </ReasonedButton>
        }
      >
        Change one side and watch it arrive on the other. Both stores are sandboxes inside this server; the engine
        between them is the one that real stores use.
      </PageHead>
      {pair && <DemoNotices pair={pair} />}
      {isParted && (
        <div className={css.notice}>
          <Banner
            tone="warn"
            actions={
              <ReasonedLink reason={whyNoPair} href={link.stores({ connect: 'pair' })} size="sm">
                Pair two stores
              </ReasonedLink>
            }
          >
            The pair of these two stores was removed: nothing travels between them.
          </Banner>
        </div>
      )}
      <div className={css.columns}>
        <QueryView query={shelves} loading={<Skeleton type="card" count={3} />} failed={TEXT.dashboard.demoUnread}>
          {(data) => <TwinShelf shelves={data} isSyncing={!isParted && isTravelling(pair)} onEdit={setEdited} />}
        </QueryView>
        <div className={css.feed}>
          <LiveFeed currency={shelves.data?.woocommerce.items[0]?.currency ?? null} />
        </div>
      </div>
      {shelves.data && <EditItem shelves={shelves.data} address={edited} onClose={() => setEdited(null)} />}
    </>
  );
}
