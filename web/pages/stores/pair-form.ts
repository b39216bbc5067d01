import type { Pair } from '../../api/pairs.ts';
import { formatNumber } from '../../hooks/format.ts';

type Settings = Pair['settings'];

/** Numbers are typed: whole, within these, as the contract of the API has them. */
export const BOUNDS = {
  rateLimit: { min: 100, max: 10_000 },
  stockBuffer: { min: 0, max: 1_000_000 },
  stockCap: { min: 0, max: 1_000_000_000 },
} as const;
type NumberName = keyof typeof BOUNDS;
const NUMBERS = Object.keys(BOUNDS) as readonly NumberName[];

/** The settings that the form has: of a Shopify shop's location there is nothing to choose here. */
export type SettingName = Exclude<keyof Settings, 'shopifyLocationId'>;

/** The settings of a pair as a form holds them: numbers as they were typed. */
export type PairForm = Readonly<Omit<Pick<Settings, SettingName>, NumberName> & Record<NumberName, string>>;

/** What holds for a new pair where nobody says anything. But one thing is not as the server has it: nothing is written over without a question, unless a person chose that. */
export const FIRST_FORM: PairForm = {
  syncDirection: 'bidirectional',
  syncSchedule: 'realtime',
  syncProducts: true,
  syncPrices: true,
  syncInventory: true,
  stockTwoWay: true,
  enforce: false,
  conflictResolution: 'manual',
  preferredSide: 'woocommerce',
  createOn: { woocommerce: true, shopify: true },
  deletePolicy: 'archive',
  stockBuffer: '0',
  stockCap: '',
  linkRule: 'woocommerce',
  stockLinkRule: 'smaller',
  allowZeroStockLink: false,
  syncInterval: 15,
  rateLimit: '1000',
  retryAttempts: 3,
  enableLogging: false,
};

export const SETTING_NAMES = Object.keys(FIRST_FORM) as readonly SettingName[];

export function formOf({ shopifyLocationId: _location, ...settings }: Settings): PairForm {
  const { rateLimit, stockBuffer, stockCap } = settings;
  return {
    ...settings,
    rateLimit: String(rateLimit),
    stockBuffer: String(stockBuffer),
    stockCap: stockCap === null ? '' : String(stockCap),
  };
}

/** What the form says, for the API. What can't be read stays as `before` has it: only a number that counts for nothing now gets here so. */
export function settingsOf(form: PairForm, before: PairForm): Pick<Settings, SettingName> {
  const numberOf = (name: NumberName): number => Number(complaintOf(name, form[name]) ? before[name] : form[name]);
  const isUncapped = (complaintOf('stockCap', form.stockCap) ? before : form).stockCap.trim() === '';
  return {
    ...form,
    rateLimit: numberOf('rateLimit'),
    stockBuffer: numberOf('stockBuffer'),
    stockCap: isUncapped ? null : numberOf('stockCap'),
  };
}

/** What is wrong with the numbers that were typed. What counts for nothing now (`idle`) can't be put right, and is not asked about. */
export function checkForm(
  form: PairForm,
  idle: { readonly [Name in SettingName]?: string },
): { readonly [Name in NumberName]?: string } {
  const found: { [Name in NumberName]?: string } = {};
  for (const name of NUMBERS) {
    const complaint = idle[name] === undefined ? complaintOf(name, form[name]) : null;
    if (complaint !== null) found[name] = complaint;
  }
  return found;
}

function complaintOf(name: NumberName, typed: string): string | null {
  const { min, max } = BOUNDS[name];
  const range = `${formatNumber(min)} to ${formatNumber(max)}`;
  const text = typed.trim();
  if (text === '') return name === 'stockCap' ? null : `Type a number: ${range}.`;
  if (/^[-−]\s?\d/.test(text)) return `Not below zero: ${range}.`;
  if (!/^\d+$/.test(text)) return `A whole number, in digits alone: ${range}.`;
  if (Number(text) < min) return `Too low: ${formatNumber(min)} at least.`;
  return Number(text) > max ? `Too high: ${formatNumber(max)} at most.` : null;
}
