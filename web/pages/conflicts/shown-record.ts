import type { ConflictedRecord } from './group-conflicts.ts';

/** What stands in the detail: a record, one that is still asked for, or that the wanted one has nothing to decide. */
export type Shown =
  | { readonly is: 'record'; readonly record: ConflictedRecord }
  | { readonly is: 'asking' }
  | { readonly is: 'settled' };

/**
 * The record that the address names, and never another in its place: a choice would be made for the wrong product. `asked` is what the server
 * knows of it where the list does not reach; undefined while it is being asked. Null: the list is empty and none is named.
 */
export function shownRecord(
  records: readonly ConflictedRecord[],
  wanted: string | null,
  asked: readonly ConflictedRecord[] | undefined,
): Shown | null {
  const of = (record: ConflictedRecord): Shown => ({ is: 'record', record });
  if (wanted === null) return records[0] ? of(records[0]) : null;
  const isWanted = ({ recordId }: ConflictedRecord): boolean => recordId === wanted;
  const listed = records.find(isWanted);
  if (listed) return of(listed);
  if (asked === undefined) return { is: 'asking' };
  const found = asked.find(isWanted);
  return found ? of(found) : { is: 'settled' };
}

/** Where a person goes on after a record: the next one, else the one before. Null: it was the last. */
export function recordAfter(records: readonly ConflictedRecord[], recordId: string): string | null {
  const at = records.findIndex((record) => record.recordId === recordId);
  if (at < 0) return records[0]?.recordId ?? null;
  return (records[at + 1] ?? records[at - 1])?.recordId ?? null;
}
