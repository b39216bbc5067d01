import { ConnectorError } from '../../model/connector-error.ts';
import { barcodesOf } from './check-version.ts';
import type { WooClient } from './client.ts';
import { isWooWeightUnit, type WooWeightUnit } from './weight.ts';
import { wire } from './wire.ts';

/** The settings of a store that its numbers can't be read without. */
export interface StoreFacts {
  /** Without a trailing slash. */
  readonly siteUrl: string;
  /** ISO 4217, upper case. */
  readonly currency: string;
  readonly priceDecimals: number;
  readonly weightUnit: WooWeightUnit;
  /** Products have a field for barcodes; else we keep them in a meta entry of our own. */
  readonly hasBarcodes: boolean;
  /** Products and variations are found by them. */
  readonly findsBarcodes: boolean;
}

/** The store's unit of weight as we call it. */
export function unitOf({ weightUnit }: StoreFacts): string {
  return weightUnit === 'lbs' ? 'lb' : weightUnit;
}

export type Settings = ReadonlyMap<string, unknown>;

/** One group of settings by id. The lists of choices (every currency, every country) are left out: they are 120 kB. */
export async function readSettings(
  client: WooClient,
  group: 'general' | 'products' | 'tax',
  signal?: AbortSignal,
): Promise<Settings> {
  const { data } = await client.get(`/settings/${group}`, { query: { _fields: 'id,value' }, signal });
  if (!Array.isArray(data))
    throw new ConnectorError('malformed', 'the WooCommerce store answered with something other than settings');
  return new Map((data as unknown[]).flatMap((one) => (wire.setting.Check(one) ? [[one.id, one.value] as const] : [])));
}

/** Throws `malformed` when a setting that numbers depend on is missing: a price is never read in a guessed currency. */
export function factsOf(siteUrl: string, general: Settings, products: Settings, version: string): StoreFacts {
  const currency = general.get('woocommerce_currency');
  if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) {
    throw new ConnectorError('malformed', 'the WooCommerce store does not say which currency it has');
  }
  const weightUnit = products.get('woocommerce_weight_unit');
  if (typeof weightUnit !== 'string' || !isWooWeightUnit(weightUnit)) {
    throw new ConnectorError('malformed', 'the WooCommerce store does not say in which unit it weighs');
  }
  const decimals = Number(general.get('woocommerce_price_num_decimals') ?? 2);
  const priceDecimals = Number.isInteger(decimals) && decimals >= 0 && decimals <= 6 ? decimals : 2;
  return { siteUrl, currency: currency.toUpperCase(), priceDecimals, weightUnit, ...barcodesOf(version) };
}

/** `version` as it was last read; '' when it never was. */
export async function readStoreFacts(client: WooClient, siteUrl: string, version: string): Promise<StoreFacts> {
  const general = await readSettings(client, 'general');
  return factsOf(siteUrl, general, await readSettings(client, 'products'), version);
}
