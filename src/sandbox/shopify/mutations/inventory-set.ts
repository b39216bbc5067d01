import { invalidFieldArguments, type UserError, userError } from '../graphql/api-error.ts';
import { setQuantity } from '../store/product-writes.ts';
import { quantityOf } from '../store/store.ts';
import {
  adjustmentGroup,
  documentErrors,
  placeErrors,
  placeOf,
  QUANTITY_MAX,
  type QuantityChange,
  reasonErrors,
} from './inventory-rules.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

interface SetArgs {
  readonly input: {
    readonly name: string;
    readonly reason: string;
    readonly referenceDocumentUri?: string | null;
    readonly quantities: readonly SetRow[];
  };
}

interface SetRow {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly quantity: number;
  readonly changeFromQuantity?: number | null;
}

/** Compare-and-set of absolute quantities: all rows or none. */
export const inventorySetQuantities: Mutation = {
  needsIdempotencyKey: true,
  check(args: SetArgs) {
    // It must be written out, as a number or as null (no check).
    if (args.input.quantities.some((row) => row.changeFromQuantity === undefined)) {
      throw invalidFieldArguments('InventoryQuantityInput must include the following argument: changeFromQuantity.');
    }
  },
  isStale: (args: SetArgs, ctx) => staleErrors(args, ctx).length > 0,
  run(args: SetArgs, ctx) {
    const { input } = args;
    const userErrors = setErrors(args, ctx);
    if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors };
    const name = input.name === 'on_hand' ? 'on_hand' : 'available';
    const changed: QuantityChange[] = [];
    for (const row of input.quantities) {
      const { level } = placeOf(ctx.store, row.inventoryItemId, row.locationId);
      const delta = level ? setQuantity(level, name, row.quantity, ctx.changes) : 0;
      if (level && delta !== 0) changed.push({ name: 'available', delta, level }, { name: 'on_hand', delta, level });
    }
    const group = changed.length === 0 ? null : adjustmentGroup(ctx, input.reason, input.referenceDocumentUri, changed);
    return { inventoryAdjustmentGroup: group, userErrors: [] };
  },
};

function setErrors(args: SetArgs, ctx: MutationContext): UserError[] {
  const { input } = args;
  if (input.name !== 'available' && input.name !== 'on_hand') {
    return [userError(['input', 'name'], "The quantity name must be either 'available' or 'on_hand'.", 'INVALID_NAME')];
  }
  const errors = [...reasonErrors(input.reason), ...documentErrors(input.referenceDocumentUri)];
  const keyOf = (row: SetRow) => `${row.inventoryItemId}\u0000${row.locationId}`;
  const counts = new Map<string, number>();
  for (const row of input.quantities) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  for (const [index, row] of input.quantities.entries()) {
    const at = ['input', 'quantities', index];
    if ((counts.get(keyOf(row)) ?? 0) > 1) {
      errors.push(
        userError(
          [...at, 'locationId'],
          'The combination of inventoryItemId and locationId must be unique.',
          'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
        ),
      );
    }
    if (row.quantity > QUANTITY_MAX)
      errors.push(
        userError([...at, 'quantity'], "The quantity can't be higher than 1,000,000,000.", 'INVALID_QUANTITY_TOO_HIGH'),
      );
    else if (input.name === 'on_hand' && row.quantity < 0)
      errors.push(userError([...at, 'quantity'], "The quantity can't be negative.", 'INVALID_QUANTITY_NEGATIVE'));
    else if (row.quantity < -QUANTITY_MAX)
      errors.push(
        userError([...at, 'quantity'], "The quantity can't be lower than -1,000,000,000.", 'INVALID_QUANTITY_TOO_LOW'),
      );
    // The set mutation has no code of its own for "not stocked there"; INVALID_LOCATION is the nearest it knows.
    const place = placeErrors(placeOf(ctx.store, row.inventoryItemId, row.locationId), at);
    errors.push(
      ...place.map((error) =>
        error.code === 'ITEM_NOT_STOCKED_AT_LOCATION' ? { ...error, code: 'INVALID_LOCATION' } : error,
      ),
    );
  }
  return errors.length > 0 ? errors : staleErrors(args, ctx);
}

function staleErrors(args: SetArgs, ctx: MutationContext): UserError[] {
  return args.input.quantities.flatMap((row, index) => {
    if (row.changeFromQuantity === null || row.changeFromQuantity === undefined) return [];
    const { level } = placeOf(ctx.store, row.inventoryItemId, row.locationId);
    if (level && quantityOf(level, args.input.name) === row.changeFromQuantity) return [];
    return [
      userError(
        ['input', 'quantities', index, 'changeFromQuantity'],
        'The changeFromQuantity value does not match persisted value.',
        'CHANGE_FROM_QUANTITY_STALE',
      ),
    ];
  });
}
