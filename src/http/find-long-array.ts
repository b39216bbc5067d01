/** Elements of an array in a body. Ten times what any contract takes: it says itself, and in its words, what is too much for it. */
export const ITEMS_MAX = 1_000;

/**
 * Where an array stands that no contract takes, as a JSON pointer; null: nowhere. A validator tells each of its elements apart before it says what is
 * wrong, and a body has room for a hundred thousand.
 */
export function findLongArray(value: unknown, path = ''): string | null {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return null;
  if (Array.isArray(value) && value.length > ITEMS_MAX) return path;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part !== 'object' || part === null) continue;
    const found = findLongArray(part, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
}
