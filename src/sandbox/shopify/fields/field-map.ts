import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../state.ts';

// biome-ignore lint/suspicious/noExplicitAny: sources and arguments are checked by the schema; each resolver names the record it reads.
export type FieldResolver = (source: any, args: any, ctx: RequestContext, info: GraphQLResolveInfo) => unknown;
export type TypeFields = Readonly<Record<string, FieldResolver>>;
export type FieldMap = Readonly<Record<string, TypeFields>>;
