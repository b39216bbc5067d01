import { type UserError, userError } from '../graphql/api-error.ts';
import { idOfKind } from '../store/ids.ts';
import type { ItemRecord, LevelRecord, LocationRecord } from '../store/records.ts';
import { levelAt, type Store } from '../store/store.ts';
import type { MutationContext } from './run-mutation.ts';

/** Rules of facts, section 6, that the quantity mutations share. */

export const QUANTITY_MAX = 1_000_000_000;

const REASONS: readonly string[] = [
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_canceled',
  'movement_created',
  'movement_received',
  'movement_updated',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
];

export function reasonErrors(reason: string): UserError[] {
  return REASONS.includes(reason)
    ? []
    : [
        userError(
          ['input', 'reason'],
          `The specified reason is invalid. Valid values are: ${REASONS.join(', ')}.`,
          'INVALID_REASON',
        ),
      ];
}

export function documentErrors(uri: string | null | undefined): UserError[] {
  if (uri === null || uri === undefined) return [];
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/\S+$/.test(uri)
    ? []
    : [
        userError(
          ['input', 'referenceDocumentUri'],
          'The specified reference document is invalid.',
          'INVALID_REFERENCE_DOCUMENT',
        ),
      ];
}

export interface Place {
  readonly item: ItemRecord | null;
  readonly location: LocationRecord | null;
  /** Null also where the item is not stocked at the location. */
  readonly level: LevelRecord | null;
}

export function placeOf(store: Store, inventoryItemId: string, locationId: string): Place {
  const item = store.items.get(idOfKind('InventoryItem', inventoryItemId)) ?? null;
  const location = store.locations.get(idOfKind('Location', locationId)) ?? null;
  return { item, location, level: item && location ? levelAt(item, location.id) : null };
}

export function placeErrors(place: Place, field: readonly (string | number)[]): UserError[] {
  const errors: UserError[] = [];
  if (!place.item)
    errors.push(
      userError(
        [...field, 'inventoryItemId'],
        'The specified inventory item could not be found.',
        'INVALID_INVENTORY_ITEM',
      ),
    );
  if (!place.location?.isActive)
    errors.push(userError([...field, 'locationId'], 'The specified location could not be found.', 'INVALID_LOCATION'));
  else if (place.item && !place.level?.isActive) {
    errors.push(
      userError(
        [...field, 'locationId'],
        'The specified inventory item is not stocked at the location.',
        'ITEM_NOT_STOCKED_AT_LOCATION',
      ),
    );
  }
  return errors;
}

export interface QuantityChange {
  readonly name: string;
  readonly delta: number;
  readonly level: LevelRecord;
}

/** The answer to a quantity change. `quantityAfterChange` was null in every recording. */
export function adjustmentGroup(
  ctx: MutationContext,
  reason: string,
  referenceDocumentUri: string | null | undefined,
  changes: readonly QuantityChange[],
): Record<string, unknown> {
  const rows = changes.map(({ name, delta, level }) => ({
    name,
    delta,
    quantityAfterChange: null,
    item: level.item,
    location: level.location,
    ledgerDocumentUri: null,
  }));
  return {
    type: 'InventoryAdjustmentGroup',
    id: ctx.store.newId('InventoryAdjustmentGroup'),
    createdAt: ctx.now,
    reason,
    referenceDocumentUri: referenceDocumentUri ?? null,
    rows,
  };
}
