import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DemoActionBody, ShelfItem, ShelvesReply } from '../../src/contracts/demo.ts';
import { askAgain } from './ask-again.ts';
import { KEY } from './keys.ts';
import { useLiveStatus } from './live.ts';
import { call } from './request.ts';

export type { DemoActionBody, ShelfItem, ShelvesReply } from '../../src/contracts/demo.ts';

/** What is done in a sandbox shop is no event of ours until the engine sees it, and of a pair that stands still it never does: tabs tell each other. */
const CHANNEL = 'twinshelf-shelves';
/** While shelves are shown. One for both directions: a channel does not hear itself. */
let otherTabs: BroadcastChannel | null = null;

/** Without the live channel the shelves are looked at this often. */
const POLL_MS = 2_000;

/** Everything reads otherwise afterwards, also where it failed: somebody else may have done it meanwhile. */
function useDemoData<Reply>(call: () => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: call, onSettled: () => client.invalidateQueries() });
}

/** Adds sandbox stores to this workspace. */
export function useLoadDemoData() {
  return useDemoData(() => call('POST /api/demo/data'));
}

export function useRemoveDemoData() {
  return useDemoData(() => call('DELETE /api/demo/data'));
}

export function useShelves(isWanted: boolean) {
  const isLive = useLiveStatus() === 'connected';
  const client = useQueryClient();
  useEffect(() => {
    if (!isWanted) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => void askAgain(client, { queryKey: KEY.shelves });
    otherTabs = channel;
    return () => {
      otherTabs = null;
      channel.close();
    };
  }, [client, isWanted]);
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
      otherTabs?.postMessage(null);
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
