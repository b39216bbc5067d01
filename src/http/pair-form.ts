import type { PairSettingsBody } from '../contracts/pairs.ts';
import type { Direction, PairSettings } from '../model/pair.ts';

type Draft = { -readonly [K in keyof PairSettings]?: PairSettings[K] };

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
  if (syncOrders === true || fieldMapping?.syncOrders === true) {
    notices.push('Orders are not copied by this version. Stock needs no orders: every sale travels as stock.');
  }
  if (syncCustomers === true) notices.push('Customers are not copied by this version.');
  if (fieldMapping?.syncImages === true) notices.push('Images are not copied by this version.');
  return { settings, notices };
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
