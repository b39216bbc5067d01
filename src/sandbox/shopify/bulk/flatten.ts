/**
 * A bulk result is flat: every connection row is a line of its own and names the row it hangs under in `__parentId`. A connection
 * inside a plain object (variant -> inventoryItem -> inventoryLevels) hangs under the nearest row, the variant.
 */
export function flattenRows(data: unknown, emit: (line: Record<string, unknown>, isRoot: boolean) => void): void {
  if (!isRecord(data)) return;
  for (const value of Object.values(data)) {
    if (isConnection(value)) for (const edge of value.edges) emitRow(edge, null, emit);
    else if (isRecord(value)) flattenRows(value, emit);
  }
}

interface ConnectionResult {
  readonly edges: readonly unknown[];
}

function emitRow(
  edge: unknown,
  parentId: string | null,
  emit: (line: Record<string, unknown>, isRoot: boolean) => void,
): void {
  const node = isRecord(edge) ? edge['node'] : null;
  if (!isRecord(node)) return;
  const children: unknown[] = [];
  const line = withoutConnections(node, children);
  if (parentId !== null) line['__parentId'] = parentId;
  emit(line, parentId === null);
  const id = typeof node['id'] === 'string' ? node['id'] : parentId;
  for (const child of children) emitRow(child, id, emit);
}

function withoutConnections(value: Record<string, unknown>, children: unknown[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (isConnection(inner)) children.push(...inner.edges);
    else copy[key] = isRecord(inner) ? withoutConnections(inner, children) : inner;
  }
  return copy;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isConnection(value: unknown): value is ConnectionResult {
  return isRecord(value) && Array.isArray(value['edges']);
}
