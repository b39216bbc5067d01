import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type getArgumentValues,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Shopify's query cost as far as it is known: a fit to thousands of recorded answers, not a published rule
 * (facts, section 3). `requested` counts what the query could return, `actual` what the answer held.
 */

export type VariableValues = Parameters<typeof getArgumentValues>[2];

export const MUTATION_BASE = 10;
export const ROOT_COUNT_COST = 10;
/** Some mutations cost more than the ten points of the others. */
export const MUTATION_EXTRA: Readonly<Record<string, number>> = { refundCreate: 10 };
export const FREE_TYPES = new Set([
  'PageInfo',
  'MoneyBag',
  'MoneyV2',
  'LocationAddress',
  'ShopAddress',
  'Weight',
  'InventoryItemMeasurement',
]);

export interface CostContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: VariableValues;
}

/** 10 -> 4, 20 -> 5, 50 -> 7, 100 -> 9, 250 -> 11. */
export function connectionMultiplier(count: number): number {
  return Math.floor(2 * Math.log(Math.max(2, count)));
}

export function isConnection(type: GraphQLNamedType): boolean {
  return type.name.endsWith('Connection');
}

/** The fields selected on `type`, fragments flattened, aliases merged so that nothing is charged twice. */
export function fieldsOf(
  ctx: CostContext,
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode,
  into = new Map<string, FieldNode[]>(),
): Map<string, FieldNode[]> {
  for (const selection of selectionSet.selections) {
    if (selection.kind === Kind.FIELD) {
      if (isSkipped(ctx, selection)) continue;
      const key = selection.alias?.value ?? selection.name.value;
      const known = into.get(key);
      if (known) known.push(selection);
      else into.set(key, [selection]);
      continue;
    }
    const condition =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.typeCondition?.name.value
        : ctx.fragments[selection.name.value]?.typeCondition.name.value;
    const body =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : ctx.fragments[selection.name.value]?.selectionSet;
    if (body && (condition === undefined || applies(ctx.schema, type, condition))) fieldsOf(ctx, type, body, into);
  }
  return into;
}

function isSkipped(ctx: CostContext, field: FieldNode): boolean {
  for (const directive of field.directives ?? []) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') continue;
    const argument = directive.arguments?.[0]?.value;
    const value =
      argument?.kind === Kind.BOOLEAN
        ? argument.value
        : argument?.kind === Kind.VARIABLE
          ? ctx.variables?.coerced[argument.name.value]
          : undefined;
    if ((name === 'skip') === (value === true)) return true;
  }
  return false;
}

function applies(schema: GraphQLSchema, type: GraphQLNamedType, condition: string): boolean {
  if (type.name === condition) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && isObjectType(type) && schema.isSubType(conditionType, type);
}

function selectionCost(
  ctx: CostContext,
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode | undefined,
  isPayload = false,
): number {
  if (!selectionSet) return 0;
  if (isAbstractType(type)) {
    // The dearest branch counts; a type that no fragment names costs the same as any other such type.
    let dearest = 0;
    for (const possible of ctx.schema.getPossibleTypes(type)) {
      dearest = Math.max(dearest, selectionCost(ctx, possible, selectionSet));
    }
    return dearest;
  }
  if (!isObjectType(type)) return 0;
  let cost = 0;
  for (const nodes of fieldsOf(ctx, type, selectionSet).values()) cost += fieldCost(ctx, type, nodes, isPayload);
  return cost;
}

function fieldCost(
  ctx: CostContext,
  parent: GraphQLObjectType,
  nodes: readonly FieldNode[],
  isPayload: boolean,
): number {
  const first = nodes[0];
  const field = first && parent.getFields()[first.name.value];
  if (!first || !field) return 0;
  const type = getNamedType(field.type);
  if (isLeafType(type)) return 0;
  const selectionSet = mergeSelections(nodes);
  if (isConnection(type)) return connectionCost(ctx, type, selectionSet, requestedCount(ctx, first));
  if (parent === ctx.schema.getQueryType() && first.name.value.endsWith('Count')) return ROOT_COUNT_COST;
  const isFree =
    isPayload || FREE_TYPES.has(type.name) || (type.name === 'MailingAddress' && first.name.value === 'defaultAddress');
  return (isFree ? 0 : 1) + selectionCost(ctx, type, selectionSet);
}

function connectionCost(
  ctx: CostContext,
  type: GraphQLNamedType,
  selectionSet: SelectionSetNode | undefined,
  count: number,
): number {
  if (!isObjectType(type) || !selectionSet) return 2;
  let perRow = 0;
  for (const [, nodes] of fieldsOf(ctx, type, selectionSet)) {
    const name = nodes[0]?.name.value;
    const field = name === undefined ? undefined : type.getFields()[name];
    if (!field) continue;
    if (name === 'nodes') perRow += 1 + selectionCost(ctx, getNamedType(field.type), mergeSelections(nodes));
    if (name === 'edges') perRow += 1 + edgeCost(ctx, getNamedType(field.type), mergeSelections(nodes));
  }
  return 2 + perRow * connectionMultiplier(count);
}

function edgeCost(ctx: CostContext, edgeType: GraphQLNamedType, selectionSet: SelectionSetNode | undefined): number {
  if (!isObjectType(edgeType) || !selectionSet) return 0;
  const nodes = [...fieldsOf(ctx, edgeType, selectionSet).values()].find((fields) => fields[0]?.name.value === 'node');
  const nodeField = edgeType.getFields()['node'];
  return nodes && nodeField ? selectionCost(ctx, getNamedType(nodeField.type), mergeSelections(nodes)) : 0;
}

function requestedCount(ctx: CostContext, node: FieldNode): number {
  for (const argument of node.arguments ?? []) {
    if (argument.name.value !== 'first' && argument.name.value !== 'last') continue;
    if (argument.value.kind === Kind.INT) return Number(argument.value.value);
    if (argument.value.kind !== Kind.VARIABLE) continue;
    const value = ctx.variables?.coerced[argument.value.name.value];
    if (typeof value === 'number') return value;
  }
  return 0;
}

export function mergeSelections(nodes: readonly FieldNode[]): SelectionSetNode | undefined {
  if (nodes.length === 1) return nodes[0]?.selectionSet;
  return { kind: Kind.SELECTION_SET, selections: nodes.flatMap((node) => node.selectionSet?.selections ?? []) };
}

export function requestedQueryCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variables: VariableValues,
): number {
  const ctx: CostContext = { schema, fragments, variables };
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  if (!root) return 1;
  let cost = 0;
  for (const nodes of fieldsOf(ctx, root, operation.selectionSet).values()) {
    const first = nodes[0];
    const field = first && root.getFields()[first.name.value];
    if (!first || !field) continue;
    if (operation.operation !== 'mutation') cost += fieldCost(ctx, root, nodes, false);
    else {
      const payload = selectionCost(ctx, getNamedType(field.type), mergeSelections(nodes), true);
      cost += MUTATION_BASE + (MUTATION_EXTRA[first.name.value] ?? 0) + payload;
    }
  }
  return Math.max(1, cost);
}
