import { ConnectorError } from '../../model/connector-error.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { Bin, BinRecord, ProductCreate } from '../../ports/connector.ts';
import { isVariable } from './assemble.ts';
import type { WooContext } from './context.ts';
import { listById } from './listing.ts';
import { decodeText } from './text.ts';
import { parentRef } from './variations.ts';

/** Variable products whose variations are read as well: each costs requests of its own, and a bin may hold thousands. */
const PARENTS_MAX = 100;
const FIELDS = 'id,name,type,status,sku,variations';

/** What lies in the bin, by the SKUs that it has: a hundred products a call, and the variations of the first that have some. */
export async function listBin(context: WooContext, signal?: AbortSignal): Promise<Bin> {
  const bin = new Map<SearchKey, BinRecord>();
  let parentCount = 0;
  const { client, pageSize } = context;
  const query = { status: 'trash', _fields: FIELDS };
  for await (const { items } of listById(client, { path: '/products', query, pageSize, signal })) {
    const variable = items.flatMap(({ id, raw }) => (isVariable(raw) ? [parentRef(id, raw)] : []));
    const parents = variable.slice(0, Math.max(0, PARENTS_MAX - parentCount));
    parentCount += parents.length;
    const variations = await context.variations.read(parents, signal);
    for (const { id, raw } of items) {
      const record = { externalId: id, title: textOf(raw, 'name') };
      const parts = variations.get(id) ?? [];
      for (const own of [raw, ...(parts instanceof ConnectorError ? [] : parts)])
        for (const key of searchKeys({ sku: textOf(own, 'sku'), barcode: '' })) bin.set(key, record);
    }
  }
  return bin;
}

/** What is in the bin keeps its SKU from new products. New variations get theirs all the same. */
export function keptByBin({ fields, variants }: ProductCreate, bin: Bin): ConnectorError | null {
  const [only] = variants;
  if (fields.optionNames.length > 0 || only === undefined) return null;
  const [key] = searchKeys({ sku: only.fields.sku, barcode: '' });
  const record = key === undefined ? undefined : bin.get(key);
  if (record === undefined) return null;
  const words = `its SKU ${only.fields.sku} belongs to “${record.title}”, which lies in the bin. Take that out of the bin, or delete it there for good`;
  return new ConnectorError('rejected', words, { field: 'sku', conflictingId: record.externalId });
}

function textOf(raw: unknown, name: 'name' | 'sku'): string {
  const value = (raw as Record<string, unknown> | null)?.[name];
  // Plugins hand out SKUs as numbers.
  return typeof value === 'string' || typeof value === 'number' ? decodeText(String(value)) : '';
}
