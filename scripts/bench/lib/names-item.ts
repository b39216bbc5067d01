import type { Item } from './shelf.ts';

/** Whether a request to WooCommerce asks for this product or writes it, alone or among others. */
export function namesWooProduct(request: string, { wooId }: Item): boolean {
  const id = String(wooId);
  const [line = ''] = request.split('\r\n', 1);
  const { pathname, searchParams } = new URL(line.split(' ')[1] ?? '/', 'http://store');
  const included = [...searchParams]
    .filter(([name]) => name.startsWith('include'))
    .flatMap(([, ids]) => ids.split(','));
  return (
    pathname.split('/').includes(id) || included.includes(id) || new RegExp(`"id":${id}[,}]`).test(bodyOf(request))
  );
}

/** Whether a request to Shopify asks for this inventory item or writes it, alone or among others. */
export function namesShopifyItem(request: string, { inventoryItemId }: Item): boolean {
  return bodyOf(request).includes(`"${inventoryItemId}"`);
}

function bodyOf(request: string): string {
  const end = request.indexOf('\r\n\r\n');
  return end === -1 ? '' : request.slice(end + 4);
}
