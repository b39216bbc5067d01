import { ConnectorError } from '../../model/connector-error.ts';
import { type SearchKey, searchKeys } from '../../model/search-key.ts';
import type { Bin, BinRecord, ProductCreate } from '../../ports/connector.ts';
import type { MemoryPlatform } from './platform.ts';

/** What lies in the bin and keeps its SKUs, where the platform has each once. */
export function listBin({ shelf, personality }: MemoryPlatform): Bin {
  const bin = new Map<SearchKey, BinRecord>();
  if (!personality.uniqueSkus) return bin;
  for (const product of shelf.products.values()) {
    if (!product.isTrashed) continue;
    for (const { fields } of product.variants)
      for (const key of searchKeys({ sku: fields.sku, barcode: '' }))
        bin.set(key, { externalId: product.id, title: product.fields.title });
  }
  return bin;
}

export function keptByBin({ variants }: ProductCreate, bin: Bin | undefined): ConnectorError | null {
  for (const { fields } of variants) {
    const [record] = searchKeys({ sku: fields.sku, barcode: '' }).flatMap((key) => bin?.get(key) ?? []);
    if (record !== undefined)
      return new ConnectorError('rejected', `The SKU is kept by "${record.title}" in the bin.`, {
        field: 'sku',
        conflictingId: record.externalId,
      });
  }
  return null;
}
