import { readFileSync } from 'node:fs';
import { buildASTSchema, type GraphQLSchema, parse } from 'graphql';
import { applyScalars } from './scalars.ts';

export interface LoadedSchema {
  readonly schema: GraphQLSchema;
  /** `Type` or `Type.field` -> Shopify's own text of the access it needs. */
  readonly access: Readonly<Record<string, string>>;
}

let loaded: LoadedSchema | null = null;

/** Parsed on first use and shared by every sandbox of the process: resolvers are passed at execution, the schema holds none. */
export function loadSchema(): LoadedSchema {
  if (loaded) return loaded;
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
  const document = parse(`${read('./admin-2026-10.graphql')}\n${read('./admin-2026-10-more.graphql')}`, {
    noLocation: true,
  });
  // assumeValid: Shopify's own schema deprecates an interface field on one implementation only, which graphql-js refuses.
  const schema = buildASTSchema(document, { assumeValid: true, assumeValidSDL: true });
  applyScalars(schema);
  loaded = { schema, access: JSON.parse(read('./access-2026-10.json')) };
  return loaded;
}
