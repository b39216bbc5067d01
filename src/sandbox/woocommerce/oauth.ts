import { createHmac } from 'node:crypto';
import type { ApiKey } from './options.ts';
import { RestError } from './rest-error.ts';
import type { Site } from './site.ts';

const REQUIRED = ['oauth_consumer_key', 'oauth_timestamp', 'oauth_nonce', 'oauth_signature', 'oauth_signature_method'];
const HASHES: Readonly<Record<string, string>> = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' };
const TIME_WINDOW_S = 15 * 60;

export interface SignedCall {
  readonly method: string;
  /** As it came: path and query. */
  readonly url: string;
  readonly isHttps: boolean;
}

/**
 * The key of a request that is signed by OAuth 1.0a in its query, the only way in without TLS; null when it carries
 * nothing of OAuth. The refusals and their order are WooCommerce's.
 */
export function authenticateSigned(site: Site, call: SignedCall): ApiKey | null {
  const [path = '/', search = ''] = call.url.split(/\?(.*)/s);
  const sent = new URLSearchParams(search);
  const missing = REQUIRED.filter((name) => (sent.get(name) ?? '') === '');
  if (missing.length === REQUIRED.length) return null;
  if (missing.length > 0) {
    const words = `Missing OAuth parameter${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`;
    throw new RestError('woocommerce_rest_authentication_missing_parameter', words, 401);
  }
  const key = site.settings.keys.find((candidate) => candidate.key === sent.get('oauth_consumer_key'));
  if (!key) throw refuse('Consumer key is invalid.');
  const hash = HASHES[sent.get('oauth_signature_method') ?? ''];
  if (hash === undefined) throw refuse('Invalid signature - signature method is invalid.');
  const given = sent.get('oauth_signature')?.replaceAll(' ', '+');
  const expected = createHmac(hash, `${key.secret}&`)
    .update(baseString(site, call, path, sent))
    .digest('base64');
  if (given !== expected) throw refuse('Invalid signature - provided signature does not match.');
  const timestamp = Number(sent.get('oauth_timestamp'));
  if (!(Math.abs(site.nowS() - timestamp) <= TIME_WINDOW_S)) throw refuse('Invalid timestamp.');
  const nonce = `${key.key} ${sent.get('oauth_nonce')}`;
  if (site.nonces.has(nonce)) throw refuse('Invalid nonce - nonce has already been used.');
  for (const [old, at] of site.nonces) {
    if (site.nowS() - at <= TIME_WINDOW_S) break;
    site.nonces.delete(old);
  }
  site.nonces.set(nonce, timestamp);
  return key;
}

/** The address in it is the site's own, whatever it was asked by: home, then what comes after home's path, if anything. */
function baseString(site: Site, { method, isHttps }: SignedCall, path: string, sent: URLSearchParams): string {
  const home = site.url('');
  const homePath = `${new URL(home).pathname.replace(/\/$/, '')}/`;
  const rest = (path.startsWith(homePath) ? path.slice(homePath.length) : path).replace(/^\/+/, '');
  const address = rest === '' ? home : `${home}/${rest}`;
  const pairs = [...sent]
    .filter(([name]) => name !== 'oauth_signature')
    .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`)
    .sort();
  // The scheme alone is that of the request.
  const asked = address.replace(/^https?:/, isHttps ? 'https:' : 'http:');
  return [method, rfc3986(asked), rfc3986(pairs.join('&'))].join('&');
}

function rfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function refuse(message: string): RestError {
  return new RestError('woocommerce_rest_authentication_error', message, 401);
}
