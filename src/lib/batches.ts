/** The list in pieces, in order: each of at most `countMax` entries that weigh `weightMax` together at most, or a single one that weighs more. */
export function batches<T>(
  list: readonly T[],
  weigh: (entry: T) => number,
  { countMax, weightMax }: { readonly countMax: number; readonly weightMax: number },
): readonly (readonly T[])[] {
  const result: T[][] = [];
  let current: T[] = [];
  let weight = 0;
  for (const entry of list) {
    const own = weigh(entry);
    if (current.length > 0 && (current.length >= countMax || weight + own > weightMax)) {
      result.push(current);
      current = [];
      weight = 0;
    }
    current.push(entry);
    weight += own;
  }
  if (current.length > 0) result.push(current);
  return result;
}
