import { type ConnectionArgs, connectionPage } from '../graphql/connection.ts';
import type { RequestContext } from '../state.ts';
import { gidOf } from '../store/ids.ts';
import { compareDigestOf, findMetafield, metafieldGid, resolveNamespace } from '../store/metafields.ts';
import type { MetafieldDefinitionRecord, MetafieldRecord } from '../store/records.ts';
import type { FieldMap, TypeFields } from './field-map.ts';
import { ownerOf } from './nodes.ts';

interface ListArgs extends ConnectionArgs {
  readonly namespace?: string | null;
  readonly keys?: readonly string[] | null;
}

/** `metafield` and `metafields` of any owner. */
export function metafieldsOf<T>(ownerGidOf: (source: T, ctx: RequestContext) => string): TypeFields {
  return {
    metafield: (source: T, args: { namespace?: string | null; key: string }, ctx) => {
      // "namespace.key" in one argument is accepted too.
      const dot = args.namespace ? -1 : args.key.lastIndexOf('.');
      const namespace = dot > 0 ? args.key.slice(0, dot) : resolveNamespace(ctx.state.store, args.namespace);
      return findMetafield(
        ctx.state.store,
        ownerGidOf(source, ctx),
        namespace,
        dot > 0 ? args.key.slice(dot + 1) : args.key,
      );
    },
    metafields: (source: T, args: ListArgs, ctx) => {
      const { store } = ctx.state;
      const namespace = args.namespace ? resolveNamespace(store, args.namespace) : null;
      const keys = args.keys?.map((key) => {
        const dot = key.lastIndexOf('.');
        return dot > 0
          ? `${resolveNamespace(store, key.slice(0, dot))}.${key.slice(dot + 1)}`
          : `${namespace ?? ''}.${key}`;
      });
      const rows = (store.metafields.get(ownerGidOf(source, ctx)) ?? []).filter(
        (metafield) =>
          (namespace === null || metafield.namespace === namespace) &&
          (!keys || keys.includes(`${metafield.namespace}.${metafield.key}`)),
      );
      return connectionPage(ctx, args, { rows, idOf: (metafield: MetafieldRecord) => metafield.id });
    },
  };
}

export const METAFIELD_FIELDS: FieldMap = {
  Metafield: {
    id: (metafield: MetafieldRecord) => metafieldGid(metafield),
    type: (metafield: MetafieldRecord) => metafield.valueType,
    compareDigest: (metafield: MetafieldRecord) => compareDigestOf(metafield),
    owner: (metafield: MetafieldRecord, _args, ctx) => ownerOf(ctx, metafield.ownerGid),
  },
  MetafieldDefinition: {
    id: (definition: MetafieldDefinitionRecord) => gidOf('MetafieldDefinition', definition.id),
    type: (definition: MetafieldDefinitionRecord) => ({ name: definition.valueType }),
    capabilities: (definition: MetafieldDefinitionRecord) => ({
      uniqueValues: {
        enabled: definition.hasUniqueValues,
        eligible: ['id', 'single_line_text_field', 'number_integer', 'url'].includes(definition.valueType),
      },
    }),
  },
};
