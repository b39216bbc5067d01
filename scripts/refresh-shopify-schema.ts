/**
 * Brings the sandbox's copy of Shopify's Admin schema up to a release of the npm package @shopify/dev-mcp, whose gzipped introspection holds every
 * version (ISC licence, see the NOTICE beside the schema; too heavy for a devDependency):
 *
 *   node scripts/refresh-shopify-schema.ts 1.16.0 2026-10
 *   node scripts/refresh-shopify-schema.ts --package ./package 2026-10     (a package that was unpacked before)
 *
 * What is kept: the types and fields that the present files have, and whatever the connector's operations select; inputs and enums whole. What the new
 * version no longer has is listed, and left for a person to decide: then run the tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  buildASTSchema,
  buildClientSchema,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  type IntrospectionQuery,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  TypeInfo,
  type TypeNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { OPERATIONS } from '../src/connectors/shopify/operations.gen.ts';

export interface Pruned {
  /** SDL of each of `present`, in order. */
  readonly files: readonly string[];
  /** "Type" or "Type.field" of the present files that `full` does not have. */
  readonly lost: readonly string[];
}

/**
 * `full`, without descriptions, cut to what `present` has and `operations` select. What the latter add goes to the first file. A type that is named by
 * something kept is kept too: inputs and enums whole, objects with the fields that are wanted of them (all, when nothing says which).
 */
export function pruneSchema(
  full: DocumentNode,
  present: readonly DocumentNode[],
  operations: readonly string[],
): Pruned {
  const fullTypes = new Map(
    full.definitions.flatMap((node) => (nameOf(node) === '' ? [] : [[nameOf(node), node] as const])),
  );
  const wanted = present.map(fieldsByType);
  const [first] = wanted;
  if (!first) throw new Error('there must be at least one present file');
  for (const [type, fields] of selectedFields(full, operations)) {
    const known = wanted.some((file) => [...fields].every((field) => file.get(type)?.has(field)));
    if (!known) first.set(type, new Set([...(first.get(type) ?? []), ...fields]));
  }
  const lost: string[] = [];
  const kept = wanted.map(
    (file) => new Map<string, DefinitionNode>([...file].flatMap(([type, fields]) => keep(type, fields))),
  );

  function keep(type: string, fields: ReadonlySet<string>): [string, DefinitionNode][] {
    const node = fullTypes.get(type);
    if (node === undefined) {
      lost.push(type);
      return [];
    }
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.INTERFACE_TYPE_DEFINITION)
      return [[type, node]];
    for (const field of fields)
      if (!node.fields?.some(({ name }) => name.value === field)) lost.push(`${type}.${field}`);
    return [[type, { ...node, fields: (node.fields ?? []).filter(({ name }) => fields.has(name.value)) }]];
  }

  // Whatever a kept field names must be there; what nobody asked for by name comes whole.
  for (let missing = namedBy(kept); missing.length > 0; missing = namedBy(kept)) {
    for (const type of missing) {
      const node = fullTypes.get(type);
      if (node === undefined) throw new Error(`${type} is named but not defined`);
      kept[0]?.set(type, node);
    }
  }
  const all = new Set(kept.flatMap((file) => [...file.keys()]));
  const files = kept.map((file, at) => {
    const extended = new Set(kept.slice(0, at).flatMap((before) => [...before.keys()]));
    const nodes = [...file].map(([type, node]) => (extended.has(type) ? extensionOf(node) : onlyKnown(node, all)));
    const sorted = nodes.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    const head =
      at === 0
        ? full.definitions.filter(({ kind }) => kind === Kind.SCHEMA_DEFINITION || kind === Kind.DIRECTIVE_DEFINITION)
        : [];
    return `${[...head, ...sorted].map((node) => print(withoutDescriptions(node))).join('\n\n')}\n`;
  });
  return { files, lost: lost.sort() };
}

function nameOf(node: DefinitionNode): string {
  const isNamed = node.kind !== Kind.DIRECTIVE_DEFINITION && 'name' in node && node.name !== undefined;
  return isNamed ? node.name.value : '';
}

function fieldsByType(document: DocumentNode): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>();
  for (const node of document.definitions) {
    const name = nameOf(node);
    if (name === '') continue;
    const fields = 'fields' in node ? (node.fields ?? []).map((field) => field.name.value) : [];
    types.set(name, new Set([...(types.get(name) ?? []), ...fields]));
  }
  return types;
}

/** Type -> fields that the operations select of it, interfaces and their implementations included. */
function selectedFields(full: DocumentNode, operations: readonly string[]): Map<string, Set<string>> {
  const schema = buildASTSchema(full, { assumeValid: true, assumeValidSDL: true });
  const selected = new Map<string, Set<string>>();
  const note = (type: string, field: string) => selected.set(type, (selected.get(type) ?? new Set()).add(field));
  for (const text of operations) {
    const info = new TypeInfo(schema);
    const collect = visitWithTypeInfo(info, {
      Field(node) {
        const parent = info.getParentType();
        if (!parent || node.name.value.startsWith('__')) return;
        if (!info.getFieldDef()) throw new Error(`${parent.name}.${node.name.value} is selected and does not exist`);
        note(parent.name, node.name.value);
        if (isInterfaceType(parent))
          for (const type of schema.getPossibleTypes(parent))
            if (selected.has(type.name)) note(type.name, node.name.value);
      },
    });
    visit(parse(text), collect);
  }
  return selected;
}

function namedBy(kept: readonly ReadonlyMap<string, DefinitionNode>[]): string[] {
  const known = new Set([...kept.flatMap((file) => [...file.keys()]), 'Int', 'Float', 'String', 'Boolean', 'ID']);
  const named = new Set<string>();
  for (const node of kept.flatMap((file) => [...file.values()])) {
    if (!('fields' in node)) continue;
    for (const field of (node.fields ?? []) as readonly (FieldDefinitionNode | InputValueDefinitionNode)[]) {
      named.add(typeName(field.type));
      if ('arguments' in field) for (const argument of field.arguments ?? []) named.add(typeName(argument.type));
    }
  }
  return [...named].filter((name) => !known.has(name));
}

function typeName(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : typeName(type.type);
}

function extensionOf(node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.OBJECT_TYPE_DEFINITION) return node;
  const { description: _description, ...rest } = node;
  return { ...rest, kind: Kind.OBJECT_TYPE_EXTENSION, interfaces: [], directives: [] };
}

/** Interfaces and union members that were cut away are not named any more. */
function onlyKnown(node: DefinitionNode, known: ReadonlySet<string>): DefinitionNode {
  if (node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION) {
    return { ...node, interfaces: (node.interfaces ?? []).filter(({ name }) => known.has(name.value)) };
  }
  if (node.kind === Kind.UNION_TYPE_DEFINITION)
    return { ...node, types: (node.types ?? []).filter(({ name }) => known.has(name.value)) };
  return node;
}

function withoutDescriptions(node: DefinitionNode): DefinitionNode {
  return visit(node, {
    enter(child) {
      if (!('description' in child) || child.description === undefined) return undefined;
      const { description: _description, ...rest } = child;
      return rest;
    },
  }) as DefinitionNode;
}

/** Shopify's own text of the access that a kept type or field needs: two keys of the introspection that are not GraphQL's. */
function accessTexts(introspection: ShopifyIntrospection, kept: GraphQLSchema): Record<string, string> {
  const access: Record<string, string> = {};
  for (const type of introspection.__schema.types) {
    const present = kept.getType(type.name);
    if (!isObjectType(present) && !isInterfaceType(present)) continue;
    const isScope = (text: string | undefined): text is string => text !== undefined && /`(read|write)_/.test(text);
    if (isScope(type.requiredAccess)) access[type.name] = type.requiredAccess;
    for (const field of type.fields ?? []) {
      if (isScope(field.requiredAccess) && present.getFields()[field.name])
        access[`${type.name}.${field.name}`] = field.requiredAccess;
    }
  }
  return access;
}

interface ShopifyIntrospection extends IntrospectionQuery {
  readonly __schema: IntrospectionQuery['__schema'] & {
    readonly types: readonly {
      name: string;
      requiredAccess?: string;
      fields?: readonly { name: string; requiredAccess?: string }[];
    }[];
  };
}

function introspectionOf(packageFolder: string, version: string): ShopifyIntrospection {
  const file = join(packageFolder, 'dist', 'data', `admin_${version}.json.gz`);
  const parsed = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as ShopifyIntrospection & {
    data?: ShopifyIntrospection;
  };
  return parsed.data ?? parsed;
}

function refresh(packageFolder: string, version: string): void {
  const folder = fileURLToPath(new URL('../src/sandbox/shopify/schema/', import.meta.url));
  const names = [`admin-${version}.graphql`, `admin-${version}-more.graphql`];
  const present = names.map((name) => parse(readFileSync(join(folder, name), 'utf8'), { noLocation: true }));
  const introspection = introspectionOf(packageFolder, version);
  const full = parse(printSchema(buildClientSchema(introspection, { assumeValid: true })), { noLocation: true });
  const { files, lost } = pruneSchema(
    full,
    present,
    Object.values(OPERATIONS).map(({ text }) => text),
  );
  const merged = buildASTSchema(parse(files.join('\n')), { assumeValid: true, assumeValidSDL: true });
  for (const [at, text] of files.entries()) writeFileSync(join(folder, names[at] ?? ''), text);
  writeFileSync(
    join(folder, `access-${version}.json`),
    `${JSON.stringify(accessTexts(introspection, merged), null, 1)}\n`,
  );
  console.log(`wrote ${names.join(', ')} and access-${version}.json to ${folder}`);
  if (lost.length > 0) console.log(`no longer in the official schema:\n  ${lost.join('\n  ')}`);
}

function main(args: readonly string[]): void {
  const [first, second, third] = args;
  if (first === '--package' && second !== undefined && third !== undefined) {
    refresh(second, third);
    return;
  }
  if (first === undefined || second === undefined || !/^\d+\.\d+\.\d+$/.test(first) || !/^\d{4}-\d{2}$/.test(second)) {
    throw new Error(
      'usage: refresh-shopify-schema.ts <version of @shopify/dev-mcp> <API version>   e.g. 1.16.0 2026-10',
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'shopify-schema-'));
  try {
    execFileSync('npm', ['pack', `@shopify/dev-mcp@${first}`, '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    execFileSync('tar', ['-xzf', `shopify-dev-mcp-${first}.tgz`], { cwd: folder });
    refresh(join(folder, 'package'), second);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && fileURLToPath(import.meta.url) === process.argv[1]) main(process.argv.slice(2));
