import type { FieldError } from '../contracts/errors.ts';
import type { ConnectStoreBody, MoveStoreBody, RenewKeysBody } from '../contracts/stores.ts';
import type { StoreCredentials } from '../engine/context.ts';
import { AppError, invalidField } from './app-error.ts';

/** The connect form of one platform; what is missing is named, field by field. */
export function credentialsOf(body: ConnectStoreBody): { name: string; credentials: StoreCredentials } {
  const missing: FieldError[] = [];
  const need = (field: keyof ConnectStoreBody, what: string): string => {
    const value = body[field]?.trim() ?? '';
    if (value === '') missing.push({ field, message: `${field} is missing: ${what}` });
    return value;
  };
  refuseMixedUp(body);
  const name = need('name', 'give the store a name that you will recognise');
  const credentials =
    body.platform === 'woocommerce'
      ? {
          platform: body.platform,
          url: need('url', 'the address of your store, such as https://shop.example.com'),
          consumerKey: need('consumerKey', 'WooCommerce, Settings, Advanced, REST API (it begins with ck_)'),
          consumerSecret: need('consumerSecret', 'it is shown once, beside the consumer key (it begins with cs_)'),
        }
      : {
          platform: body.platform,
          shopDomain: need('shopDomain', 'the domain of your store, such as example.myshopify.com'),
          auth: shopifyAuth(body, need),
        };
  const first = missing[0];
  if (first !== undefined) throw new AppError('VALIDATION', first.message, { fields: missing });
  return { name, credentials };
}

/** What a key begins with says what it is: a mix-up is told by its field, for the store would only say that it knows no such key. */
const MIXED_UP = [
  ['consumerKey', 'cs_', 'this is the consumer secret; the key begins with ck_'],
  ['consumerSecret', 'ck_', 'this is the consumer key; the secret begins with cs_'],
  ['accessToken', 'shpss_', "this is the app's API secret; the access token begins with shpat_"],
  ['accessToken', 'ck_', 'this is a key of WooCommerce; the access token begins with shpat_'],
  ['apiSecret', 'shpat_', 'this is the access token; the API secret begins with shpss_'],
] as const;

function refuseMixedUp(body: ConnectStoreBody): void {
  const fields = MIXED_UP.filter(([field, start]) => body[field]?.trim().startsWith(start)).map(([field, , words]) => ({
    field,
    message: `${field}: ${words}`,
  }));
  const [first] = fields;
  if (first !== undefined) throw new AppError('VALIDATION', first.message, { fields });
}

/** New keys of a store whose name and address stay. */
export function keysOf(
  store: { readonly name: string; readonly platform: ConnectStoreBody['platform']; readonly address: string },
  body: RenewKeysBody,
): StoreCredentials {
  const { name, platform, address } = store;
  return credentialsOf({ ...body, name, platform, url: address, shopDomain: address }).credentials;
}

/** Where a store is now, as it was typed, and the keys to go with it: null, the stored ones, when none was typed. */
export function moveOf(
  store: Parameters<typeof keysOf>[0],
  body: MoveStoreBody,
): { readonly address: string; readonly credentials: StoreCredentials | null } {
  const field = store.platform === 'woocommerce' ? 'url' : 'shopDomain';
  const address = body[field]?.trim() ?? '';
  if (address === '') throw invalidField(field, `${field} is missing: the address that the store has now`);
  const { url: _url, shopDomain: _domain, ...keys } = body;
  const isTyped = Object.values(keys).some((key) => key.trim() !== '');
  return { address, credentials: isTyped ? keysOf({ ...store, address }, keys) : null };
}

function shopifyAuth(
  body: ConnectStoreBody,
  need: (field: keyof ConnectStoreBody, what: string) => string,
): Extract<StoreCredentials, { platform: 'shopify' }>['auth'] {
  const isClient = (body.clientId ?? '') !== '' || (body.clientSecret ?? '') !== '';
  if (isClient && (body.accessToken ?? '') === '') {
    return {
      type: 'client_credentials',
      clientId: need('clientId', "your app's Client ID, in the Dev Dashboard under Settings"),
      clientSecret: need('clientSecret', "your app's Client secret, in the Dev Dashboard under Settings"),
    };
  }
  const accessToken = need(
    'accessToken',
    'an Admin API access token (it begins with shpat_), or use clientId and clientSecret',
  );
  const apiSecret = body.apiSecret?.trim() ?? '';
  return { type: 'token', accessToken, ...(apiSecret === '' ? {} : { apiSecret }) };
}
