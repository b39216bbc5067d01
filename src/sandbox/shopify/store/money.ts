/** Decimal text, never floats. */

/** "12.3" -> "12.30", rounded half up to cents. */
export function moneyText(value: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(value.trim());
  if (!match) throw new Error(`not money: ${value}`);
  const fraction = (match[3] ?? '').padEnd(3, '0');
  let cents = BigInt(match[2] ?? '0') * 100n + BigInt(fraction.slice(0, 2));
  if (fraction.charAt(2) >= '5') cents += 1n;
  return centsText(match[1] === '-' ? -cents : cents);
}

export function centsText(cents: bigint): string {
  const sign = cents < 0n ? '-' : '';
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function centsOf(money: string): bigint {
  return BigInt(moneyText(money).replace('.', ''));
}

/** MoneyV2.amount writes "10.0" where the Money scalar writes "10.00". */
export function amountText(money: string): string {
  return moneyText(money).replace(/(\.\d)0$/, '$1');
}

/** Null when fine, otherwise which bound was broken. */
export function moneyBound(value: string): 'negative' | 'too_high' | null {
  if (value.startsWith('-') && centsOf(value) < 0n) return 'negative';
  return (value.split('.')[0] ?? '').replace(/^0+/, '').length > 18 ? 'too_high' : null;
}
