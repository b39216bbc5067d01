import { ArrowRight, GitPullRequestArrow } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { pairName } from '../../api/pair-name.ts';
import { type Pair, usePairs, usePausePair } from '../../api/pairs.ts';
import { useMakePlan } from '../../api/plans.ts';
import { useWhyNot } from '../../api/use-why-not.ts';
import { ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyShelf } from '../../components/empty-shelf.tsx';
import { HaltedBanner } from '../../components/halted-banner.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { SideTile } from '../../components/side-tile.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status.tsx';
import { Tag } from '../../components/tag.tsx';
import { showToast } from '../../components/toast.tsx';
import { formatAgo, plural } from '../../hooks/format.ts';
import { useNow } from '../../hooks/use-now.ts';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import css from './plans-page.module.css';

function PairPlan({ pair }: { readonly pair: Pair }) {
  const whyNoPlan = useWhyNot('plan');
  const whyNoResume = useWhyNot('pause');
  const makePlan = useMakePlan();
  const pause = usePausePair();
  const row = useRef<HTMLLIElement>(null);
  const name = pairName(pair);
  const now = useNow();
  const [, navigate] = useLocation();
  const make = (): void => {
    makePlan
      .mutateAsync(pair._id)
      .then(({ plan }) => navigate(link.plan(plan._id)), tellFailure(`Could not make a plan for ${name}.`));
  };
  // By the promise: the banner is gone, and the focus with it, before a callback of the mutation would be called.
  const resume = (): void => {
    pause.mutateAsync({ id: pair._id, pause: false }).then(
      () => {
        showToast('success', `${name}: resumed.`);
        row.current?.focus();
      },
      tellFailure(`Could not resume ${name}.`),
    );
  };
  return (
    <li ref={row} className={css.pair} tabIndex={-1}>
      {pair.halt && (
        <div className={css.halt}>
          <HaltedBanner name={name} halt={pair.halt} reason={whyNoResume} busy={pause.isPending} onResume={resume} />
        </div>
      )}
      <div className={css.stores}>
        <span className={css.store}>
          <SideTile side="woocommerce" size="md" named />
          {pair.woocommerce.name}
        </span>
        <span className={css.store}>
          <SideTile side="shopify" size="md" named />
          {pair.shopify.name}
        </span>
        {pair.isSandbox && (
          <span className={css.store}>
            <Tag>Sandbox</Tag>
          </span>
        )}
      </div>
      <div className={css.state}>
        {pair.openPlanId ? (
          <Status tone="running" small>
            A plan waits for you
          </Status>
        ) : pair.linkedAt ? (
          <Status tone="quiet" small>
            {`${plural(pair.counts.records, 'record')} linked, last sync ${pair.lastSyncAt ? formatAgo(pair.lastSyncAt, now) : 'never'}`}
          </Status>
        ) : (
          <Status tone="warn" small>
            Not linked yet: read the first plan
          </Status>
        )}
      </div>
      <div className={css.actions}>
        {pair.openPlanId && (
          <ButtonLink href={link.plan(pair.openPlanId)} look="primary" icon={<ArrowRight aria-hidden="true" />}>
            Read the plan
          </ButtonLink>
        )}
        <ReasonedButton
          look={pair.openPlanId ? 'default' : 'primary'}
          icon={<GitPullRequestArrow aria-hidden="true" />}
          reason={whyNoPlan}
          busy={makePlan.isPending}
          onClick={make}
        >
          Make a new plan
        </ReasonedButton>
      </div>
    </li>
  );
}

/** Which pair to look ahead for. */
export function PlansPage() {
  usePageTitle('Plan preview');
  const pairs = usePairs();
  return (
    <>
      <PageHead title="Plan preview">
        A plan reads both stores and says what a sync would write, field by field. Nothing is written until you apply
        it.
      </PageHead>
      <Card>
        <QueryView query={pairs} loading={<Skeleton type="list" count={2} />} failed="The pairs could not be read.">
          {({ pairs: list }) =>
            list.length === 0 ? (
              <EmptyShelf
                title="No pair to plan for"
                actions={
                  // There stands which step comes next: both stores may be connected already.
                  <ButtonLink href={link.overview()} look="primary">
                    Set up a pair
                  </ButtonLink>
                }
              >
                A pair joins one WooCommerce with one Shopify store.
              </EmptyShelf>
            ) : (
              <ul>
                {list.map((pair) => (
                  <PairPlan key={pair._id} pair={pair} />
                ))}
              </ul>
            )
          }
        </QueryView>
      </Card>
    </>
  );
}
