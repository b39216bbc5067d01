import { unended } from '../../lib/unended.ts';
import { ConnectorError, type ConnectorErrorDetails, type ConnectorErrorKind } from '../../model/connector-error.ts';
import type { CallIntent } from '../shared/client.ts';
import { idText, parseExactJson } from '../shared/exact-json.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { parseRetryAfter } from '../shared/rate-gate.ts';
import { type WireError, wire } from './wire.ts';

export interface FailedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly intent: CallIntent;
}

/** Which canonical field a parameter of WooCommerce's belongs to. */
const FIELD_OF_PARAM: Readonly<Record<string, string>> = {
  name: 'title',
  description: 'descriptionHtml',
  status: 'status',
  catalog_visibility: 'status',
  tags: 'tags',
  attributes: 'optionValues',
  slug: 'handle',
  sku: 'sku',
  global_unique_id: 'barcode',
  regular_price: 'price',
  sale_price: 'price',
  weight: 'weightMg',
  backorders: 'backorders',
  stock_quantity: 'stock',
  manage_stock: 'stock',
};

const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  product_invalid_sku: 'sku',
  product_invalid_global_unique_id: 'barcode',
  product_invalid_backorders: 'backorders',
  product_invalid_catalog_visibility: 'status',
  term_exists: 'tags',
  empty_term_name: 'tags',
};

/** "No such record", by the exact code; the status is 404 for a GET and 400 for a PUT. */
const NO_SUCH_RECORD =
  /^woocommerce_rest_(?:product|product_variation|product_variable|shop_webhook|term)_invalid(?:_id)?$/;
/** WordPress answers so before any of its code has run, so a write has not happened. */
const MAINTENANCE = /briefly unavailable for scheduled maintenance|wp-die-message[^<]*maintenance/i;

/** What to do next about an answer that is no success. `clean` takes secrets out of the platform's words. */
export function classifyAnswer(answer: FailedAnswer, clean: (text: string) => string, nowMs: number): ConnectorError {
  const { status, headers, text, intent } = answer;
  if (status >= 300 && status < 400) return redirected(status, headers['location'] ?? '', clean);
  const error = parseError(text);
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  const wait = retryAfterMs === null ? {} : { retryAfterMs };
  if (status === 429) {
    return new ConnectorError('rate_limited', 'the WooCommerce store asks us to slow down', {
      ...wait,
      ...(error ? words(error, clean) : {}),
    });
  }
  if (error && isMaintenance(error, answer))
    return new ConnectorError('unavailable', 'the WooCommerce store is in maintenance', words(error, clean));
  if (error) return classifyError(error, status, intent, clean);
  return classifyPage(status, text, intent, clean, wait);
}

/** An error object of WooCommerce: the body of a refused call, or of one refused item of a batch. */
export function classifyError(
  error: WireError,
  httpStatus: number,
  intent: CallIntent,
  clean: (text: string) => string,
): ConnectorError {
  const code = String(error.code);
  const status = statusOf(error) ?? httpStatus;
  const isLocked = isSkuLocked(error);
  const details = {
    ...{ ...words(error, clean), httpStatus: status, ...fieldOf(error), ...conflictOf(error) },
    ...(isLocked ? { remedy: SKU_IN_BIN } : {}),
  };
  const said = unended(details.platformMessage);
  // "Sorry, you cannot list resources." is told of a run that reads two stores: by itself it would not say which of them said it.
  const answer = said === '' ? `WooCommerce answered with the code ${code}` : `WooCommerce said “${said}”`;
  const message = isLocked ? `${answer}: perhaps by a product in its bin` : answer;
  const fail = (kind: ConnectorErrorKind) => new ConnectorError(kind, message, details);
  if (status === 401 || status === 403) return fail('unauthorized');
  if (NO_SUCH_RECORD.test(code) && (status === 404 || status === 400)) return fail('not_found');
  if (status === 429) return fail('rate_limited');
  // A route that isn't there means that WooCommerce is switched off or too old, never that a record is missing.
  if (code === 'rest_no_route' || code === 'rest_disabled') return fail('unavailable');
  // "Cannot create" is WooCommerce's own word for a refusal, whatever status it comes with.
  if (/_cannot_create|_not_created|_invalid/.test(code) && code.startsWith('woocommerce_')) return fail('rejected');
  if (status >= 500) return fail(intent === 'write' ? 'unknown_outcome' : 'unavailable');
  return fail('rejected');
}

/**
 * To a call that wants JSON, WordPress tells its maintenance so, in the site's language, and with a wait of ten minutes that no other page of its
 * asks for. Nothing has run by then: a write has not happened.
 */
function isMaintenance(error: WireError, { status, headers, text }: FailedAnswer): boolean {
  return status === 503 && error.code === 'wp_die' && (headers['retry-after'] === '600' || MAINTENANCE.test(text));
}

/**
 * Whether a list is not served at all. Old versions say so with a code; web servers and security plugins with a page or a code of their own. Only
 * for lists over all records: they never answer so for a record that is missing.
 */
export function isMissingRoute(error: unknown): boolean {
  if (!(error instanceof ConnectorError)) return false;
  return error.details.platformCode === 'rest_no_route' || error.details.httpStatus === 404;
}

/** PHP has died, and WordPress has said so as it ended: whatever was asked, nothing of it goes on. The same comes of too little memory or time. */
export function isCrash(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  const { platformCode, httpStatus } = error.details;
  return platformCode === 'internal_server_error' && httpStatus === 500;
}

/** What can be done without: null where the store, or something before it, keeps it back for good, as far as can be told. */
export async function unlessKeptBack<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ConnectorError && isKeptBack(error)) return null;
    throw error;
  }
}

function isKeptBack(error: ConnectorError): boolean {
  const { httpStatus = 0 } = error.details;
  if (error.kind === 'unavailable') return httpStatus >= 300 && httpStatus < 500;
  return ['unauthorized', 'not_found', 'rejected', 'malformed'].includes(error.kind);
}

/** The error object in a body, or null when it holds none. */
export function parseError(text: string): WireError | null {
  if (!text.trimStart().startsWith('{')) return null;
  try {
    const value = parseExactJson(text);
    return wire.error.Check(value) ? value : null;
  } catch {
    return null;
  }
}

/** In place of the code of an answer of WordPress' own that something stands before: of what stands there its status tells nothing. */
export const MIXED_ANSWER = 'mixed_answer';
const ERROR_BEHIND = /\{"code":"(?:woocommerce_)?rest_\w+","message":/;

/** A page in place of JSON: a proxy, a firewall, a maintenance notice. It says nothing about records. */
function classifyPage(
  status: number,
  text: string,
  intent: CallIntent,
  clean: (text: string) => string,
  wait: ConnectorErrorDetails,
): ConnectorError {
  const details: ConnectorErrorDetails = {
    platformCode: ERROR_BEHIND.test(text) ? MIXED_ANSWER : `http_${status}`,
    platformMessage: clean(pageWords(text)),
    httpStatus: status,
    ...wait,
  };
  if (MAINTENANCE.test(text))
    return new ConnectorError('unavailable', 'the WooCommerce store is in maintenance', details);
  if (status >= 500 && intent === 'write') {
    return new ConnectorError(
      'unknown_outcome',
      `the WooCommerce store failed with status ${status} after it was asked`,
      details,
    );
  }
  if (status >= 500)
    return new ConnectorError('unavailable', `the WooCommerce store failed with status ${status}`, details);
  if (status === 408)
    return new ConnectorError(
      intent === 'write' ? 'unknown_outcome' : 'timeout',
      'the WooCommerce store timed out',
      details,
    );
  if (status === 401)
    return new ConnectorError('unauthorized', 'the WooCommerce store refused the credentials', details);
  if (status === 413 || status === 414)
    return new ConnectorError('rejected', 'the request was too large for the WooCommerce store', details);
  return new ConnectorError('unavailable', `status ${status} with a page instead of an answer of WooCommerce`, details);
}

/** A redirect is not followed: it would turn a write into a read, and hand the key to another host. */
function redirected(status: number, location: string, clean: (text: string) => string): ConnectorError {
  const target = parseUrl(location);
  const where = clean(target ? `${target.origin}${target.pathname}` : location.replace(/\?.*$/, ''));
  return new ConnectorError(
    'unavailable',
    `the address of the WooCommerce store redirects to ${where || 'nowhere'}: connect it by that address`,
    {
      platformCode: `http_${status}`,
      platformMessage: where,
      httpStatus: status,
    },
  );
}

/** `data` is an object with a status, an integer (refunds), or absent. */
function statusOf(error: WireError): number | null {
  const { data } = error;
  if (typeof data === 'number') return data;
  const status = (data as { status?: unknown } | null | undefined)?.status;
  return typeof status === 'number' ? status : null;
}

function words(error: WireError, clean: (text: string) => string) {
  return { platformCode: String(error.code), platformMessage: clean(pageWords(error.message)) };
}

function fieldOf(error: WireError): { field?: string } {
  const byCode = FIELD_OF_CODE[String(error.code)];
  if (byCode) return { field: byCode };
  if (isSkuLocked(error)) return { field: 'sku' };
  const params = (error.data as { params?: unknown } | null | undefined)?.params;
  const [param] = params && typeof params === 'object' ? Object.keys(params) : [];
  const field = param === undefined ? undefined : FIELD_OF_PARAM[param];
  return field === undefined ? {} : { field };
}

const SKU_IN_BIN =
  'Perhaps a product in WooCommerce’s bin has this SKU (Products, Trash): delete it there for good, or restore it to have the two linked. It is tried again by itself.';

/** A SKU of a product in the bin is refused to a new product by words alone. Where a translation has another word for it, these words are all that is told. */
function isSkuLocked(error: WireError): boolean {
  return error.code === 'woocommerce_rest_product_not_created' && /\bSKU\b/.test(error.message);
}

function conflictOf(error: WireError): { conflictingId?: string } {
  const id = idText((error.data as { resource_id?: unknown } | null | undefined)?.resource_id);
  return id === null ? {} : { conflictingId: id };
}

/** Text of a page without its markup. */
function pageWords(text: string): string {
  return text
    .slice(0, 20_000)
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
