import { BRAND } from '../brand.ts';
import { ERROR_CATALOGUE } from '../contracts/errors.ts';
import { OPERATIONS } from '../contracts/operations.ts';
import { isAllowed, ROLE_OF_SCOPE, TOKEN_SCOPES } from '../model/role.ts';
import type { KnownRoute } from './plugins/authentication.ts';
import type { Policy } from './policy.ts';

type Json = Readonly<Record<string, unknown>>;

/** Routes that speak no JSON over HTTP. */
const UNDESCRIBED = new Set(['GET /*', 'GET /api/ws']);

/** The API in OpenAPI 3.1, from the very schemas that requests and replies are held to. */
export function describeApi(routes: readonly KnownRoute[], version: string, serverUrl: string | null): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const key = `${route.method} ${route.url}`;
    if (UNDESCRIBED.has(key)) continue;
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeRoute(route, key);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${BRAND.name} API`,
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: INTRODUCTION,
    },
    servers: [{ url: serverUrl ?? '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token (`ts_…`), or the access token of a session.',
        },
      },
    },
    'x-error-codes': ERROR_CATALOGUE,
  };
}

const INTRODUCTION = [
  'Send an API token as `Authorization: Bearer ts_…`. Errors are `{ "error": { "code", "message", "details", "requestId" } }`: decide by `code`, which is stable.',
  'Lists give `nextCursor`: send it back as `cursor` until it is null. Reads carry an `ETag`: send it as `If-None-Match` and get 304 while nothing changed.',
  'A POST with an `Idempotency-Key` happens once, however often it is sent within a day.',
].join('\n\n');

function describeRoute(route: KnownRoute, key: string): Json {
  const schema = route.schemaOf();
  const { policy } = route;
  return {
    operationId: operationId(route),
    summary: OPERATIONS[key] ?? '',
    description: describePolicy(policy),
    tags: [route.url.split('/')[2] ?? ''],
    ...(policy.role === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters(schema.params, 'path'),
      ...parameters(schema.querystring, 'query'),
      ...(route.method === 'POST' && policy.role !== 'public' ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(schema.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: plain(schema.body) } } } }),
    responses: responses(schema.response),
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
};

/** Who may call it, in words. */
export function describePolicy(policy: Policy): string {
  if (policy.role === 'public') return 'Open to everyone.';
  const words = [`Needs the role ${policy.role} or more.`];
  const { role } = policy;
  const scope = TOKEN_SCOPES.find((one) => isAllowed(ROLE_OF_SCOPE[one], role));
  if (policy.session === true || scope === undefined)
    words.push('For people who are signed in; API tokens are refused.');
  else words.push(`API tokens need the scope ${scope}.`);
  if (policy.instance === true) words.push('For administrators of the instance.');
  if (policy.proved === true) words.push('Asks for a recent proof of identity (POST /api/auth/prove).');
  if (policy.demo === false) words.push('Not in the demo.');
  return words.join(' ');
}

function operationId({ method, url }: KnownRoute): string {
  const words = url
    .split('/')
    .slice(2)
    .flatMap((part) => part.replace(':', 'by-').split(/[-.]/));
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return method.toLowerCase() + name;
}

function parameters(schema: unknown, place: 'path' | 'query'): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = plain(schema) as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: one,
  }));
}

function responses(response: unknown): Json {
  const described: Record<string, Json> = {};
  for (const [status, schema] of Object.entries((response ?? {}) as Record<string, Json>)) {
    const name = status.toUpperCase();
    const description = name.startsWith('2') ? 'Done' : 'Refused or failed';
    const content = 'content' in schema ? plain(schema['content']) : { 'application/json': { schema: plain(schema) } };
    described[name] = { description, content };
  }
  return described;
}

/** Without what only TypeBox itself reads. */
function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}
