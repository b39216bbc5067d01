import { SIDE_NAME, type Side } from '../../components/side.ts';
import type { PairForm, SettingName } from './pair-form.ts';

const STOCK_OFF = 'Stock is not kept the same now: this counts once it is.';
const FIELDS_OFF = 'Neither products nor prices are kept the same now: this counts once they are.';
const PRODUCTS_OFF = 'Products are not kept the same now: this counts once they are.';

/** The two sides of a one-way pair; null: both lead. */
export function sidesOf({ syncDirection }: Pick<PairForm, 'syncDirection'>) {
  if (syncDirection === 'bidirectional') return null;
  const isFromWoo = syncDirection === 'woocommerce_to_shopify';
  return isFromWoo
    ? ({ source: 'woocommerce', target: 'shopify' } as const)
    : ({ source: 'shopify', target: 'woocommerce' } as const);
}

/** Settings that are a tick. */
export type TickName = 'stockTwoWay' | 'enforce' | 'allowZeroStockLink';

/** Whether a tick is shown as set: what holds, where what is stored has no effect. */
export function shownTick(form: PairForm, idle: ReturnType<typeof idleSettings>, name: TickName): boolean {
  if (idle[name] === undefined) return form[name];
  // Of two stores that both lead either one's sales count; everything else that a tick allows is not done.
  return name === 'stockTwoWay' && form.syncInventory;
}

/** The same of where new products are made. */
export function isMadeOn(form: PairForm, idle: ReturnType<typeof idleSettings>, side: Side): boolean {
  return idle.createOn === undefined && side !== sidesOf(form)?.source && form.createOn[side];
}

/** Which settings have no effect beside the others that are chosen, and why, in words. */
export function idleSettings(form: PairForm): { readonly [Name in SettingName]?: string } {
  const sides = sidesOf(form);
  const source = sides === null ? null : SIDE_NAME[sides.source];
  const idle: { [Name in SettingName]?: string } = {};
  if (form.syncSchedule !== 'realtime') idle.syncInterval = 'Counts only where the schedule is real time.';
  if (source !== null) {
    idle.conflictResolution = `Counts only where both stores lead: here ${source} does.`;
    idle.linkRule = `Counts only where both stores lead: what ${source} has is taken.`;
    idle.preferredSide = `Counts only where both stores lead: here ${source} does.`;
  } else {
    const isOrderAsked = form.conflictResolution === 'newest' || form.conflictResolution === 'oldest';
    if (!isOrderAsked && form.linkRule !== 'fill_blanks')
      idle.preferredSide = 'Counts only where the newer or older change wins, or only blanks are filled.';
    if (!form.syncProducts && !form.syncPrices)
      for (const name of ['conflictResolution', 'linkRule', 'preferredSide'] as const) idle[name] = FIELDS_OFF;
    idle.stockTwoWay = 'Both stores lead, so stock goes both ways.';
    idle.enforce = 'Both stores lead, so what is changed in either counts.';
  }
  if (source !== null && !form.stockTwoWay)
    idle.stockLinkRule = `Stock goes one way: the number of ${source} is taken.`;
  if (source !== null && !form.syncProducts && !form.syncPrices && (!form.syncInventory || form.stockTwoWay))
    idle.enforce = 'Nothing goes one way now: details and prices are not kept the same.';
  if (!form.syncProducts) {
    idle.createOn = PRODUCTS_OFF;
    idle.deletePolicy = PRODUCTS_OFF;
  }
  if (!form.syncInventory)
    for (const name of ['stockBuffer', 'stockCap', 'stockTwoWay', 'stockLinkRule', 'allowZeroStockLink'] as const)
      idle[name] = STOCK_OFF;
  return idle;
}
