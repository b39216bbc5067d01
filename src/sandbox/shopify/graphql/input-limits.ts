import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getArgumentValues,
  getLocation,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { WireError } from './answer.ts';
import type { VariableValues } from './query-cost.ts';

const INPUT_ARRAY_MAX = 250;
/** `root.path` -> a limit of its own. */
const ARRAY_MAX: Readonly<Record<string, number>> = { 'productSet.input.variants': 2_048 };

/** Facts, section 3: no input array may hold more than 250 values; refused before anything runs, with the path of the array. */
export function inputSizeErrors(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variables: VariableValues,
): WireError[] {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const errors: WireError[] = [];
  for (const node of rootFields(operation.selectionSet.selections, fragments)) {
    const field = root?.getFields()[node.name.value];
    if (!field) continue;
    const values = getArgumentValues(field, node, variables);
    for (const argument of field.args) {
      const tooLong = firstTooLong(argument.type, values[argument.name], [node.name.value, argument.name]);
      if (!tooLong) continue;
      const location = node.loc ? getLocation(node.loc.source, node.loc.start) : null;
      errors.push({
        message: `The input array size of ${tooLong.size} is greater than the maximum allowed of ${tooLong.max}.`,
        ...(location ? { locations: [{ line: location.line, column: location.column }] } : {}),
        path: [node.alias?.value ?? node.name.value, ...tooLong.path.slice(1)],
        extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' },
      });
    }
  }
  return errors;
}

export function rootFields(
  selections: OperationDefinitionNode['selectionSet']['selections'],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const body =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments[selection.name.value]?.selectionSet;
    return body ? rootFields(body.selections, fragments) : [];
  });
}

function firstTooLong(
  type: GraphQLInputType,
  value: unknown,
  path: string[],
): { size: number; max: number; path: string[] } | null {
  const bare = getNullableType(type);
  if (value === null || value === undefined) return null;
  if (isListType(bare) && Array.isArray(value)) {
    const max = ARRAY_MAX[path.join('.')] ?? INPUT_ARRAY_MAX;
    if (value.length > max) return { size: value.length, max, path };
    for (const item of value) {
      const inside = firstTooLong(bare.ofType, item, path);
      if (inside) return inside;
    }
  }
  if (isInputObjectType(bare) && typeof value === 'object') {
    const given = value as Record<string, unknown>;
    for (const field of Object.values(bare.getFields())) {
      const inside = firstTooLong(field.type, given[field.name], [...path, field.name]);
      if (inside) return inside;
    }
  }
  return null;
}

/** Schema text of ProductSetInput: "Complexity cost: 1.9 per file, 0.4 per metafield, 0.2 per variant", 0.6 per variant file. */
const COST_PER_VALUE: Readonly<Record<string, number>> = {
  'productSet.input.files': 1.9,
  'productSet.input.metafields': 0.4,
  'productSet.input.variants': 0.2,
  'productSet.input.variants.metafields': 0.4,
  'productSet.input.variants.file': 0.6,
};

export function inputCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variables: VariableValues,
): number {
  const field = schema.getMutationType()?.getFields()['productSet'];
  if (operation.operation !== 'mutation' || !field) return 0;
  const costOf = (value: unknown, path: string): number => {
    if (Array.isArray(value))
      return value.reduce<number>((sum, item) => sum + (COST_PER_VALUE[path] ?? 0) + inside(item, path), 0);
    return typeof value === 'object' && value !== null ? (COST_PER_VALUE[path] ?? 0) + inside(value, path) : 0;
  };
  const inside = (value: unknown, path: string): number =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).reduce((sum, [key, item]) => sum + costOf(item, `${path}.${key}`), 0)
      : 0;
  const cost = rootFields(operation.selectionSet.selections, fragments)
    .filter((node) => node.name.value === 'productSet')
    .reduce((sum, node) => sum + inside(getArgumentValues(field, node, variables), 'productSet'), 0);
  return Math.floor(cost);
}
