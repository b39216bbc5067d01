import { useInfiniteQuery } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import { call, callForText } from './request.ts';
import { useSend } from './use-send.ts';

export type { AuditView as AuditEntry } from '../../src/contracts/account.ts';

const PAGE_SIZE = 50;

/** Who did what in the workspace, newest first, page by page. For administrators only. */
export function useAudit(isWanted: boolean) {
  return useInfiniteQuery({
    queryKey: KEY.audit,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/workspace/audit', { query: { cursor: pageParam, limit: PAGE_SIZE }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: isWanted,
    // Whatever is done anywhere else is done here, too.
    staleTime: 0,
  });
}

/** All of it, one JSON object a line. */
export function useExportAudit() {
  return useSend({
    tried: 'The log could not be exported.',
    mutationFn: () => callForText('GET /api/workspace/audit/export'),
  });
}
