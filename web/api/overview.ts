import { useQuery } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import { askWhileOpen } from './problems.ts';
import { call } from './request.ts';

export type { NeedsYou, OverviewReply, UsageMeter } from '../../src/contracts/dashboard.ts';

export function useOverview() {
  return useQuery({
    queryKey: KEY.overview,
    queryFn: ({ signal }) => call('GET /api/dashboard/overview', { signal }),
    refetchInterval: ({ state: { data } }) => askWhileOpen(data?.needsYou.some(({ type }) => type === 'problems')),
  });
}
