import { ConnectorError, type ConnectorErrorDetails, type ConnectorErrorKind } from '../../model/connector-error.ts';
import type { CallIntent } from '../shared/client.ts';
import { parseJson } from '../shared/exact-json.ts';
import { parseRetryAfter } from '../shared/rate-gate.ts';
import { canonicalField, noMoreVariants } from './user-errors.ts';

/** One entry of `errors` in an answer, as far as it is understood. */
export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly requiredAccess?: string; readonly problems?: unknown };
}

const PLATFORM_WORDS_MAX = 500;

/** An HTTP status that is no GraphQL answer, or null for 200. What `write` changes: from 500 up it may have happened [C8]. */
export function classifyStatus(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  intent: CallIntent,
  now: number,
): ConnectorError | null {
  if (status === 200) return null;
  const words = /^\s*[{[]/.test(body) ? wordsOf(body) : '';
  const retryAfterMs = parseRetryAfter(headers, now);
  const details: ConnectorErrorDetails = {
    platformCode: `HTTP_${status}`,
    ...(words === '' ? {} : { platformMessage: words.slice(0, PLATFORM_WORDS_MAX) }),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  };
  const make = (kind: ConnectorErrorKind, message: string) => new ConnectorError(kind, message, details);
  // 430 is Shopify's answer to what its edge takes for abuse.
  if (status === 429 || status === 430) return make('rate_limited', 'Shopify asked us to slow down');
  if (status === 401)
    return make(
      'unauthorized',
      'Shopify no longer accepts the access token of this shop: the app was removed from it, or has another token by now',
    );
  if (status === 403) return make('unauthorized', 'Shopify refused this app the access to this shop');
  if (status === 402) return make('unavailable', 'this Shopify shop is frozen until its owner settles its bill');
  if (status === 423) return make('unavailable', 'this Shopify shop is locked');
  if (status === 404) return make('unavailable', 'no Shopify shop answers at this address');
  if (status >= 300 && status < 400)
    return make('unavailable', 'Shopify sent us to another address, which is never followed');
  if (status >= 500) {
    return intent === 'write'
      ? make('unknown_outcome', `Shopify failed with HTTP ${status}; the change may have been made`)
      : make('unavailable', `Shopify failed with HTTP ${status}`);
  }
  if (status >= 400) return make('rejected', `Shopify refused the request with HTTP ${status}`);
  return make('malformed', `Shopify answered with HTTP ${status}`);
}

function wordsOf(body: string): string {
  try {
    const parsed = parseJson(body) as { errors?: unknown; error?: unknown; error_description?: unknown };
    const words = parsed.errors ?? parsed.error_description ?? parsed.error;
    return typeof words === 'string' ? words : JSON.stringify(words ?? '');
  } catch {
    return '';
  }
}

/** Refused before anything ran: the request itself is at fault. */
const STATIC_CODES = new Set([
  'INVALID_VARIABLE',
  'undefinedField',
  'argumentNotAccepted',
  'missingRequiredArguments',
  'argumentLiteralsIncompatible',
  'undefinedDirective',
  'selectionMismatch',
  'undefinedType',
  'variableMismatch',
  'variableRequiresValidType',
  'variableNotDefined',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'INVALID_FIELD_ARGUMENTS',
  'MAX_COST_EXCEEDED',
  'MAX_INPUT_SIZE_EXCEEDED',
  'NOT_FOUND',
]);

/**
 * What a list of top-level errors (never empty) comes to: the worst of them. `hasData`: the answer holds some data beside them, so it ran. THROTTLED is
 * the caller's affair: it is given back as `rate_limited`, and nothing has happened then. What comes with a `retryAfterMs` is no matter of points.
 */
export function classifyGraphqlErrors(
  errors: readonly GraphqlError[],
  intent: CallIntent,
  operation: string,
): ConnectorError {
  const classed = errors.map((error) => classifyOne(error, intent, operation));
  return classed.reduce((worst, next) => (SEVERITY.indexOf(next.kind) < SEVERITY.indexOf(worst.kind) ? next : worst));
}

/**
 * An error about one record of `nodes`, and the place of that record; null where it is about more: our access, our rate, the shop. That there is no such record
 * is never told by an error, but by a null without one.
 */
export function nodeErrorOf(
  error: GraphqlError,
  operation: string,
): { readonly index: number; readonly error: ConnectorError } | null {
  const [root, index] = error.path ?? [];
  if (root !== 'nodes' || typeof index !== 'number') return null;
  const classed = classifyOne(error, 'read', operation);
  const { kind, message, details } = classed;
  if (kind === 'unauthorized' || kind === 'rate_limited' || details.platformCode === 'SHOP_INACTIVE') return null;
  return { index, error: kind === 'not_found' ? new ConnectorError('malformed', message, details) : classed };
}

/** A write that may have happened must never hide behind another error of the same answer. */
const SEVERITY: readonly ConnectorErrorKind[] = [
  'unknown_outcome',
  'unauthorized',
  'rate_limited',
  'rejected',
  'not_found',
  'malformed',
  'timeout',
  'unavailable',
];

function classifyOne(error: GraphqlError, intent: CallIntent, operation: string): ConnectorError {
  const code = error.extensions?.code ?? '';
  const field = problemField(error.extensions?.problems) ?? canonicalField(pathText(error.path));
  const details: ConnectorErrorDetails = {
    platformMessage: error.message.slice(0, PLATFORM_WORDS_MAX),
    ...(code === '' ? {} : { platformCode: code }),
    ...(field === null ? {} : { field }),
  };
  const make = (kind: ConnectorErrorKind, message: string) => new ConnectorError(kind, message, details);

  if (code === 'THROTTLED') return make('rate_limited', 'Shopify asked us to slow down');
  if (code === 'VARIANT_THROTTLE_EXCEEDED') return noMoreVariants(details);
  if (code === 'ACCESS_DENIED') return make('unauthorized', accessWords(error, operation));
  if (code === 'RESOURCE_NOT_FOUND') return make('not_found', 'Shopify has no record with this id');
  if (STATIC_CODES.has(code)) return make('rejected', `Shopify refused ${operation}: ${error.message}`);
  if (code === 'SHOP_INACTIVE') return make('unavailable', 'this Shopify shop is not active');
  if (intent === 'write') {
    // With neither code nor path it is the parser's own complaint: nothing ran.
    if (code === '' && error.path === undefined)
      return make('rejected', `Shopify refused ${operation}: ${error.message}`);
    return make('unknown_outcome', `Shopify failed inside ${operation}; the change may have been made`);
  }
  if (code === 'TIMEOUT') return make('timeout', `Shopify took too long for ${operation}`);
  if (code === 'INTERNAL_SERVER_ERROR' || code === 'SERVICE_UNAVAILABLE') {
    return make('unavailable', `Shopify failed inside ${operation}`);
  }
  return code === ''
    ? make('rejected', `Shopify refused ${operation}: ${error.message}`)
    : make('malformed', `Shopify answered ${operation} with the unknown error ${code}`);
}

/** Names the scope that is missing, in the words of the schema ("Required access: `read_locations` access scope."). */
function accessWords(error: GraphqlError, operation: string): string {
  const access = error.extensions?.requiredAccess ?? error.message;
  const scopes = [...access.matchAll(/`((?:read|write)_\w+)`/g)].map((match) => match[1]);
  return scopes.length > 0
    ? `the app lacks a permission of this Shopify shop: ${[...new Set(scopes)].join(' or ')}`
    : `the app lacks a permission of this Shopify shop, needed for ${operation}`;
}

function pathText(path: readonly (string | number)[] | undefined): string[] {
  return (path ?? []).map(String);
}

/** INVALID_VARIABLE tells where in `problems[].path`. */
function problemField(problems: unknown): string | null {
  if (!Array.isArray(problems)) return null;
  const [first] = problems as { path?: unknown }[];
  return Array.isArray(first?.path) ? canonicalField(first.path.map(String)) : null;
}

/**
 * An unknown search field is ignored by Shopify with a warning, and the rows come unfiltered: worse than no answer. Such warnings sit in
 * `extensions.search[].warnings`.
 */
export function searchWarning(extensions: unknown): ConnectorError | null {
  const search = (extensions as { search?: unknown } | null | undefined)?.search;
  if (!Array.isArray(search)) return null;
  for (const entry of search as { warnings?: unknown }[]) {
    const [warning] = Array.isArray(entry?.warnings) ? (entry.warnings as { message?: unknown; code?: unknown }[]) : [];
    if (!warning) continue;
    return new ConnectorError('rejected', 'Shopify ignored a part of our filter', {
      platformMessage: String(warning.message ?? '').slice(0, PLATFORM_WORDS_MAX),
      platformCode: String(warning.code ?? 'search_warning'),
    });
  }
  return null;
}
