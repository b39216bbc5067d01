import { useState } from 'react';
import type { Conflict, useConflicts } from '../../api/conflicts.ts';
import { type ConflictedRecord, groupByRecord } from './group-conflicts.ts';

/** So many pages are read for "all": a choice of more would be looked at by nobody, and moved before its turn. */
const PAGES_MAX = 10;

/** The records that are chosen for one decision about all their conflicts. `filter`: another list begins with none. */
export function useChosen(
  conflicts: ReturnType<typeof useConflicts>,
  records: readonly ConflictedRecord[],
  filter: string,
) {
  const [known, setKnown] = useState<{ readonly filter: string; readonly ids: ReadonlySet<string> }>({
    filter,
    ids: new Set(),
  });
  const [isReading, setReading] = useState(false);
  const ids = known.filter === filter ? known.ids : new Set<string>();
  const setIds = (next: Iterable<string>): void => setKnown({ filter, ids: new Set(next) });
  const chosen = records.filter(({ recordId }) => ids.has(recordId));
  const open: readonly Conflict[] = chosen.flatMap((record) =>
    record.conflicts.filter(({ state }) => state === 'open'),
  );
  const isAllOfLoaded = chosen.length > 0 && chosen.length === records.length;
  const pages = conflicts.data?.pages.length ?? 0;

  const chooseAll = async (): Promise<void> => {
    setReading(true);
    try {
      let list = { data: conflicts.data, hasNextPage: conflicts.hasNextPage };
      while (list.hasNextPage && (list.data?.pages.length ?? 0) < PAGES_MAX) {
        const next = await conflicts.fetchNextPage();
        if (next.isError) break;
        list = next;
      }
      setIds(groupByRecord(list.data?.pages.flatMap((page) => page.conflicts) ?? []).map(({ recordId }) => recordId));
    } finally {
      setReading(false);
    }
  };

  return {
    ids,
    conflicts: open,
    isReading,
    isAll: isAllOfLoaded && !conflicts.hasNextPage,
    isCut: isAllOfLoaded && conflicts.hasNextPage && pages >= PAGES_MAX,
    toggle: (recordId: string): void =>
      setIds(ids.has(recordId) ? [...ids].filter((id) => id !== recordId) : [...ids, recordId]),
    chooseAll: (isWanted: boolean): void => {
      if (isWanted) void chooseAll();
      else setIds([]);
    },
    clear: (): void => setIds([]),
  };
}
