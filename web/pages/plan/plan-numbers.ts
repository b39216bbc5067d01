import type { PlanCounts, PlanItem } from '../../api/plans.ts';
import type { DiffKind } from '../../components/diff-glyph.tsx';
import type { Side } from '../../components/side.ts';
import { plural } from '../../hooks/format.ts';

/** Writes that applying a plan makes on one side. */
export function writesOn(counts: PlanCounts, side: Side): number {
  const { create, update, archive, stock } = counts[side];
  return create + update + archive + stock;
}

export function writesOf(counts: PlanCounts): number {
  return writesOn(counts, 'woocommerce') + writesOn(counts, 'shopify');
}

/** Sides that an item writes to, left first. */
export function targetsOf(item: PlanItem): readonly Side[] {
  if (item.action === 'ambiguous' || item.action === 'skip' || item.action === 'none') return [];
  const sides: readonly Side[] = ['woocommerce', 'shopify'];
  return sides.filter(
    (side) =>
      item.side === side ||
      item.fields.some((field) => field.side === side) ||
      (item.side === null &&
        item.stock.some((line) => line.result !== null && line[side] !== line.result && (line.only ?? side) === side)),
  );
}

/** How an item is marked: by what it does to the side that is written. */
export function kindOf(item: PlanItem): DiffKind {
  switch (item.action) {
    case 'create':
      return 'add';
    case 'link':
      return targetsOf(item).length === 0 ? 'link' : 'mod';
    case 'update':
      if (targetsOf(item).length > 0) return 'mod';
      return item.conflicts > 0 ? 'ask' : 'none';
    case 'archive':
      return 'del';
    case 'ambiguous':
      return 'ask';
    default:
      return 'none';
  }
}

const MATCHED_BY: Readonly<Record<string, string>> = {
  mark: 'Matched by our mark',
  barcode: 'Matched by barcode',
  sku: 'Matched by SKU',
  handle: 'Matched by web address and options',
  linked: 'Already linked',
  title: 'The same title in both stores',
};

/** Why an item is in the plan, in words. */
export function reasonOf(item: PlanItem): string {
  if (item.action === 'create')
    return item.side === 'shopify' ? 'Only exists on WooCommerce' : 'Only exists on Shopify';
  const matched = MATCHED_BY[item.reason] ?? `${item.reason.charAt(0).toUpperCase()}${item.reason.slice(1)}`;
  const { conflicts } = item;
  return conflicts === 0
    ? matched
    : `${matched}, ${plural(conflicts, 'field')} ${conflicts === 1 ? 'waits' : 'wait'} for you`;
}

/** What an item comes to that writes nothing. */
export function restWords({ action }: PlanItem): string {
  return action === 'link' ? 'Link only' : 'Nothing is written';
}
