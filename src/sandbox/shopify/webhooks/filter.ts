import { parseSearchQuery, type SearchNode } from '../store/search-query.ts';

/**
 * Webhook filters use search syntax over the payload, with dots into nested values. A field that the payload does not have never
 * matches, so nothing is ever delivered (facts, section 5).
 */
export function matchesFilter(filter: string | null, payload: unknown): boolean {
  if (filter === null || filter.trim() === '') return true;
  return matches(parseSearchQuery(filter), payload);
}

/** Every term must name its field. */
export function isUsableFilter(filter: string): boolean {
  const namesFields = (node: SearchNode): boolean => {
    if (node.kind === 'term') return node.field !== null;
    return node.kind === 'not' ? namesFields(node.item) : node.items.length > 0 && node.items.every(namesFields);
  };
  return namesFields(parseSearchQuery(filter));
}

function matches(node: SearchNode, payload: unknown): boolean {
  if (node.kind === 'not') return !matches(node.item, payload);
  if (node.kind !== 'term')
    return node.kind === 'and'
      ? node.items.every((item) => matches(item, payload))
      : node.items.some((item) => matches(item, payload));
  if (node.field === null) return false;
  return valuesAt(payload, node.field.split('.')).some((value) => {
    if (node.value === '*') return value !== null && value !== undefined;
    if (node.comparator === '=') {
      const text = String(value).toLowerCase();
      return node.isPrefix ? text.startsWith(node.value.toLowerCase()) : text === node.value.toLowerCase();
    }
    const isTime = typeof value === 'string' && Number.isNaN(Number(value));
    const left = isTime ? Date.parse(value) : Number(value);
    const right = isTime ? Date.parse(node.value) : Number(node.value);
    if (node.comparator === '>') return left > right;
    if (node.comparator === '>=') return left >= right;
    return node.comparator === '<' ? left < right : left <= right;
  });
}

function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [key, ...rest] = path;
  if (key === undefined) return [value];
  if (typeof value !== 'object' || value === null || !(key in value)) return [];
  return valuesAt((value as Record<string, unknown>)[key], rest);
}
