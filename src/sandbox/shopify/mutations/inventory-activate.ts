import { userError } from '../graphql/api-error.ts';
import { parseGid } from '../store/ids.ts';
import { connectLevel, itemFingerprint, setQuantity } from '../store/product-writes.ts';
import { placeOf, QUANTITY_MAX } from './inventory-rules.ts';
import type { Mutation } from './run-mutation.ts';
import { applyItemFields, type ItemInput, itemFieldErrors } from './variant-input.ts';

interface ActivateArgs {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly available?: number | null;
  readonly onHand?: number | null;
}

export const inventoryActivate: Mutation = {
  needsIdempotencyKey: true,
  run(args: ActivateArgs, ctx) {
    const { item, location, level } = placeOf(ctx.store, args.inventoryItemId, args.locationId);
    const refuse = (field: string, message: string) => ({
      inventoryLevel: null,
      userErrors: [userError([field], message)],
    });
    if (!location?.isActive)
      return refuse('locationId', "The product couldn't be stocked because the location wasn't found.");
    if (!item)
      return refuse(
        'inventoryItemId',
        `The product couldn't be stocked at ${location.name} because the product was deleted.`,
      );
    const available = args.available ?? null;
    const onHand = args.onHand ?? null;
    if (available !== null && onHand !== null) {
      const message = `The product couldn't be stocked at ${location.name} because not allowed to set available and on_hand quantities at the same time.`;
      return { inventoryLevel: null, userErrors: [userError(['available'], message), userError(['onHand'], message)] };
    }
    if (level?.isActive && (available !== null || onHand !== null)) {
      const field = available === null ? 'onHand' : 'available';
      const name = available === null ? 'an on_hand' : 'available';
      return {
        inventoryLevel: level,
        userErrors: [
          userError([field], `Not allowed to set ${name} quantity when the item is already active at the location.`),
        ],
      };
    }
    if (Math.abs(onHand ?? available ?? 0) > QUANTITY_MAX) {
      return refuse(
        available === null ? 'onHand' : 'available',
        `The product couldn't be stocked at ${location.name} because the quantity needs to be between -1 billion and 1 billion.`,
      );
    }
    const active = connectLevel(ctx.store, item, location, ctx.now, ctx.changes);
    // `available` as a seed was ignored on a live store, `onHand` worked (facts, section 6): activate first, then set.
    if (onHand !== null) setQuantity(active, 'on_hand', onHand, ctx.changes);
    return { inventoryLevel: active, userErrors: [] };
  },
};

export const inventoryDeactivate: Mutation = {
  needsIdempotencyKey: true,
  run(args: { readonly inventoryLevelId: string }, ctx) {
    const itemId = Number(/inventory_item_id=(\d+)/.exec(args.inventoryLevelId)?.[1]);
    const levelId = parseGid(args.inventoryLevelId)?.id;
    const item = ctx.store.items.get(itemId);
    const level = item?.levels.find((candidate) => candidate.id === levelId);
    if (!item || !level)
      return { userErrors: [userError(null, "The product couldn't be unstocked because the product was deleted.")] };
    if (level.isActive && item.levels.filter((candidate) => candidate.isActive).length === 1) {
      return {
        userErrors: [
          userError(
            null,
            `The product couldn't be unstocked from ${level.location.name} because products need to be stocked at a minimum of 1 location.`,
          ),
        ],
      };
    }
    if (level.isActive) {
      level.isActive = false;
      ctx.changes.levelsDisconnected.add(level);
    }
    return { userErrors: [] };
  },
};

export const inventoryItemUpdate: Mutation = {
  run(args: { readonly id: string; readonly input: ItemInput }, ctx) {
    const item = ctx.store.items.get(parseGid(args.id)?.id ?? 0);
    if (!item || parseGid(args.id)?.kind !== 'InventoryItem') {
      return {
        inventoryItem: null,
        userErrors: [userError(['id'], "The product couldn't be updated because it does not exist.")],
      };
    }
    const userErrors = itemFieldErrors(args.input);
    if (userErrors.length > 0) return { inventoryItem: null, userErrors };
    const before = itemFingerprint(item);
    applyItemFields(ctx.store, item, args.input);
    if (before !== itemFingerprint(item)) {
      item.variant.updatedAt = ctx.now;
      ctx.changes.itemsUpdated.add(item);
    }
    return { inventoryItem: item, userErrors: [] };
  },
};
