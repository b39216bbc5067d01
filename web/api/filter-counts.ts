import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from './request.ts';

/** How far the counts may be behind the rows, which come one by one over the live channel. */
const BEHIND_MS = 5_000;

/** How many rows each filter of the activity lets through. `lastSeq`: the newest row of the list; null: its own counts are as new as its rows. */
export function useFilterCounts(lastSeq: number | null) {
  const isWanted = lastSeq !== null;
  const { data, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['activity_counts'],
    queryFn: ({ signal }) => call('GET /api/activity', { query: { limit: 1 }, signal }),
    enabled: isWanted,
  });
  const isBehind = isWanted && data !== undefined && data.lastSeq < lastSeq;
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => void refetch(), Math.max(0, dataUpdatedAt + BEHIND_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [isBehind, dataUpdatedAt, refetch]);
  return isWanted ? data?.filterCounts : undefined;
}
