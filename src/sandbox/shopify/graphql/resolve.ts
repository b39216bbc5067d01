import { type GraphQLFieldResolver, type GraphQLTypeResolver, getNamedType } from 'graphql';
import { FIELDS } from '../fields/fields.ts';
import { MUTATIONS } from '../mutations/mutations.ts';
import { runMutation } from '../mutations/run-mutation.ts';
import type { RequestContext } from '../state.ts';
import { checkAccess } from './access.ts';
import { notSupported } from './api-error.ts';
import type { ConnectionPage } from './connection.ts';

/**
 * One resolver for every field, so that the schema object can be shared between sandboxes. Order: scope check, own resolver, property
 * of the record. A field that nothing stands behind is an error, never an invented value.
 */
export const resolveField: GraphQLFieldResolver<unknown, RequestContext> = (source, args, ctx, info) => {
  const typeName = info.parentType.name;
  const resultTypeName = getNamedType(info.returnType).name;
  checkAccess(
    ctx.state.grantedScopes,
    typeName,
    info.fieldName,
    resultTypeName.endsWith('Connection') ? resultTypeName.slice(0, -'Connection'.length) : resultTypeName,
  );
  if (typeName === 'Mutation') {
    const mutation = MUTATIONS[info.fieldName];
    if (!mutation) throw notSupported(info.fieldName);
    return runMutation(info.fieldName, mutation, args, ctx, info);
  }
  const resolver = FIELDS[typeName]?.[info.fieldName];
  if (resolver) return resolver(source, args, ctx, info);
  if (typeName === 'QueryRoot') throw notSupported(info.fieldName);
  if (typeName.endsWith('Connection')) return resolveConnectionField(source as ConnectionPage, info.fieldName);
  if (typeName.endsWith('Edge')) return resolveEdgeField(source as Edge, info.fieldName);
  const value = (source as Record<string, unknown>)[info.fieldName];
  if (value === undefined) throw notSupported(`${typeName}.${info.fieldName}`);
  return value;
};

interface Edge {
  readonly row: unknown;
  readonly page: ConnectionPage;
}

function resolveConnectionField(page: ConnectionPage, fieldName: string): unknown {
  if (fieldName === 'nodes') return page.rows;
  if (fieldName === 'edges') return page.rows.map((row): Edge => ({ row, page }));
  const first = page.rows[0];
  const last = page.rows.at(-1);
  return {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: first === undefined ? null : page.cursorOf(first),
    endCursor: last === undefined ? null : page.cursorOf(last),
  };
}

function resolveEdgeField(edge: Edge, fieldName: string): unknown {
  return fieldName === 'node' ? edge.row : edge.page.cursorOf(edge.row);
}

export const resolveType: GraphQLTypeResolver<unknown, RequestContext> = (value) => (value as { type?: string }).type;
