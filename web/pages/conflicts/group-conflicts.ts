import type { Conflict } from '../../api/conflicts.ts';

export interface ConflictedRecord {
  readonly recordId: string;
  readonly title: string;
  readonly sku: string;
  readonly openedAt: string;
  readonly conflicts: readonly Conflict[];
}

/** A person decides about a thing, not about rows: the conflicts of one record stand together, oldest first. */
export function groupByRecord(conflicts: readonly Conflict[]): ConflictedRecord[] {
  const groups = new Map<string, Conflict[]>();
  for (const conflict of conflicts) {
    const known = groups.get(conflict.recordId);
    if (known) known.push(conflict);
    else groups.set(conflict.recordId, [conflict]);
  }
  return [...groups.values()].flatMap((list) => {
    const sorted = list.toSorted((a, b) => a.openedAt.localeCompare(b.openedAt));
    const [first] = sorted;
    if (!first) return [];
    return [
      {
        recordId: first.recordId,
        title: first.recordTitle,
        sku: first.sku,
        openedAt: first.openedAt,
        conflicts: sorted,
      },
    ];
  });
}
