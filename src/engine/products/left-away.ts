import type { Reconciliation } from '../../core/reconciliation.ts';
import { isOnSale } from '../../core/safety.ts';
import type { ProductRow } from '../../db/schema/product.ts';
import { SIDES, type Side } from '../../model/platform.ts';
import { sellsAlone } from '../stock/owes-stock.ts';
import { isNothing } from './left-out.ts';

/**
 * [G8][R10] Whether what is left as it is, since its other half was deleted, was to be put on sale before that, and is not yet (it was refused, or details
 * were off). Nobody wants that any more until the other half is back.
 */
export function isLeftAway(row: ProductRow, side: Side): boolean {
  return sellsAlone(row, side) && isOnSale(row.data.fields.status);
}

/** A decision without that. */
export function leaveAway(row: ProductRow, reconciliation: Reconciliation): Reconciliation {
  const side = SIDES.find((each) => isLeftAway({ ...row, data: reconciliation.hub }, each));
  const result = side === undefined ? undefined : reconciliation.sides[side];
  if (side === undefined || !result?.write || result.write.fields.status === undefined) return reconciliation;
  const { status: _, ...fields } = result.write.fields;
  const rest = { ...result.write, fields };
  const write = isNothing(rest) ? null : rest;
  return { ...reconciliation, sides: { ...reconciliation.sides, [side]: { ...result, write } } };
}
