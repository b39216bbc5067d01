import {
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type UserError, userError } from '../graphql/api-error.ts';
import { prepareDocument } from '../graphql/run-request.ts';
import { loadSchema } from '../schema/load-schema.ts';

/** What may run in bulk (facts, section 10). Messages as recorded. */

const TEXT_BYTES_MAX = 65_535;
const CONNECTIONS_MAX = 5;
const NESTING_MAX = 2;
const INVALID = 'INVALID';

interface Found {
  readonly name: string;
  readonly depth: number;
  readonly selectsNodes: boolean;
  readonly inList: boolean;
  readonly nodeHasId: boolean;
  readonly hasNested: boolean;
}

export function bulkQueryErrors(query: string): UserError[] {
  const refuse = (message: string) => userError(['query'], message, INVALID);
  const bytes = Buffer.byteLength(query);
  if (bytes > TEXT_BYTES_MAX)
    return [refuse(`Query is too large (${bytes} bytes; maximum is ${TEXT_BYTES_MAX} bytes)`)];
  const { errors: staticErrors, operations, fragments } = prepareDocument(query);
  if (staticErrors.length > 0)
    return staticErrors.map((error) => refuse(`Invalid bulk query: ${error.message.replace(/ at \[\d+, \d+\]$/, '')}`));
  const operation = operations[0];
  if (operation?.operation !== 'query')
    return [refuse('Invalid operation type. Only `query` operations are supported.')];
  const errors: UserError[] = [];
  for (const selection of operation.selectionSet.selections) {
    if (selection.kind === Kind.FIELD && /^nodes?$/.test(selection.name.value))
      errors.push(refuse(`Bulk queries cannot contain a top level \`${selection.name.value}\` field.`));
  }
  const found = connectionsOf(operation, fragments);
  if (found.length === 0) errors.push(refuse('Bulk queries must contain at least one connection.'));
  if (found.length > CONNECTIONS_MAX)
    errors.push(refuse(`Bulk queries cannot contain more than ${CONNECTIONS_MAX} connections.`));
  if (found.some((connection) => connection.depth > NESTING_MAX))
    errors.push(refuse(`Bulk queries cannot contain connections with a nesting depth greater than ${NESTING_MAX}.`));
  const nodes = found.filter((connection) => connection.selectsNodes).map((connection) => connection.name);
  if (nodes.length > 0) {
    const names = nodes.map((name) => `'${name}'`).join(', ');
    errors.push(
      refuse(
        `All connection fields in a bulk query must select their contents using 'edges' > 'node', e.g: '${nodes[0]} { edges { node {'. Selecting via 'nodes' is not supported. Invalid connection fields: ${names}.`,
      ),
    );
  }
  if (found.some((connection) => connection.inList))
    errors.push(refuse('Queries that contain a connection field within a list field are not currently supported.'));
  const withoutId = found
    .filter((connection) => connection.hasNested && !connection.nodeHasId)
    .map((connection) => connection.name);
  if (withoutId.length > 0) {
    errors.push(
      refuse(
        `The parent 'node' field for a nested connection must select the 'id' field without an alias and must be of 'ID' return type. Connection fields without 'id': ${withoutId.join(', ')}.`,
      ),
    );
  }
  return errors;
}

export function bulkMutationErrors(mutation: string, clientIdentifier: string | null | undefined): UserError[] {
  const invalid = 'INVALID_MUTATION';
  const bytes = Buffer.byteLength(mutation);
  // The field is called "query" here too.
  if (bytes > TEXT_BYTES_MAX)
    return [userError(['query'], `is too large (${bytes} bytes; maximum is ${TEXT_BYTES_MAX} bytes)`, invalid)];
  const length = clientIdentifier?.length;
  if (length !== undefined && length < 10)
    return [userError(['clientIdentifier'], 'is too short (minimum is 10 characters)', invalid)];
  if (length !== undefined && length > 255)
    return [userError(['clientIdentifier'], 'is too long (maximum is 255 characters)', invalid)];
  const { errors: staticErrors, operations, fragments } = prepareDocument(mutation);
  if (staticErrors.length > 0)
    return [userError(null, `Failed to parse the mutation - ${staticErrors[0]?.message}`, invalid)];
  const operation = operations[0];
  if (operation?.operation !== 'mutation')
    return [userError(null, 'Invalid operation type. Only `mutation` operations are supported.', invalid)];
  const roots = operation.selectionSet.selections;
  if (roots.length !== 1) return [userError(['mutation'], 'You must specify a single top level mutation.')];
  const root = roots[0];
  if (root?.kind === Kind.FIELD && /^bulkOperation/.test(root.name.value))
    return [userError(['mutation'], 'You must use an allowed mutation name.')];
  if (connectionsOf(operation, fragments).length > 1)
    return [userError(['mutation'], 'Bulk mutations cannot contain more than 1 connection.')];
  return [];
}

function connectionsOf(
  operation: OperationDefinitionNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): Found[] {
  const { schema } = loadSchema();
  const found: Found[] = [];

  /** Answers how many connections lie inside. */
  const walk = (type: GraphQLNamedType, selectionSet: SelectionSetNode, depth: number, inList: boolean): number => {
    let inside = 0;
    for (const selection of selectionSet.selections) {
      if (selection.kind !== Kind.FIELD) {
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : undefined;
        const condition =
          selection.kind === Kind.INLINE_FRAGMENT
            ? selection.typeCondition?.name.value
            : fragment?.typeCondition.name.value;
        const body = selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragment?.selectionSet;
        const target = condition === undefined ? type : schema.getType(condition);
        if (body && target) inside += walk(target, body, depth, inList);
        continue;
      }
      const field = 'getFields' in type ? type.getFields()[selection.name.value] : undefined;
      if (!field || !('args' in field) || !selection.selectionSet) continue;
      const fieldType = getNamedType(field.type);
      if (fieldType.name.endsWith('Connection') && isObjectType(fieldType))
        inside += 1 + connection(selection.name.value, fieldType, selection.selectionSet, depth, inList);
      else inside += walk(fieldType, selection.selectionSet, depth, inList || isListType(getNullableType(field.type)));
    }
    return inside;
  };

  const connection = (
    name: string,
    type: GraphQLNamedType,
    selectionSet: SelectionSetNode,
    depth: number,
    inList: boolean,
  ): number => {
    const fields = selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
    const edges = fields.find((selection) => selection.name.value === 'edges');
    const node = edges?.selectionSet?.selections.find(
      (selection) => selection.kind === Kind.FIELD && selection.name.value === 'node',
    );
    const nodes = fields.find((selection) => selection.name.value === 'nodes');
    const body = node?.kind === Kind.FIELD ? node.selectionSet : nodes?.selectionSet;
    const rowType =
      'getFields' in type ? getNamedType((type.getFields()['nodes'] ?? type.getFields()['edges'])?.type) : undefined;
    const index = found.length;
    found.push({ name, depth, selectsNodes: nodes !== undefined, inList, nodeHasId: false, hasNested: false });
    const nodeType =
      rowType && 'getFields' in rowType && rowType.name.endsWith('Edge')
        ? getNamedType(rowType.getFields()['node']?.type)
        : rowType;
    const nested = body && nodeType ? walk(nodeType, body, depth + 1, false) : 0;
    found[index] = {
      name,
      depth,
      selectsNodes: nodes !== undefined,
      inList,
      nodeHasId: body ? selectsId(body, fragments) : false,
      hasNested: nested > 0,
    };
    return nested;
  };

  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  if (root) walk(root, operation.selectionSet, 0, false);
  return found;
}

function selectsId(
  selectionSet: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): boolean {
  return selectionSet.selections.some((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value === 'id' && selection.alias === undefined;
    const body =
      selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments[selection.name.value]?.selectionSet;
    return body !== undefined && selectsId(body, fragments);
  });
}
