import { useQuery } from '@tanstack/react-query';
import { KEY } from './keys.ts';
import { call } from './request.ts';

/** The conflicts of one record, for an address that names one which the list does not hold. */
export function useRecordConflicts(recordId: string | null, state: 'open' | 'closed') {
  return useQuery({
    queryKey: KEY.conflicts({ state, recordId }),
    queryFn: ({ signal }) =>
      call('GET /api/conflicts', { query: { state, recordId: recordId ?? '', limit: 200 }, signal }),
    enabled: recordId !== null,
  });
}
