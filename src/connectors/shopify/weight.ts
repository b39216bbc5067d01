/** Milligrams in one of Shopify's units; pound and ounce are exact by definition. */
const MG_PER_UNIT: Readonly<Record<string, number>> = {
  GRAMS: 1_000,
  KILOGRAMS: 1_000_000,
  OUNCES: 28_349.523125,
  POUNDS: 453_592.37,
};

/** The units as we call them. */
export const WEIGHT_UNITS: Readonly<Record<string, string>> = {
  KILOGRAMS: 'kg',
  GRAMS: 'g',
  POUNDS: 'lb',
  OUNCES: 'oz',
};

/** Digits that people read in a weight; what needs more is written in grams instead. */
const DIGITS_MAX = 4;

export interface WireWeight {
  readonly unit: string;
  readonly value: number;
}

/** Integer milligrams; null for 0, which Shopify also has where nobody entered a weight, and for a unit that we don't know. */
export function weightToMg(weight: WireWeight | null | undefined): number | null {
  const factor = weight ? MG_PER_UNIT[weight.unit] : undefined;
  if (!weight || factor === undefined || !Number.isFinite(weight.value)) return null;
  const mg = Math.round(weight.value * factor);
  return mg > 0 ? mg : null;
}

/** In the shop's own unit where that reads back as the very same milligrams, else in grams. */
export function weightFromMg(weightMg: number | null, shopUnit: string): WireWeight {
  const unit = shopUnit in MG_PER_UNIT ? shopUnit : 'GRAMS';
  if (weightMg === null || weightMg <= 0) return { unit, value: 0 };
  const value = Number((weightMg / (MG_PER_UNIT[unit] ?? 1)).toFixed(DIGITS_MAX));
  if (weightToMg({ unit, value }) === weightMg) return { unit, value };
  return { unit: 'GRAMS', value: weightMg / 1_000 };
}
