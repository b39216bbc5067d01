/**
 * `work` on every item, at most `width` at a time; results in the order of the items. The first failure is thrown
 * after what is under way has ended.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failure: { readonly error: unknown } | null = null;
  const lane = async () => {
    while (next < items.length && failure === null) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  const failed = failure as { readonly error: unknown } | null;
  if (failed) throw failed.error;
  return results;
}

/** `items` in runs of at most `size`. */
export function chunked<T>(items: readonly T[], size: number): T[][] {
  const runs: T[][] = [];
  for (let at = 0; at < items.length; at += size) runs.push(items.slice(at, at + size));
  return runs;
}
