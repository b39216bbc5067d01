import { invalidFieldArguments, type UserError, userError } from '../graphql/api-error.ts';
import { shiftQuantity } from '../store/product-writes.ts';
import type { StoredQuantityName } from '../store/records.ts';
import { quantityOf } from '../store/store.ts';
import {
  adjustmentGroup,
  documentErrors,
  placeErrors,
  placeOf,
  type QuantityChange,
  reasonErrors,
} from './inventory-rules.ts';
import type { Mutation, MutationContext } from './run-mutation.ts';

const NAMES: readonly string[] = ['available', 'damaged', 'incoming', 'quality_control', 'reserved', 'safety_stock'];
const DELTA_MAX = 2_000_000_000;

interface AdjustArgs {
  readonly input: {
    readonly name: string;
    readonly reason: string;
    readonly referenceDocumentUri?: string | null;
    readonly changes: readonly AdjustRow[];
  };
}

interface AdjustRow {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly delta: number;
  readonly ledgerDocumentUri?: string | null;
  readonly changeFromQuantity?: number | null;
}

/** Relative changes: all rows or none. */
export const inventoryAdjustQuantities: Mutation = {
  needsIdempotencyKey: true,
  check(args: AdjustArgs) {
    if (args.input.changes.some((row) => row.changeFromQuantity === undefined)) {
      throw invalidFieldArguments('InventoryChangeInput must include the following argument: changeFromQuantity.');
    }
  },
  isStale: (args: AdjustArgs, ctx) => staleErrors(args, ctx).length > 0,
  run(args: AdjustArgs, ctx) {
    const { input } = args;
    const userErrors = adjustErrors(args, ctx);
    if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors };
    const changed: QuantityChange[] = [];
    for (const row of input.changes) {
      const { level } = placeOf(ctx.store, row.inventoryItemId, row.locationId);
      if (!level || row.delta === 0) continue;
      shiftQuantity(level, input.name as StoredQuantityName, row.delta, ctx.changes);
      changed.push({ name: input.name, delta: row.delta, level });
      if (input.name !== 'incoming') changed.push({ name: 'on_hand', delta: row.delta, level });
    }
    const group = changed.length === 0 ? null : adjustmentGroup(ctx, input.reason, input.referenceDocumentUri, changed);
    return { inventoryAdjustmentGroup: group, userErrors: [] };
  },
};

function adjustErrors(args: AdjustArgs, ctx: MutationContext): UserError[] {
  const { input } = args;
  const errors: UserError[] = [];
  if (!NAMES.includes(input.name)) {
    errors.push(
      userError(
        ['input', 'name'],
        `The specified quantity name is invalid. Valid values are: ${NAMES.join(', ')}.`,
        'INVALID_QUANTITY_NAME',
      ),
    );
  }
  errors.push(...reasonErrors(input.reason), ...documentErrors(input.referenceDocumentUri));
  for (const [index, row] of input.changes.entries()) {
    const at = ['input', 'changes', index];
    const ledger = row.ledgerDocumentUri ?? null;
    if (input.name === 'available' && ledger !== null) {
      errors.push(
        userError(
          [...at, 'ledgerDocumentUri'],
          'A ledger document URI is not allowed when adjusting available.',
          'INVALID_AVAILABLE_DOCUMENT',
        ),
      );
    }
    if (input.name !== 'available' && ledger === null) {
      errors.push(
        userError(
          [...at, 'ledgerDocumentUri'],
          'A ledger document URI is required except when adjusting available.',
          'INVALID_QUANTITY_DOCUMENT',
        ),
      );
    }
    if (ledger?.startsWith('gid://shopify/')) {
      errors.push(
        userError(
          [...at, 'ledgerDocumentUri'],
          'Internal (gid://shopify/) ledger documents are not allowed to be adjusted via API.',
          'INTERNAL_LEDGER_DOCUMENT',
        ),
      );
    }
    if (row.delta > DELTA_MAX)
      errors.push(
        userError([...at, 'delta'], "The quantity can't be higher than 2,000,000,000.", 'INVALID_QUANTITY_TOO_HIGH'),
      );
    if (row.delta < -DELTA_MAX)
      errors.push(
        userError([...at, 'delta'], "The quantity can't be lower than -2,000,000,000.", 'INVALID_QUANTITY_TOO_LOW'),
      );
    const place = placeErrors(placeOf(ctx.store, row.inventoryItemId, row.locationId), at);
    errors.push(
      ...place.map((error) =>
        error.code === 'ITEM_NOT_STOCKED_AT_LOCATION' ? { ...error, code: 'ADJUST_QUANTITIES_FAILED' } : error,
      ),
    );
  }
  if (new Set(input.changes.map((row) => row.ledgerDocumentUri ?? null)).size > 1) {
    errors.push(
      userError(
        ['input', 'changes'],
        'All changes must have the same ledger document URI or, in the case of adjusting available, no ledger document URI.',
        'MAX_ONE_LEDGER_DOCUMENT',
      ),
    );
  }
  return errors.length > 0 ? errors : staleErrors(args, ctx);
}

function staleErrors(args: AdjustArgs, ctx: MutationContext): UserError[] {
  return args.input.changes.flatMap((row, index) => {
    if (row.changeFromQuantity === null || row.changeFromQuantity === undefined) return [];
    const { level } = placeOf(ctx.store, row.inventoryItemId, row.locationId);
    if (level && quantityOf(level, args.input.name) === row.changeFromQuantity) return [];
    return [
      userError(
        ['input', 'changes', index, 'changeFromQuantity'],
        'The changeFromQuantity argument no longer matches the persisted quantity.',
        'CHANGE_FROM_QUANTITY_STALE',
      ),
    ];
  });
}
