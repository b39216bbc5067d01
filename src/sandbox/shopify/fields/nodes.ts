import { invalidId, notSupported } from '../graphql/api-error.ts';
import type { RequestContext } from '../state.ts';
import { gidOf, parseGid } from '../store/ids.ts';

/** A global id -> its record; null when it is gone or never was. Kinds that are not kept here are refused, not answered null. */
export function findNode(ctx: RequestContext, gid: string): unknown {
  const parsed = parseGid(gid);
  if (!parsed) throw invalidId(gid);
  const { store } = ctx.state;
  const { id } = parsed;
  switch (parsed.kind) {
    case 'Product':
      return store.products.get(id) ?? null;
    case 'ProductVariant':
      return store.variants.get(id) ?? null;
    case 'InventoryItem':
      return store.items.get(id) ?? null;
    case 'InventoryLevel':
      return findLevel(ctx, gid);
    case 'Location':
      return store.locations.get(id) ?? null;
    case 'Collection':
      return store.collections.get(id) ?? null;
    case 'Publication':
      return store.publications.get(id) ?? null;
    case 'MediaImage':
      return store.media.get(id) ?? null;
    case 'MetafieldDefinition':
      return store.definitions.get(id) ?? null;
    case 'WebhookSubscription':
      return store.subscriptions.get(id) ?? null;
    case 'BulkOperation':
      return store.bulkOperations.get(id) ?? null;
    case 'ProductSetOperation':
      return store.productOperations.get(id) ?? null;
    case 'Order':
      return store.orders.get(id) ?? null;
    case 'Metafield': {
      for (const metafields of store.metafields.values()) {
        const found = metafields.find((metafield) => metafield.id === id);
        if (found) return found;
      }
      return null;
    }
    case 'ProductOption': {
      for (const product of store.products.values()) {
        const found = product.options.find((option) => option.id === id);
        if (found) return found;
      }
      return null;
    }
    default:
      throw notSupported(`Node of type ${parsed.kind}`);
  }
}

/** A level's id names its item: `gid://shopify/InventoryLevel/1?inventory_item_id=2`. */
export function findLevel(ctx: RequestContext, gid: string): unknown {
  const parsed = parseGid(gid);
  if (parsed?.kind !== 'InventoryLevel') throw invalidId(gid);
  const itemId = Number(/inventory_item_id=(\d+)/.exec(parsed.query ?? '')?.[1]);
  return ctx.state.store.items.get(itemId)?.levels.find((level) => level.id === parsed.id) ?? null;
}

/** The record behind a metafield's owner gid. */
export function ownerOf(ctx: RequestContext, ownerGid: string): unknown {
  if (parseGid(ownerGid)?.kind === 'Shop') return { type: 'Shop' };
  if (parseGid(ownerGid)?.kind === 'AppInstallation') return { type: 'AppInstallation' };
  return findNode(ctx, ownerGid);
}

export const SHOP_ID = 548_380_009;
export const shopGid = gidOf('Shop', SHOP_ID);
