import { ConnectorError } from '../../model/connector-error.ts';
import type { StoreInfo, StoreUnits } from '../../model/store-info.ts';
import type { Clock } from '../../ports/clock.ts';
import { compareIds } from '../shared/exact-json.ts';
import { shareReading } from '../shared/share-reading.ts';
import { allLocations } from './all-locations.ts';
import type { ShopifyClient } from './client.ts';
import { gid, gidNumber, isGid } from './gid.ts';
import { OPERATIONS } from './operations.gen.ts';
import { WEIGHT_UNITS } from './weight.ts';
import { type LocationRow, ShopSetupAnswer, ShopUnitsAnswer } from './wire.ts';

/** What every read and write has to know of the shop. */
export interface StoreContext {
  readonly currency: string;
  /** Shopify's name of the unit that people see in this shop (KILOGRAMS, ...). */
  readonly weightUnit: string;
  /** The one mapped location. */
  readonly locationId: string;
  /** Start of the address of a product's admin page. */
  readonly adminProducts: string;
}

export interface StoreContextOptions {
  readonly client: ShopifyClient;
  readonly clock: Clock;
  readonly shopDomain: string;
  readonly origin: string;
  /** The mapped location as id or global id; null: the primary one. */
  readonly locationId: string | null;
  /** Spares the first question when the shop was read before. */
  readonly info: Pick<StoreInfo, 'currency' | 'weightUnit'> | null;
}

const WEIGHT_UNIT_NAMES: Readonly<Record<string, string>> = {
  kg: 'KILOGRAMS',
  g: 'GRAMS',
  lb: 'POUNDS',
  oz: 'OUNCES',
};

export interface StoreContextKeeper {
  /** Read on first use, by whoever comes first, and kept; a failure is not remembered. */
  context(signal?: AbortSignal): Promise<StoreContext>;
  /** Asks what the shop's numbers mean anew, and goes by it. */
  readUnits(since: number): Promise<StoreUnits>;
}

export function createStoreContext(options: StoreContextOptions): StoreContextKeeper {
  const { client, clock, info } = options;
  const mapped = options.locationId === null ? null : locationGid(options.locationId);
  const adminProducts = adminProductsUrl(options.shopDomain, options.origin);
  let known: StoreContext | null = null;
  let reading: Promise<StoreContext> | null = null;
  if (mapped !== null && info !== null) {
    const weightUnit = WEIGHT_UNIT_NAMES[info.weightUnit.toLowerCase()] ?? 'KILOGRAMS';
    known = { currency: info.currency, weightUnit, locationId: mapped, adminProducts };
  }

  async function read(): Promise<StoreContext> {
    const { shop, locations } = await client.call(OPERATIONS.shopSetup, {}, ShopSetupAnswer);
    const location = mapped ?? chooseLocation(await allLocations(client, locations))?.id;
    if (location === undefined) {
      throw new ConnectorError('rejected', 'this Shopify shop has no active stock location', { field: 'stock' });
    }
    known = { currency: shop.currencyCode, weightUnit: shop.weightUnit, locationId: location, adminProducts };
    return known;
  }

  const readUnits = shareReading(clock, async (): Promise<StoreUnits> => {
    const { shop } = await client.call(OPERATIONS.shopUnits, {}, ShopUnitsAnswer);
    if (known !== null) known = { ...known, currency: shop.currencyCode, weightUnit: shop.weightUnit };
    const { currencyCode: currency, taxesIncluded: pricesIncludeTax } = shop;
    return { currency, pricesIncludeTax, weightUnit: WEIGHT_UNITS[shop.weightUnit] ?? 'kg' };
  });

  return {
    readUnits,
    async context() {
      if (known !== null) return known;
      reading ??= read().finally(() => {
        reading = null;
      });
      return await reading;
    },
  };
}

/** What the shop's clock shows now, as far as its answers told. */
export function shopNow(client: Pick<ShopifyClient, 'observed'>, clock: Pick<Clock, 'now'>): number {
  return clock.now() + (client.observed().clockSkewMs ?? 0);
}

/** The primary location, or the active one that is oldest: what a shop with a single place means. */
export function chooseLocation(locations: readonly LocationRow[]): LocationRow | null {
  const active = locations.filter((location) => location.isActive);
  const byAge = [...active].sort((a, b) => compareIds(gidNumber(a.id), gidNumber(b.id)));
  return active.find((location) => location.isPrimary) ?? byAge[0] ?? null;
}

function adminProductsUrl(shopDomain: string, origin: string): string {
  const handle = /^([a-z0-9-]+)\.myshopify\.com$/.exec(shopDomain)?.[1];
  return handle === undefined ? `${origin}/admin/products` : `https://admin.shopify.com/store/${handle}/products`;
}

/**
 * [S12] Why nothing is known of the stock at the mapped location: it is switched off or gone, and whatever is kept there would read as sold out. Null:
 * it is there. `location`: as an answer that holds stock has it.
 */
export function whyUnread(location: { readonly isActive: boolean } | null): string | null {
  if (location?.isActive === true) return null;
  const state = location === null ? 'no longer exists in this shop' : 'is switched off';
  return `the Shopify stock location that this pair is linked with ${state}`;
}

/** Throws where nothing but stock was asked for. */
export function assertLocation(location: { readonly isActive: boolean } | null): asserts location {
  const reason = whyUnread(location);
  if (reason !== null) throw new ConnectorError('rejected', reason, { field: 'locationId' });
}

/** Accepts the plain number of an admin URL as well as the global id. */
export function locationGid(id: string): string {
  if (isGid(id, 'Location')) return id;
  if (/^\d+$/.test(id)) return gid('Location', id);
  throw new ConnectorError('rejected', 'the mapped location is not a Shopify location id', { field: 'locationId' });
}
