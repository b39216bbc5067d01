import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DemoActionBody, ShelfItem, ShelvesReply } from '../../src/contracts/demo.ts';
import { KEY } from './keys.ts';
import { useLiveStatus } from './live.ts';
import { call } from './request.ts';

export type { DemoActionBody, ShelfItem, ShelvesReply } from '../../src/contracts/demo.ts';

/** Without the live channel the shelves are looked at this often. */
const POLL_MS = 2_000;

export function useShelves(isWanted: boolean) {
  const isLive = useLiveStatus() === 'connected';
  return useQuery({
    queryKey: KEY.shelves,
    queryFn: ({ signal }) => call('GET /api/demo/shelves', { signal }),
    enabled: isWanted,
    refetchInterval: isLive ? false : POLL_MS,
    staleTime: 0,
  });
}

/** Does something in a sandbox shop. The shop's own answer is shown at once: it is what that shop now says, not a guess. */
export function useDemoAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: DemoActionBody) => call('POST /api/demo/actions', { body }),
    onSuccess: async ({ side, item }) => {
      await client.cancelQueries({ queryKey: KEY.shelves });
      client.setQueryData<ShelvesReply>(KEY.shelves, (shelves) => {
        if (!shelves) return shelves;
        const replace = (other: ShelfItem): ShelfItem => (other.sku === item.sku ? item : other);
        return { ...shelves, [side]: { ...shelves[side], items: shelves[side].items.map(replace) } };
      });
      await client.invalidateQueries({ queryKey: KEY.shelves });
    },
  });
}
