import type { ConnectStoreBody, MoveStoreBody, RenewKeysBody } from '../../api/stores.ts';
import type { Side } from '../../components/side.ts';

const SHOPIFY_WAYS = ['token', 'client'] as const;
export type ShopifyWay = (typeof SHOPIFY_WAYS)[number];

export interface ConnectForm {
  readonly name: string;
  readonly url: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly shopDomain: string;
  readonly way: ShopifyWay;
  readonly accessToken: string;
  readonly apiSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export type ConnectErrors = Partial<Record<keyof ConnectForm, string>>;

export const EMPTY_CONNECT: ConnectForm = {
  name: '',
  url: '',
  consumerKey: '',
  consumerSecret: '',
  shopDomain: '',
  way: 'token',
  accessToken: '',
  apiSecret: '',
  clientId: '',
  clientSecret: '',
};

/** Pasted addresses come with spaces, admin paths and without a scheme. */
export function cleanUrl(text: string): string {
  const trimmed = text
    .trim()
    .replace(/\/wp-admin.*$/, '')
    .replace(/\/+$/, '');
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
}

export function cleanShopDomain(text: string): string {
  const host = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .toLowerCase();
  const fromAdmin = /^https?:\/\/admin\.shopify\.com\/store\/([a-z0-9-]+)/i.exec(text.trim());
  if (fromAdmin) return `${fromAdmin[1]}.myshopify.com`;
  return host !== '' && !/[.:]/.test(host) ? `${host}.myshopify.com` : host;
}

function missing(form: ConnectForm, names: Partial<Record<keyof ConnectForm, string>>): ConnectErrors {
  return Object.fromEntries(
    Object.entries(names).filter(([name]) => form[name as keyof ConnectForm].trim() === ''),
  ) as ConnectErrors;
}

const ADDRESS: Readonly<Record<Side, ConnectErrors>> = {
  woocommerce: { url: 'Enter the address of your site.' },
  shopify: { shopDomain: 'Enter the store domain, like northfold.myshopify.com.' },
};

export function checkForm(side: Side, form: ConnectForm): ConnectErrors {
  return { ...missing(form, { name: 'Give the store a name.', ...ADDRESS[side] }), ...checkKeys(side, form) };
}

/** Keys may be left out where the stored ones go on; of those that are typed none may be missing. */
export function checkMove(side: Side, form: ConnectForm): ConnectErrors {
  return { ...missing(form, ADDRESS[side]), ...(hasKeys(side, form) ? checkKeys(side, form) : {}) };
}

export function moveOf(side: Side, form: ConnectForm): MoveStoreBody {
  const keys = hasKeys(side, form) ? keysOf(side, form) : {};
  return side === 'woocommerce'
    ? { url: cleanUrl(form.url), ...keys }
    : { shopDomain: cleanShopDomain(form.shopDomain), ...keys };
}

function hasKeys(side: Side, form: ConnectForm): boolean {
  return Object.values(keysOf(side, form)).some((key) => key !== '');
}

export function checkKeys(side: Side, form: ConnectForm): ConnectErrors {
  if (side === 'woocommerce') {
    return missing(form, {
      consumerKey: 'Paste the consumer key. It begins with ck_.',
      consumerSecret: 'Paste the consumer secret. It begins with cs_.',
    });
  }
  return missing(
    form,
    form.way === 'token'
      ? { accessToken: 'Paste the Admin API access token. It begins with shpat_.' }
      : { clientId: 'Paste the client id of your app.', clientSecret: 'Paste the client secret of your app.' },
  );
}

export function bodyOf(side: Side, form: ConnectForm): ConnectStoreBody {
  const name = form.name.trim();
  const keys = keysOf(side, form);
  if (side === 'woocommerce') return { name, platform: side, url: cleanUrl(form.url), ...keys };
  return { name, platform: side, shopDomain: cleanShopDomain(form.shopDomain), ...keys };
}

export function keysOf(side: Side, form: ConnectForm): RenewKeysBody {
  if (side === 'woocommerce')
    return { consumerKey: form.consumerKey.trim(), consumerSecret: form.consumerSecret.trim() };
  if (form.way === 'client') return { clientId: form.clientId.trim(), clientSecret: form.clientSecret.trim() };
  const apiSecret = form.apiSecret.trim();
  return { accessToken: form.accessToken.trim(), ...(apiSecret === '' ? {} : { apiSecret }) };
}
