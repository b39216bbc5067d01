import type { GraphQLResolveInfo } from 'graphql';
import { connectionPage } from '../graphql/connection.ts';
import type { RequestContext } from '../state.ts';
import { gidOf, idOfKind } from '../store/ids.ts';
import { amountText } from '../store/money.ts';
import type { ItemRecord, LevelRecord, LocationRecord } from '../store/records.ts';
import { LEVEL_SEARCH } from '../store/search-tables.ts';
import { levelAt, primaryLocation, quantityOf } from '../store/store.ts';
import { levelGid } from '../webhooks/payloads.ts';
import type { FieldMap } from './field-map.ts';
import { compileFor, exactCount, type ListArgs, sortedRows } from './lists.ts';
import { metafieldsOf } from './metafield-fields.ts';

interface LevelArgs extends ListArgs {
  readonly includeInactive?: boolean | null;
}

function levelsPage(rows: readonly LevelRecord[], args: LevelArgs, ctx: RequestContext, info: GraphQLResolveInfo) {
  const searched = args.query?.trim() ? compileFor(ctx, info, args.query, LEVEL_SEARCH) : null;
  const matches = (level: LevelRecord) =>
    (args.includeInactive === true || level.isActive) && (searched === null || searched(level));
  return connectionPage(ctx, args, { rows, idOf: (level) => level.id, matches });
}

function visibleLevel(level: LevelRecord | null, includeInactive: boolean | null | undefined): LevelRecord | null {
  return level && (level.isActive || includeInactive) ? level : null;
}

/** All levels of a location, by id; kept until the next change. */
function levelsAtLocation(ctx: RequestContext, location: LocationRecord): readonly LevelRecord[] {
  const { store } = ctx.state;
  const build = () => [...store.items.values()].flatMap((item) => levelAt(item, location.id) ?? []);
  return sortedRows(
    store,
    `levels:${location.id}`,
    build,
    (level) => level.id,
    (level) => level.id,
  );
}

export const INVENTORY_FIELDS: FieldMap = {
  InventoryItem: {
    id: (item: ItemRecord) => gidOf('InventoryItem', item.id),
    legacyResourceId: (item: ItemRecord) => item.id,
    variant: (item: ItemRecord) => item.variant,
    variants: (item: ItemRecord, args: ListArgs, ctx) =>
      connectionPage(ctx, args, { rows: [item.variant], idOf: (variant) => variant.id }),
    duplicateSkuCount: (item: ItemRecord, _args, ctx) =>
      item.sku === null ? 0 : Math.max(0, (ctx.state.store.itemsBySku.get(item.sku)?.length ?? 0) - 1),
    unitCost: (item: ItemRecord, _args, ctx) =>
      item.cost === null
        ? null
        : { type: 'MoneyV2', amount: amountText(item.cost), currencyCode: ctx.state.config.shop.currencyCode },
    measurement: (item: ItemRecord) => ({
      type: 'InventoryItemMeasurement',
      id: gidOf('InventoryItemMeasurement', item.id),
      weight: item.weight,
    }),
    locationsCount: (item: ItemRecord) => exactCount(item.levels.filter((level) => level.isActive).length),
    inventoryLevel: (item: ItemRecord, args: { locationId: string; includeInactive?: boolean | null }) =>
      visibleLevel(levelAt(item, idOfKind('Location', args.locationId)), args.includeInactive),
    inventoryLevels: (item: ItemRecord, args: LevelArgs, ctx, info) => levelsPage(item.levels, args, ctx, info),
  },
  InventoryLevel: {
    id: (level: LevelRecord) => levelGid(level),
    canDeactivate: (level: LevelRecord) => level.item.levels.filter((other) => other.isActive).length > 1,
    quantities: (level: LevelRecord, args: { names: readonly string[] }) =>
      args.names.flatMap((name) => {
        const quantity = quantityOf(level, name);
        if (quantity === null) return [];
        return [
          {
            type: 'InventoryQuantity',
            id: `${gidOf('InventoryQuantity', level.id)}?inventory_item_id=${level.item.id}&name=${name}`,
            name,
            quantity,
            updatedAt: level.updatedAt,
          },
        ];
      }),
  },
  InventoryAdjustmentGroup: {
    id: (group: { id: number }) => gidOf('InventoryAdjustmentGroup', group.id),
    changes: (
      group: { rows: readonly { name: string; item: ItemRecord; location: LocationRecord }[] },
      args: {
        inventoryItemIds?: readonly string[] | null;
        locationIds?: readonly string[] | null;
        quantityNames?: readonly string[] | null;
      },
    ) =>
      group.rows.filter(
        (row) =>
          (!args.inventoryItemIds || args.inventoryItemIds.includes(gidOf('InventoryItem', row.item.id))) &&
          (!args.locationIds || args.locationIds.includes(gidOf('Location', row.location.id))) &&
          (!args.quantityNames || args.quantityNames.includes(row.name)),
      ),
  },
  Location: {
    ...metafieldsOf((location: LocationRecord) => gidOf('Location', location.id)),
    id: (location: LocationRecord) => gidOf('Location', location.id),
    legacyResourceId: (location: LocationRecord) => location.id,
    isPrimary: (location: LocationRecord, _args, ctx) => primaryLocation(ctx.state.store) === location,
    fulfillsOnlineOrders: (location: LocationRecord) => location.isActive && !location.isFulfillmentService,
    shipsInventory: (location: LocationRecord) => location.isActive && !location.isFulfillmentService,
    hasActiveInventory: (location: LocationRecord, _args, ctx) =>
      levelsAtLocation(ctx, location).some((level) => level.isActive && level.quantities.available !== 0),
    address: (_location: LocationRecord, _args, ctx) => ({
      address1: null,
      address2: null,
      city: null,
      zip: null,
      provinceCode: ctx.state.config.shop.provinceCode,
      countryCode: ctx.state.config.shop.countryCode,
    }),
    fulfillmentService: (location: LocationRecord) =>
      location.isFulfillmentService
        ? { handle: 'sandbox-fulfillment', type: 'THIRD_PARTY', inventoryManagement: true }
        : null,
    inventoryLevel: (
      location: LocationRecord,
      args: { inventoryItemId: string; includeInactive?: boolean | null },
      ctx,
    ) => {
      const item = ctx.state.store.items.get(idOfKind('InventoryItem', args.inventoryItemId));
      return item ? visibleLevel(levelAt(item, location.id), args.includeInactive) : null;
    },
    inventoryLevels: (location: LocationRecord, args: LevelArgs, ctx, info) =>
      levelsPage(levelsAtLocation(ctx, location), args, ctx, info),
  },
};
