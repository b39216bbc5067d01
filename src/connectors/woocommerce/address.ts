import { parseUrl } from '../shared/parse-url.ts';
import type { AuthMode, Query } from './client.ts';
import { signOauth } from './oauth.ts';

export interface AddressParts {
  readonly method: string;
  /** As `normaliseStoreUrl` gives it. */
  readonly url: string;
  /** Below the REST root: "/wc/v3/products". */
  readonly route: string;
  readonly query: Query;
  /** Without pretty permalinks. */
  readonly isPlain: boolean;
  /** Null: without any key. */
  readonly mode: AuthMode | null;
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** The site's own address, which signatures are made over; null while it isn't known. */
  readonly home: string | null;
  readonly nonce: string;
  readonly timestampS: number;
}

/**
 * WooCommerce looks for keys only where this text stands in the address as it came, so that `?rest_route=` alone would
 * stay anonymous whatever is sent with it. Any parameter will do; WordPress ignores this one.
 */
const MAKES_WOOCOMMERCE_LOOK = ['via', 'wp-json/wc/'] as const;

/**
 * Caches of hosts and plugins (LiteSpeed's keeps answers of the REST API for a week) look at the address alone, whatever key and headers come with it:
 * an old number of ours would read as a sale, or hide one. An address that nobody ever asked has no answer in a cache. WordPress ignores it.
 */
const PASSES_CACHES = 'nocache';

/** The whole address of one call, with the key in it where the key travels there. */
export function restAddress(parts: AddressParts): string {
  const { url, route, isPlain, mode, consumerKey, consumerSecret } = parts;
  const target = isPlain ? `${url}/` : `${url}/wp-json${route}`;
  let pairs = flatten(parts.query);
  if (isPlain) pairs = [['rest_route', route], MAKES_WOOCOMMERCE_LOOK, ...pairs];
  if (parts.method === 'GET') pairs = [...pairs, [PASSES_CACHES, parts.nonce]];
  if (mode === 'query') pairs = [...pairs, ['consumer_key', consumerKey], ['consumer_secret', consumerSecret]];
  if (mode === 'oauth') {
    const { method, nonce, timestampS } = parts;
    const signed = { method, url: signedUrl(target, parts.home), consumerKey, consumerSecret, nonce, timestampS };
    pairs = signOauth({ ...signed, query: pairs });
  }
  if (pairs.length === 0) return target;
  return `${target}?${pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`;
}

/**
 * The address that WooCommerce makes the signature over: not the one that it was asked by, but its own home address
 * followed by what comes after the home's path. A shop known to itself as "localhost" may well be asked as 127.0.0.1.
 */
export function signedUrl(target: string, home: string | null): string {
  const own = parseUrl(home ?? '');
  const asked = parseUrl(target);
  if (own === null || asked === null) return target;
  const base = `${own.pathname.replace(/\/+$/, '')}/`;
  const rest = asked.pathname.startsWith(base) ? asked.pathname.slice(base.length) : asked.pathname.slice(1);
  // The home page has no slash at its end there.
  return `${asked.protocol}//${own.host}${base}${rest}`.replace(/\/$/, rest === '' ? '' : '/');
}

function flatten(query: Query): (readonly [string, string])[] {
  return Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)] as const],
  );
}

/** Commas, colons and slashes may stand in a query; encoded, a list of a hundred ids would be half again as long. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
}
