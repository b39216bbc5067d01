import { createHmac } from 'node:crypto';

export interface OauthInput {
  readonly method: string;
  /** Without a query. */
  readonly url: string;
  readonly query: readonly (readonly [string, string])[];
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly nonce: string;
  readonly timestampS: number;
}

/**
 * The query of an OAuth 1.0a "one-legged" request: the only authentication that WooCommerce accepts without TLS. The
 * secret itself never travels. Bodies are not part of the signature in WooCommerce.
 */
export function signOauth(input: OauthInput): (readonly [string, string])[] {
  const parameters: (readonly [string, string])[] = [
    ...input.query,
    ['oauth_consumer_key', input.consumerKey],
    ['oauth_nonce', input.nonce],
    ['oauth_signature_method', 'HMAC-SHA256'],
    ['oauth_timestamp', String(input.timestampS)],
  ];
  const joined = parameters
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const base = `${input.method.toUpperCase()}&${encode(input.url)}&${encode(joined)}`;
  const signature = createHmac('sha256', `${input.consumerSecret}&`).update(base).digest('base64');
  return [...parameters, ['oauth_signature', signature]];
}

/** RFC 3986, which `encodeURIComponent` isn't quite. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
