import { ConnectorError } from '../../model/connector-error.ts';

/**
 * What people paste, as the shop's permanent domain: "https://admin.shopify.com/store/x/products", "x.myshopify.com/admin" and "x" are all
 * "x.myshopify.com". With `allowLocal`, a loopback address with a port is taken as it is (a sandbox, over http). Throws `rejected` with words for
 * the form, field `shopDomain`.
 */
export function normaliseShopDomain(text: string, options: { readonly allowLocal?: boolean } = {}): string {
  const trimmed = text.trim().replace(/^['"<]+|['">]+$/g, '');
  if (trimmed === '') throw refused('Enter the shop’s address, for example my-shop.myshopify.com.');
  const bare = trimmed.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/@]*@/, '');
  const [host = '', ...path] = bare.split(/[/?#]/);
  const name = host.toLowerCase().replace(/\.+$/, '');

  if (isLocalHost(name)) {
    if (options.allowLocal === true) return name;
    throw refused('Addresses of this machine can only be used where the server allows local stores.');
  }
  if (name === 'admin.shopify.com') {
    const handle = (path[0] === 'store' ? path[1] : undefined)?.toLowerCase() ?? '';
    if (SHOP_HANDLE.test(handle)) return `${handle}.myshopify.com`;
    throw refused(
      'This admin address names no shop. Copy it again from a page of your shop’s admin: https://admin.shopify.com/store/my-shop.',
    );
  }
  if (name.endsWith('.myshopify.com')) {
    const handle = name.slice(0, -'.myshopify.com'.length);
    if (SHOP_HANDLE.test(handle)) return name;
    throw refused(
      `“${name}” is not a shop’s address: one word of letters, digits and hyphens stands before .myshopify.com.`,
    );
  }
  if (SHOP_HANDLE.test(name) && path.every((part) => part === '')) return `${name}.myshopify.com`;
  if (SHOP_HANDLE.test(name.split('.')[0] ?? '')) {
    throw refused(
      `“${name}” looks like the address that customers see. The permanent one ends in .myshopify.com: Shopify admin, Settings, Domains.`,
    );
  }
  throw refused(`“${trimmed.slice(0, 100)}” is not a shop’s address. It looks like my-shop.myshopify.com.`);
}

const SHOP_HANDLE = /^[a-z0-9][a-z0-9-]*$/;

/** Where the shop is called. Plain http only on this machine. */
export function shopOrigin(shopDomain: string): string {
  return `${isLocalHost(shopDomain) ? 'http' : 'https'}://${shopDomain}`;
}

export function isLocalHost(host: string): boolean {
  return /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\])(:\d{1,5})?$/.test(host);
}

function refused(message: string): ConnectorError {
  return new ConnectorError('rejected', message, { field: 'shopDomain' });
}
