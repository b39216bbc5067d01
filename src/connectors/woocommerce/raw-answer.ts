import { ConnectorError } from '../../model/connector-error.ts';
import type { CallIntent } from '../shared/client.ts';
import { parseJson, TooManyParts } from '../shared/exact-json.ts';
import { parseUrl } from '../shared/parse-url.ts';
import { ANSWER_TOO_LARGE, type HttpResponse } from '../shared/transport.ts';

/** What LiteSpeed and Cloudflare say of an answer that they keep, or had kept; of others they say "dynamic" or "bypass", or nothing. */
export function isKept(headers: Readonly<Record<string, string>>): boolean {
  const words = `${headers['x-litespeed-cache'] ?? ''} ${headers['cf-cache-status'] ?? ''}`;
  return /\b(?:hit|miss|expired|stale|updating|revalidated)\b/i.test(words);
}

/**
 * Without pretty permalinks a web server answers 404 to /wp-json/, or WordPress itself its front page or a redirect to
 * one of its pages. A write that got a page with status 200 may have been carried out behind it.
 */
export function isNoRoute(response: HttpResponse, url: string, intent: CallIntent): boolean {
  if (isJson(response)) return false;
  const { status } = response;
  if (status >= 300 && status < 400) {
    const location = response.headers['location'] ?? '';
    return location.startsWith('/') || parseUrl(location)?.host === parseUrl(url)?.host;
  }
  return status === 404 || (status === 200 && intent === 'read');
}

/** What web servers and firewalls say of a method that they do not let through, by pages of their own: WordPress has not run. */
export function isMethodShut(response: HttpResponse): boolean {
  return [403, 405, 501].includes(response.status) && !isJson(response);
}

/** A page with status 200, JSON cut off, or more of it than is taken in: a read said nothing, a write may have been carried out. */
export function notTaken(
  error: unknown,
  text: string,
  status: number,
  intent: CallIntent,
  clean: (text: string) => string,
): ConnectorError {
  const kind = intent === 'write' ? 'unknown_outcome' : 'malformed';
  if (error instanceof TooManyParts)
    return new ConnectorError(kind, 'the WooCommerce store answered with more than is taken in at once', {
      platformCode: ANSWER_TOO_LARGE,
    });
  return new ConnectorError(kind, 'the WooCommerce store answered with something other than JSON', {
    platformMessage: clean(oddWords(text)),
    platformCode: `http_${status}`,
  });
}

/**
 * What is odd about an answer that should have been JSON: what stands before the data, or after it. Comments are kept, plugins of caches write
 * such.
 */
function oddWords(text: string): string {
  const isDataFirst = /^\s*[{[]/.test(text);
  return (isDataFirst ? text.slice(-200) : text.slice(0, 20_000))
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<(?!!--)[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Without what each file of PHP that is stored with a byte order mark, or with an empty line at its beginning, puts before it. */
export function textOf(response: HttpResponse): string {
  return new TextDecoder().decode(response.body).replace(/^[\s\ufeff]+/, '');
}

/** By what the body is, not what it says it is: hosts mislabel both ways. */
export function isJson(response: HttpResponse): boolean {
  return /^\s*[{[]/.test(textOf({ ...response, body: response.body.subarray(0, 64) }));
}
