import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import { call } from './request.ts';
import { useSend } from './use-send.ts';

export type { BackupView as Backup } from './client.gen.ts';

const LOOK_AGAIN_MS = 2_000;
/** Longer than a copy takes. Where a proxy in between waits less, the list says that it is still being made. */
const MAKE_LIMIT_MS = 15 * 60_000;

/** For administrators of the instance only. */
export function useBackups() {
  return useQuery({
    queryKey: KEY.backups,
    queryFn: ({ signal }) => call('GET /api/instance/backups', { signal }),
    // The server makes one by itself, without a word on the live channel.
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.isMaking ? LOOK_AGAIN_MS : false),
  });
}

/** Answered when the copy is whole: seconds, minutes where the database is large. */
export function useMakeBackup() {
  const client = useQueryClient();
  return useSend({
    mutationFn: async () => {
      try {
        return await call('POST /api/instance/backups', { limitMs: MAKE_LIMIT_MS });
      } finally {
        void client.invalidateQueries({ queryKey: KEY.backups });
      }
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: KEY.instanceLog() }),
  });
}
