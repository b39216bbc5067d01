import { useQuery } from '@tanstack/react-query';
import type { OverviewReply } from '../../src/contracts/dashboard.ts';
import { KEY } from './keys.ts';
import { request } from './request.ts';

export type { NeedsYou, OverviewReply } from '../../src/contracts/dashboard.ts';

export function useOverview() {
  return useQuery({
    queryKey: KEY.overview,
    queryFn: ({ signal }) => request<OverviewReply>('/dashboard/overview', { signal }),
  });
}
