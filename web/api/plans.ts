import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PlanQuery } from '../../src/contracts/plans.ts';
import { KEY } from './keys.ts';
import type { LongList } from './long-lists.ts';
import { call } from './request.ts';

export type {
  Plan,
  PlanCounts,
  PlanItem,
  PlannedField,
  PlannedStock,
  PlanWithItems,
} from '../../src/contracts/plans.ts';

export interface PlanFilter {
  readonly action: PlanQuery['action'] | undefined;
  readonly side: PlanQuery['side'] | undefined;
  readonly unlike: true | undefined;
  readonly q: string | undefined;
}

export const PLAN_PAGE_SIZE = 100;
/** While a plan is being made it is looked at this often, besides what the live channel says. */
const PLANNING_POLL_MS = 700;

/** A plan with the items that `filter` lets through, page by page. */
export function usePlan(id: string, filter: PlanFilter) {
  return useInfiniteQuery({
    queryKey: KEY.plan(id, filter),
    initialPageParam: '',
    // A plan stays as it was made: of what a run that applies it moves, its own status alone is shown here.
    meta: { list: { rows: 'items', id: 'seq', grows: true } satisfies LongList },
    queryFn: async ({ pageParam, signal }) => {
      const { plan } = await call('GET /api/plans/{id}', {
        params: { id },
        query: { ...filter, cursor: pageParam, limit: PLAN_PAGE_SIZE },
        signal,
      });
      return { plan, items: plan.items };
    },
    getNextPageParam: ({ plan }) => plan.nextCursor ?? undefined,
    // Other filters of this plan only: the items of another plan would be a lie.
    placeholderData: (known, before) => (before?.queryKey[1] === id ? known : undefined),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.plan.status === 'planning' ? PLANNING_POLL_MS : false),
  });
}

export function useMakePlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (pairId: string) => call('POST /api/pairs/{id}/plan', { params: { id: pairId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: KEY.pairs }),
  });
}

export function useApplyPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, hash }: { readonly id: string; readonly hash: string }) =>
      call('POST /api/plans/{id}/apply', { params: { id }, body: { hash } }),
    onSettled: () =>
      Promise.all([KEY.plans, KEY.pairs, KEY.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export function useDiscardPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('POST /api/plans/{id}/discard', { params: { id } }),
    onSettled: () =>
      Promise.all([KEY.plans, KEY.pairs, KEY.overview].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
