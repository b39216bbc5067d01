import { timingSafeEqual } from 'node:crypto';
import { toText } from './decimal.ts';
import type { JsonObject } from './json.ts';
import { authenticateSigned, type SignedCall } from './oauth.ts';
import type { ApiKey } from './options.ts';
import { RestError } from './rest-error.ts';
import type { Access } from './rest-types.ts';
import type { Site } from './site.ts';

const REALM = 'WooCommerce API. Use a consumer key in the username field and a consumer secret in the password field.';

export interface Credentials extends SignedCall {
  readonly query: JsonObject;
  readonly authorization: string | undefined;
}

/** Where this isn't in the address as it came, WooCommerce doesn't look for keys at all: so with `?rest_route=` alone. */
const API_IN_ADDRESS = /wp-json\/wc[/-]/;

/** The key of a request, or null for an anonymous one: an unknown key is nobody. Throws for a wrong secret. */
export function authenticate(site: Site, call: Credentials): ApiKey | null {
  const { query, authorization, isHttps } = call;
  if (!API_IN_ADDRESS.test(call.url)) return null;
  const header = site.settings.host.stripAuthorization ? undefined : authorization;
  if (header?.startsWith('OAuth ')) {
    const message = 'This sandbox reads OAuth 1.0a from the query only.';
    throw new RestError('sandbox_oauth_header_not_implemented', message, 501);
  }
  const signed = authenticateSigned(site, call);
  if (signed) return signed;
  // Over plain http WooCommerce looks for an OAuth signature only, and keys in clear text go unread.
  if (site.settings.host.requireHttps && !isHttps) return null;
  let key = toText(query['consumer_key']);
  let secret = toText(query['consumer_secret']);
  if (key === '' || secret === '') [key, secret] = parseBasic(header);
  if (key === '' || secret === '') return null;
  const found = site.settings.keys.find((candidate) => candidate.key === key);
  if (!found) return null;
  if (!isEqual(found.secret, secret)) {
    throw new RestError(
      'woocommerce_rest_authentication_error',
      'Consumer secret is invalid.',
      401,
      {},
      {
        'www-authenticate': `Basic realm="${REALM}"`,
      },
    );
  }
  return found;
}

function parseBasic(header: string | undefined): [string, string] {
  const match = /^Basic\s+(\S+)$/i.exec(header ?? '');
  if (!match) return ['', ''];
  const text = Buffer.from(match[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? ['', ''] : [text.slice(0, colon), text.slice(colon + 1)];
}

function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Judged before the route is even looked up. */
export function assertKeyAllows(key: ApiKey, method: string): void {
  if (method === 'OPTIONS' || key.permissions === 'read_write') return;
  const needed = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  if (key.permissions === needed) return;
  const message = `The API key provided does not have ${needed} permissions.`;
  throw new RestError('woocommerce_rest_authentication_error', message, 401);
}

const REFUSALS: Readonly<Record<Access, readonly [code: string, message: string]>> = {
  list: ['cannot_view', 'Sorry, you cannot list resources.'],
  read: ['cannot_view', 'Sorry, you cannot view this resource.'],
  create: ['cannot_create', 'Sorry, you are not allowed to create resources.'],
  edit: ['cannot_edit', 'Sorry, you are not allowed to edit this resource.'],
  delete: ['cannot_delete', 'Sorry, you are not allowed to delete this resource.'],
  batch: ['cannot_batch', 'Sorry, you are not allowed to batch manipulate this resource.'],
};

/** What an anonymous request gets, after its parameters were found valid. */
export function refusal(access: Access): RestError {
  const [code, message] = REFUSALS[access];
  return new RestError(`woocommerce_rest_${code}`, message, 401);
}
