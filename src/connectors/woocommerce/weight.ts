/** Units as WooCommerce names them. */
export const WOO_WEIGHT_UNITS = ['kg', 'g', 'lbs', 'oz'] as const;
export type WooWeightUnit = (typeof WOO_WEIGHT_UNITS)[number];

/** Nanograms in one unit: a pound is exactly 453.59237 g, an ounce a sixteenth of it. */
const NANOGRAMS: Readonly<Record<WooWeightUnit, bigint>> = {
  kg: 1_000_000_000_000n,
  g: 1_000_000_000n,
  lbs: 453_592_370_000n,
  oz: 28_349_523_125n,
};
const NANOGRAMS_IN_MG = 1_000_000n;
const WEIGHT_DECIMALS_MAX = 9;

/**
 * Integer milligrams, rounded half up; null for no weight ('' and 0 are the same to WooCommerce) and for what is no
 * decimal.
 */
export function importWeight(text: string, unit: WooWeightUnit): number | null {
  const match = /^(\d{1,9})(?:\.(\d*))?$|^\.(\d+)$/.exec(text.trim());
  if (!match) return null;
  const fraction = (match[2] ?? match[3] ?? '').slice(0, WEIGHT_DECIMALS_MAX);
  const scale = 10n ** BigInt(fraction.length);
  const units = BigInt(`${match[1] ?? '0'}${fraction}`);
  const nanograms = units * NANOGRAMS[unit];
  const mg = (nanograms * 2n + scale * NANOGRAMS_IN_MG) / (scale * NANOGRAMS_IN_MG * 2n);
  return mg === 0n || mg > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(mg);
}

/** The shortest decimal in `unit` that reads back as exactly `mg`; '' for none. */
export function exportWeight(mg: number | null, unit: WooWeightUnit): string {
  if (mg === null || mg <= 0) return '';
  const nanograms = BigInt(Math.round(mg)) * NANOGRAMS_IN_MG;
  for (let decimals = 0; decimals < WEIGHT_DECIMALS_MAX; decimals += 1) {
    const scale = 10n ** BigInt(decimals);
    const rounded = (nanograms * scale * 2n + NANOGRAMS[unit]) / (NANOGRAMS[unit] * 2n);
    const text = decimalText(rounded, decimals);
    if (importWeight(text, unit) === Math.round(mg)) return text;
  }
  return decimalText((nanograms * 10n ** BigInt(WEIGHT_DECIMALS_MAX)) / NANOGRAMS[unit], WEIGHT_DECIMALS_MAX);
}

export function isWooWeightUnit(text: string): text is WooWeightUnit {
  return (WOO_WEIGHT_UNITS as readonly string[]).includes(text);
}

function decimalText(scaled: bigint, decimals: number): string {
  if (decimals === 0) return String(scaled);
  const text = String(scaled).padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}
