import type { ProductSnapshot } from '../../model/snapshot.ts';

/**
 * Shopify takes no two variants with the same values, not even for a moment: of variants that change places those in the way first step aside, to their
 * old values with this mark. It is read away, so that whoever looks between the two steps (or after a crash there) sees them where they were: nobody
 * takes it for a merchant's edit, and the write that did not land is sent again. Should it not be due any more, the next change of the product takes the
 * mark off.
 */
const MARK = ' (⇄)';

export function parkValue(value: string): string {
  return `${value}${MARK}`;
}

export function unparkValue(value: string): string {
  return value.endsWith(MARK) ? value.slice(0, -MARK.length) : value;
}

/** By variant id: the values as they stand in the shop, for variants that are parked. */
type Parked = Readonly<Record<string, readonly string[]>>;

/** What a snapshot keeps of that for the write; null where nothing is parked. */
export function parkedPassthrough(rows: readonly (readonly [string, readonly string[]])[]): { parked: Parked } | null {
  const parked = rows.filter(([, values]) => values.some((value) => unparkValue(value) !== value));
  return parked.length === 0 ? null : { parked: Object.fromEntries(parked) };
}

export function parkedOf(seen: ProductSnapshot): Parked {
  return (seen.passthrough as { parked?: Parked } | null)?.parked ?? {};
}
