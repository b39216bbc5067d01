import { ConnectorError } from '../../model/connector-error.ts';

/**
 * Where a variant's stock lives: `p:<product>` of a simple product, `v:<parent>:<variation>`: variations are written
 * through their parent.
 */
export type StockAddress =
  | { readonly kind: 'product'; readonly id: string }
  | { readonly kind: 'variation'; readonly id: string; readonly parentId: string };

export function productStockId(id: string): string {
  return `p:${id}`;
}

export function variationStockId(parentId: string, id: string): string {
  return `v:${parentId}:${id}`;
}

/** Throws `rejected` for text that is no stock id of ours. */
export function parseStockId(stockId: string): StockAddress {
  const match = /^(?:p:([1-9]\d*)|v:([1-9]\d*):([1-9]\d*))$/.exec(stockId);
  if (match?.[1]) return { kind: 'product', id: match[1] };
  if (match?.[2] && match[3]) return { kind: 'variation', parentId: match[2], id: match[3] };
  throw new ConnectorError('rejected', `"${stockId.slice(0, 60)}" is not a stock id of WooCommerce`, {
    field: 'stock',
  });
}
