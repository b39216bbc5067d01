const LOCALE = typeof navigator === 'undefined' ? 'en' : navigator.language;
const shareFormat = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** What a division leaves of a whole tenth. */
const ROUNDING = 1e-9;

/** A part as per cent, never rounded up: one conflict among 3,000 records is not 100 %. */
export function formatShare(part: number, whole: number): string {
  return shareFormat.format(Math.floor((part * 1_000) / whole + ROUNDING) / 1_000);
}
