import { BRAND } from '../brand.ts';
import { CLIENT_RUNTIME } from './client-runtime.ts';

type Json = Readonly<Record<string, unknown>>;

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Json } } };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

/** What may stand on the line of its name. */
const SHORT_MAX = 90;

/** The old doubled address of the sign-in, and what is there for browsers and platforms. */
const LEFT_OUT = new Set(['signInAtDoubledAddress', 'receiveWebhook']);

/**
 * A client in TypeScript from the API's own description (`describeApi`): one file without dependencies, for Node, browsers and whatever else has
 * `fetch`. Only erasable syntax: what strips types can run it.
 */
export function renderClient(api: Json): string {
  const { paths, components } = api as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Json>> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const reply = replyOf(described);
      if (reply === null || LEFT_OUT.has(described.operationId)) return [];
      return [{ key: `${method.toUpperCase()} ${path}`, described, reply }];
    }),
  );
  const codes = Object.keys(api['x-error-codes'] as Json);
  return [
    `/** A client for the API of ${BRAND.name}, made from its description (/api/openapi.json). Do not edit: fetch it again (/api/client.ts). */`,
    '',
    ...Object.entries(components.schemas).map(([name, schema]) => `${declaration(name, schema)}\n`),
    '/** What each route takes and gives, by method and address. */',
    'export interface Operations {',
    ...operations.map(({ key, described, reply }) => {
      const { summary } = described;
      return `  /** ${summary} */\n  '${key}': { input: ${inputOf(described, components.schemas)}; reply: ${reply} };`;
    }),
    '}',
    '',
    'const ROUTES = {',
    ...operations.map(({ key, described }) => `  ${described.operationId}: '${key}',`),
    '} as const satisfies Record<string, keyof Operations>;',
    '',
    '/** Stable: decide by these. */',
    `export type ErrorCode =\n${codes.map((code) => `  | '${code}'`).join('\n')};`,
    '',
    CLIENT_RUNTIME.trim(),
    '',
  ]
    .join('\n')
    .replaceAll(/ +$/gm, '');
}

function declaration(name: string, schema: Json): string {
  const isInterface = schema['type'] === 'object' && schema['patternProperties'] === undefined;
  return isInterface
    ? `export interface ${name} ${objectType(schema, '', true)}`
    : `export type ${name} = ${typeOf(schema, '')};`;
}

/** Null: nothing that a program could read. */
function replyOf({ responses }: Described): string | null {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = good?.content?.['application/json']?.schema;
  if (schema !== undefined) return typeOf(schema, '  ');
  return good?.content?.['application/x-ndjson'] === undefined ? null : 'string';
}

function inputOf({ parameters, requestBody }: Described, shapes: Readonly<Record<string, Json>>): string {
  const parts: string[] = [];
  for (const [place, name] of [
    ['path', 'params'],
    ['query', 'query'],
  ] as const) {
    const own = parameters.filter((one) => one.in === place);
    if (own.length === 0) continue;
    const isNeeded = own.some(({ required }) => required);
    // `undefined` is as good as left out: it is not sent.
    const fields = own.map(
      ({ name: field, required, schema }) =>
        `${field}${required ? '' : '?'}: ${typeOf(schema, '    ')}${required ? '' : ' | undefined'}`,
    );
    parts.push(`${name}${isNeeded ? '' : '?'}: ${braces(fields, '  ')}`);
  }
  if (requestBody !== undefined) {
    const { schema } = requestBody.content['application/json'];
    const type = typeOf(schema, '  ');
    parts.push(`body${isNullable(schema, shapes) ? '?' : ''}: ${type}`);
  }
  return braces(parts, '  ');
}

function isNullable({ $ref, anyOf }: Json, shapes: Readonly<Record<string, Json>>): boolean {
  if (typeof $ref === 'string') return isNullable(shapes[nameOf($ref)] ?? {}, shapes);
  return Array.isArray(anyOf) && anyOf.some((one: Json) => one['type'] === 'null');
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** A JSON schema of ours as a type. `indent`: of the line that it begins on. */
function typeOf(schema: Json, indent: string): string {
  const { $ref, anyOf, enum: values, const: value, type } = schema;
  if (typeof $ref === 'string') return nameOf($ref);
  if (Array.isArray(anyOf))
    return union(
      anyOf.map((one: Json) => typeOf(one, indent)),
      indent,
    );
  if (Array.isArray(values)) return union(values.map(literal), indent);
  if (value !== undefined) return literal(value);
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayOf(typeOf((schema['items'] ?? {}) as Json, indent));
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: Json, indent: string, isOpen = false): string {
  const {
    properties = {},
    patternProperties,
    required = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly patternProperties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  const [entry] = Object.values(patternProperties ?? {});
  if (entry !== undefined) return `Record<string, ${typeOf(entry, indent)}>`;
  const fields = Object.entries(properties).map(([name, one]) => {
    const key = /^\w+$/.test(name) ? name : literal(name);
    return `${key}${required.includes(name) ? '' : '?'}: ${typeOf(one, `${indent}  `)}`;
  });
  return braces(fields, indent, isOpen);
}

/** On one line where that is short, unless `isOpen`. */
function braces(fields: readonly string[], indent: string, isOpen = false): string {
  if (fields.length === 0) return '{}';
  const line = `{ ${fields.join('; ')} }`;
  if (!isOpen && !line.includes('\n') && line.length < SHORT_MAX - indent.length) return line;
  return `{\n${fields.map((field) => `${indent}  ${field};`).join('\n')}\n${indent}}`;
}

function union(types: readonly string[], indent: string): string {
  const different = [...new Set(types)];
  const line = different.join(' | ');
  if (line.length < SHORT_MAX - indent.length) return line;
  return different.map((one) => `\n${indent}  | ${one}`).join('');
}

function arrayOf(type: string): string {
  return /[|{]/.test(type) ? `Array<${type}>` : `${type}[]`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, (sign) => `\\${sign}`)}'` : String(value);
}
