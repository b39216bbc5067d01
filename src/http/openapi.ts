import { BRAND } from '../brand.ts';
import { ERROR_CATALOGUE } from '../contracts/errors.ts';
import { namedSchemas } from '../contracts/named-schemas.ts';
import { OPERATIONS } from '../contracts/operations.ts';
import { isAllowed, ROLE_OF_SCOPE, TOKEN_SCOPES } from '../model/role.ts';
import type { KnownRoute } from './plugins/authentication.ts';
import type { Policy } from './policy.ts';

type Json = Readonly<Record<string, unknown>>;

/** Routes that speak no JSON over HTTP. */
const UNDESCRIBED = new Set(['GET /*', 'GET /api/ws']);

/** The API in OpenAPI 3.1, from the very schemas that requests and replies are held to. */
export function describeApi(routes: readonly KnownRoute[], version: string, serverUrl: string | null): Json {
  const names = new Names();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const key = `${route.method} ${route.url}`;
    if (UNDESCRIBED.has(key)) continue;
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = describeRoute(route, key, names);
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
      schemas: names.schemas(),
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
  'Lists give `nextCursor`: send it back as `cursor` until it is null. Reads carry an `ETag`, save those about people, accounts and the instance: send it as `If-None-Match` and get 304 while nothing changed.',
  'A POST with an `Idempotency-Key` happens once, however often it is sent within a day; routes that are open to everyone pass it over.',
].join('\n\n');

/** Shapes that have a name stand once, and everywhere else a reference to them. */
class Names {
  readonly #nameOf = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor() {
    // Of two names for one shape the first of the alphabet counts.
    for (const [name, schema] of namedSchemas()) {
      const text = JSON.stringify(schema);
      if (!this.#nameOf.has(text)) this.#nameOf.set(text, name);
    }
  }

  /** The schema without what only TypeBox itself reads, and with references. */
  refer(schema: unknown): Json {
    return this.#refer(plain(schema)) as Json;
  }

  /** What was referred to, and what that refers to, by name. */
  schemas(): Json {
    const described: Record<string, unknown> = {};
    const byName = [...this.#nameOf].map(([text, name]) => ({ name, text }));
    for (let before = -1; before < this.#used.size; ) {
      before = this.#used.size;
      for (const { name, text } of byName) {
        if (this.#used.has(name)) described[name] ??= this.#parts(JSON.parse(text));
      }
    }
    return Object.fromEntries(Object.entries(described).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #refer(node: unknown): unknown {
    if (typeof node !== 'object' || node === null) return node;
    const name = this.#nameOf.get(JSON.stringify(node));
    if (name === undefined) return this.#parts(node);
    this.#used.add(name);
    return { $ref: `#/components/schemas/${name}` };
  }

  #parts(node: object): unknown {
    if (Array.isArray(node)) return node.map((one) => this.#refer(one));
    return Object.fromEntries(Object.entries(node).map(([key, one]) => [key, this.#refer(one)]));
  }
}

function describeRoute(route: KnownRoute, key: string, names: Names): Json {
  const schema = route.schemaOf();
  const { policy } = route;
  const [operationId, summary] = OPERATIONS[key] ?? ['', ''];
  return {
    operationId,
    summary,
    description: describePolicy(policy),
    tags: [route.url.split('/')[2] ?? ''],
    ...(policy.role === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters(schema.params, 'path', names),
      ...parameters(schema.querystring, 'query', names),
      ...(route.method === 'POST' && policy.role !== 'public' ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(schema.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: names.refer(schema.body) } } } }),
    responses: responses(schema.response, names),
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

function parameters(schema: unknown, place: 'path' | 'query', names: Names): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = plain(schema) as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: names.refer(one),
  }));
}

function responses(response: unknown, names: Names): Json {
  const described: Record<string, Json> = {};
  for (const [status, schema] of Object.entries((response ?? {}) as Record<string, Json>)) {
    const name = status.toUpperCase();
    const description = name.startsWith('2') ? 'Done' : 'Refused or failed';
    const content =
      'content' in schema ? plain(schema['content']) : { 'application/json': { schema: names.refer(schema) } };
    described[name] = { description, content };
  }
  return described;
}

/** Without what only TypeBox itself reads. */
function plain(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema)) as Json;
}
