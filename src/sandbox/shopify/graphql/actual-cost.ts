import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import {
  type CostContext,
  connectionMultiplier,
  FREE_TYPES,
  fieldsOf,
  isConnection,
  MUTATION_BASE,
  MUTATION_EXTRA,
  mergeSelections,
  ROOT_COUNT_COST,
  type VariableValues,
} from './query-cost.ts';

/** The same walk over what really came back; a missing object costs nothing, a connection counts its rows. */
export function actualQueryCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variables: VariableValues,
  data: unknown,
): number {
  const ctx: CostContext = { schema, fragments, variables };
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  if (!root) return 1;
  const isMutation = operation.operation === 'mutation';
  let cost = 0;
  for (const [key, nodes] of fieldsOf(ctx, root, operation.selectionSet)) {
    const first = nodes[0];
    const field = first && root.getFields()[first.name.value];
    if (!first || !field) continue;
    const value = isRecord(data) ? data[key] : undefined;
    if (isMutation) {
      const payload = actualSelection(ctx, getNamedType(field.type), mergeSelections(nodes), value, true);
      cost += MUTATION_BASE + (MUTATION_EXTRA[first.name.value] ?? 0) + payload;
    } else if (first.name.value.endsWith('Count')) cost += ROOT_COUNT_COST;
    else cost += actualField(ctx, field.type, nodes, value, false);
  }
  return Math.max(1, cost);
}

function actualField(
  ctx: CostContext,
  fieldType: Parameters<typeof getNamedType>[0],
  nodes: readonly FieldNode[],
  value: unknown,
  isPayload: boolean,
): number {
  const type = getNamedType(fieldType);
  if (!type || isLeafType(type) || value === null || value === undefined) return 0;
  const selectionSet = mergeSelections(nodes);
  if (isConnection(type)) return actualConnection(ctx, type, selectionSet, value);
  const own = isPayload || FREE_TYPES.has(type.name) ? 0 : 1;
  if (!Array.isArray(value)) return own + actualSelection(ctx, type, selectionSet, value);
  let dearest = 0;
  for (const row of value) dearest = Math.max(dearest, actualSelection(ctx, type, selectionSet, row));
  return value.length === 0 ? 0 : own + dearest;
}

function actualConnection(
  ctx: CostContext,
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode | undefined,
  value: unknown,
): number {
  if (!isObjectType(type) || !selectionSet || !isRecord(value)) return 2;
  let cost = 2;
  for (const [key, nodes] of fieldsOf(ctx, type, selectionSet)) {
    const name = nodes[0]?.name.value;
    const rows = value[key];
    const field = name === undefined ? undefined : type.getFields()[name];
    if (!field || !Array.isArray(rows) || (name !== 'nodes' && name !== 'edges') || rows.length === 0) continue;
    const rowType = getNamedType(field.type);
    let total = 0;
    for (const row of rows) {
      // An edge itself is free, only its node counts.
      total +=
        name === 'nodes'
          ? actualSelection(ctx, rowType, mergeSelections(nodes), row)
          : Math.max(0, actualSelection(ctx, rowType, mergeSelections(nodes), row) - 1);
    }
    cost += Math.round((1 + total / rows.length) * connectionMultiplier(rows.length));
  }
  return cost;
}

function actualSelection(
  ctx: CostContext,
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode | undefined,
  value: unknown,
  isPayload = false,
): number {
  if (!selectionSet || !isRecord(value)) return 0;
  // The answer carries no type for an abstract field: a selected key that is present tells which branch was taken.
  const possible = isAbstractType(type) ? ctx.schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
  let best = 0;
  for (const candidate of possible) {
    let cost = 0;
    for (const [key, nodes] of fieldsOf(ctx, candidate, selectionSet)) {
      const name = nodes[0]?.name.value;
      const field = name === undefined ? undefined : candidate.getFields()[name];
      if (field && key in value) cost += actualField(ctx, field.type, nodes, value[key], isPayload);
    }
    best = Math.max(best, cost);
  }
  return best;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
