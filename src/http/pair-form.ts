import type { PairSettingsBody } from '../contracts/pairs.ts';
import { PAIR_FIELDS_OF_STORE, type UpdateStoreBody } from '../contracts/stores.ts';
import type { PairId } from '../model/ids.ts';
import type { Direction, PairSettings } from '../model/pair.ts';

type Draft = { -readonly [K in keyof PairSettings]?: PairSettings[K] };

const NOT_COPIED = {
  orders: 'Orders are not copied by this version. Stock needs no orders: every sale travels as stock.',
  customers: 'Customers are not copied by this version.',
  images: 'Images are not copied by this version.',
} as const;

/** What a pair form says, in the model's words; `notices` names what was understood but can't be done by this version. */
export function settingsOf(body: PairSettingsBody): { settings: Partial<PairSettings>; notices: string[] } {
  const { syncDirection, syncOrders, syncCustomers, fieldMapping } = body;
  const settings: Draft = pickSettings(body);
  if (syncDirection !== undefined) settings.syncDirection = syncDirection.replaceAll('-', '_') as Direction;
  if (body.syncSchedule === undefined && body.autoSync !== undefined) {
    settings.syncSchedule = body.autoSync ? 'realtime' : 'manual';
  }
  if (body.syncInventory === undefined && fieldMapping?.syncInventory !== undefined) {
    settings.syncInventory = fieldMapping.syncInventory;
  }
  const notices: string[] = [];
  if (syncOrders === true || fieldMapping?.syncOrders === true) notices.push(NOT_COPIED.orders);
  if (syncCustomers === true) notices.push(NOT_COPIED.customers);
  if (fieldMapping?.syncImages === true) notices.push(NOT_COPIED.images);
  return { settings, notices };
}

/** A store's form may hold what a pair decides: where that belongs. `pairIds`: of the store. */
export function misplacedIn(body: UpdateStoreBody, pairIds: readonly PairId[]): string[] {
  const misplaced = PAIR_FIELDS_OF_STORE.filter((field) => body[field] !== undefined);
  if (misplaced.length === 0) return [];
  const where =
    pairIds.length === 0
      ? 'POST /api/pairs, which joins this store with another one'
      : pairIds.map((id) => `PATCH /api/pairs/${id}`).join(' or ');
  return [
    `Settings of a pair, not of a store: ${misplaced.join(', ')}. Nothing was changed by them. Send them to ${where}.`,
    ...(body.syncOrders === true ? [NOT_COPIED.orders] : []),
    ...(body.syncCustomers === true ? [NOT_COPIED.customers] : []),
  ];
}

const FIELDS = [
  'syncSchedule',
  'syncProducts',
  'syncPrices',
  'syncInventory',
  'stockTwoWay',
  'enforce',
  'conflictResolution',
  'preferredSide',
  'createOn',
  'deletePolicy',
  'stockBuffer',
  'stockCap',
  'shopifyLocationId',
  'linkRule',
  'stockLinkRule',
  'allowZeroStockLink',
  'syncInterval',
  'rateLimit',
  'retryAttempts',
  'enableLogging',
] as const satisfies readonly (keyof PairSettings & keyof PairSettingsBody)[];

/** Field by field: what else a body carries never reaches the pair. */
function pickSettings(body: PairSettingsBody): Draft {
  const given = FIELDS.filter((field) => body[field] !== undefined).map((field) => [field, body[field]]);
  return Object.fromEntries(given) as Draft;
}
