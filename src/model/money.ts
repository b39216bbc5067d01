/** Currencies whose minor unit is not 1/100 (ISO 4217). */
const MINOR_DIGITS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};

/** Number of minor digits of an ISO 4217 currency (2 unless known otherwise). */
export function minorDigits(currency: string): number {
  return MINOR_DIGITS[currency.toUpperCase()] ?? 2;
}

/** Past this the amount is refused rather than rounded: 2^53 - 1. */
const MINOR_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * A plain decimal string ("12", "12.5", "-0.005") as integer minor units, rounded half away from zero to the currency's digits;
 * null when it is not a plain decimal (commas, spaces, exponents, '') or too large: never guessed.
 */
export function parseMinor(text: string, currency: string): number | null {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (!match) return null;
  const digits = minorDigits(currency);
  const fraction = match[3] ?? '';
  const kept = fraction.slice(0, digits).padEnd(digits, '0');
  let minor = BigInt(`${match[2] ?? '0'}${kept}`);
  if ((fraction.charCodeAt(digits) || 0) >= 53 /* '5' */) minor += 1n;
  if (minor > MINOR_MAX) return null;
  return match[1] === '-' && minor !== 0n ? -Number(minor) : Number(minor);
}

/** Integer minor units as a plain decimal string with exactly the currency's digits: 1250 USD -> "12.50", 1250 JPY -> "1250". */
export function formatMinor(minor: number, currency: string): string {
  const digits = minorDigits(currency);
  const sign = minor < 0 ? '-' : '';
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
