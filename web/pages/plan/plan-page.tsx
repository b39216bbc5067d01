import { useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { usePairs, usePausePair } from '../../api/pairs.ts';
import { type PlanWithItems, useApplyPlan, useDiscardPlan, useMakePlan, usePlan } from '../../api/plans.ts';
import { PageHead } from '../../components/page-head.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePageTitle } from '../../hooks/use-page-title.ts';
import { oneOf, useQueryState } from '../../hooks/use-query-state.ts';
import type { PageProps } from '../../lazy-page.tsx';
import { link } from '../../routes.ts';
import { tellFailure } from '../../tell-failure.ts';
import { PLAN_FILTER_ACTIONS } from './plan-filters.tsx';
import css from './plan-page.module.css';
import { PlanView } from './plan-view.tsx';

const TRAIL = [
  { href: link.overview(), label: 'Overview' },
  { href: link.plans(), label: 'Plans' },
];

export function PlanPage({ params }: PageProps) {
  usePageTitle('Plan preview');
  const id = params['id'] ?? '';
  const [query, setQuery] = useQueryState();
  const [, navigate] = useLocation();
  // By its id: the page stays while another plan takes the place of this one, as from the palette.
  const [staleId, setStaleId] = useState<string | null>(null);
  const filter = {
    action: oneOf(query.get('action'), PLAN_FILTER_ACTIONS) ?? undefined,
    side: oneOf(query.get('side'), ['woocommerce', 'shopify'] as const) ?? undefined,
    unlike: query.get('unlike') === null ? undefined : (true as const),
    q: query.get('q') ?? undefined,
  };
  const plan = usePlan(id, filter);
  const { data: pairs } = usePairs();
  const apply = useApplyPlan();
  const discard = useDiscardPlan();
  const makePlan = useMakePlan();
  const resume = usePausePair();
  const first = plan.data?.pages[0]?.plan;
  const pair = pairs?.pairs.find(({ _id }) => _id === first?.pairId) ?? null;

  const remake = async (pairId: string): Promise<void> => {
    try {
      const { plan: made } = await makePlan.mutateAsync(pairId);
      setStaleId(null);
      navigate(link.plan(made._id));
    } catch (error) {
      tellFailure('Could not make a new plan.')(error);
    }
  };

  const applyNow = async ({ _id, hash }: PlanWithItems): Promise<void> => {
    if (hash === null) return;
    try {
      const { run } = await apply.mutateAsync({ id: _id, hash });
      navigate(link.run(run._id));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'PLAN_HASH_MISMATCH') setStaleId(_id);
      else tellFailure('Could not apply the plan.')(error);
    }
  };

  const discardNow = async ({ _id }: PlanWithItems): Promise<void> => {
    try {
      await discard.mutateAsync(_id);
      navigate(link.plans());
    } catch (error) {
      tellFailure('Could not discard the plan.')(error);
    }
  };

  return (
    <QueryView
      query={plan}
      failed="The plan could not be read."
      head={<PageHead title="Plan preview" trail={TRAIL} />}
      loading={
        <>
          <PageHead title="Plan preview">{'\u00a0'}</PageHead>
          <div className={css.loading}>
            <Skeleton type="card" />
            <Skeleton type="card" />
          </div>
          <Skeleton type="list" />
        </>
      }
    >
      {({ pages }) => {
        const shown = pages[0]?.plan;
        if (!shown) return null;
        return (
          <PlanView
            plan={shown}
            items={pages.flatMap((page) => page.items)}
            pair={pair}
            isStale={staleId === shown._id}
            filter={filter}
            onFilter={setQuery}
            more={plan}
            isApplying={apply.isPending}
            isBusy={discard.isPending || makePlan.isPending || resume.isPending}
            onApply={() => void applyNow(shown)}
            onDiscard={() => void discardNow(shown)}
            onRemake={() => void remake(shown.pairId)}
            onResume={() =>
              void resume
                .mutateAsync({ id: shown.pairId, pause: false })
                .catch(tellFailure('Could not resume the pair.'))
            }
          />
        );
      }}
    </QueryView>
  );
}
