import type { HttpRequest } from '../../../connectors/shared/transport.ts';
import type { Side } from '../../../model/platform.ts';

/** `stock`: sets numbers of records that exist · `product`: makes or changes records · `none`: changes nothing of the catalogue. */
export type WriteKind = 'none' | 'stock' | 'product';

export interface WooStockWrite {
  readonly stockId: string;
  readonly to: number;
  readonly key: string;
}

interface WooItem {
  readonly id?: number | string;
  readonly stock_quantity?: number;
  readonly meta_data?: readonly { readonly key: string; readonly value: unknown }[];
}

/** What a request of ours would change, told from its bytes alone. */
export function writeKindOf(side: Side, request: HttpRequest): WriteKind {
  const body = String(request.body ?? '');
  if (side === 'shopify') {
    const name = /"query":"mutation ([A-Za-z]+)/.exec(body)?.[1] ?? '';
    if (name === 'StockSet' || name === 'StockActivate') return 'stock';
    return /^(?:Product|Variants|MarksSet|Publish)/.test(name) ? 'product' : 'none';
  }
  if (request.method === 'GET' || body === '{}' || !/\/products(?:\/|\?|$)/.test(request.url)) return 'none';
  if (/\/products\/(?:tags|attributes|categories)/.test(request.url)) return 'none';
  const items = itemsOf(request);
  return items.length > 0 && items.every(isStockOnly) ? 'stock' : 'product';
}

function isStockOnly(item: WooItem): boolean {
  return Object.keys(item).every((key) => key === 'id' || key === 'stock_quantity' || key === 'meta_data');
}

function itemsOf(request: HttpRequest): readonly WooItem[] {
  const { pathname } = new URL(request.url);
  const body = JSON.parse(String(request.body ?? 'null')) as (WooItem & { update?: readonly WooItem[] }) | null;
  if (body === null) return [];
  if (pathname.endsWith('/batch')) return 'create' in body ? [] : (body.update ?? []);
  return [body];
}

/** Stock numbers that a request sets in WooCommerce, which sets them blindly. */
export function wooStockWrites(request: HttpRequest): readonly WooStockWrite[] {
  if (writeKindOf('woocommerce', request) !== 'stock') return [];
  const parent = /\/products\/(\d+)\/variations/.exec(request.url)?.[1];
  return itemsOf(request).flatMap(({ id, stock_quantity: to, meta_data }) => {
    if (id === undefined || to === undefined) return [];
    const key = meta_data?.find((entry) => entry.key === '_twinshelf_stock')?.value;
    const stockId = parent === undefined ? `p:${id}` : `v:${parent}:${id}`;
    return [{ stockId, to, key: typeof key === 'string' ? key : '' }];
  });
}
