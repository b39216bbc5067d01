import type { Conflict } from '../../api/conflicts.ts';
import type { NotResolved } from '../../api/resolve-in-portions.ts';
import { fieldName } from '../../components/field-value.ts';
import { otherSide, SIDE_NAME, type Side } from '../../components/side.ts';
import { plural } from '../../hooks/format.ts';
import { deleteFate, isDelete } from './delete-words.ts';

export interface BulkEffect {
  /** "WooCommerce wins in 12 conflicts of 9 records." */
  readonly summary: string;
  /** How many values the other store gets, field by field, most first. */
  readonly fields: readonly string[];
  /** What becomes of products that one store deleted. */
  readonly deletes: readonly string[];
}

function countBy<T>(items: readonly T[], nameOf: (item: T) => string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}

/** "12 conflicts of 9 records" */
export function amountOf(conflicts: readonly Conflict[]): string {
  const records = new Set(conflicts.map(({ recordId }) => recordId)).size;
  return `${plural(conflicts.length, 'conflict')} of ${plural(records, 'record')}`;
}

/** What keeping all values of one side does, before it is done. */
export function bulkEffect(conflicts: readonly Conflict[], side: Side): BulkEffect {
  const deletes = conflicts.filter(isDelete);
  const values = conflicts.filter((conflict) => !isDelete(conflict));
  return {
    summary: `${SIDE_NAME[side]} wins in ${amountOf(conflicts)}.`,
    fields: countBy(values, ({ field }) => fieldName(field)).map(
      ([name, count]) => `${name}: ${plural(count, 'value')}`,
    ),
    deletes: [side, otherSide(side)].flatMap((deletedIn) => {
      const count = deletes.filter((conflict) => conflict.side === deletedIn).length;
      if (count === 0) return [];
      return [
        `${plural(count, 'product')} that ${SIDE_NAME[deletedIn]} deleted: ${deleteFate(deletedIn, side, count)}.`,
      ];
    }),
  };
}

export interface Reason {
  readonly why: string;
  readonly conflicts: readonly Conflict[];
}

/** What was not resolved, by the reason, most first. */
export function reasonsOf(list: readonly NotResolved[]): readonly Reason[] {
  return countBy(list, ({ why }) => why).map(([why]) => ({
    why,
    conflicts: list.filter((one) => one.why === why).map(({ conflict }) => conflict),
  }));
}
