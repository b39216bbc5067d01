import { randomUUID } from 'node:crypto';
import {
  type DocumentNode,
  execute,
  type FragmentDefinitionNode,
  type GraphQLError,
  GraphQLError as GraphQLErrorClass,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { loadSchema } from '../schema/load-schema.ts';
import type { RequestContext, SandboxState } from '../state.ts';
import { actualQueryCost } from './actual-cost.ts';
import type { WireError } from './answer.ts';
import { ApiError } from './api-error.ts';
import { inputCost, inputSizeErrors, rootFields } from './input-limits.ts';
import { requestedQueryCost, type VariableValues } from './query-cost.ts';
import { resolveField, resolveType } from './resolve.ts';
import { staticErrors } from './static-errors.ts';
import { variableErrors } from './variable-errors.ts';

const SINGLE_QUERY_COST_MAX = 1_000;
const COST_DOCUMENTATION = 'https://shopify.dev/api/usage/rate-limits';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | null;
}

export interface GraphqlAnswer {
  readonly body: Record<string, unknown>;
  readonly requestedCost: number;
  readonly actualCost: number;
  readonly outcome: 'ok' | 'errors' | 'throttled' | 'refused';
}

/** What can be known of a document without its variables; kept for all sandboxes of the process. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  readonly errors: readonly WireError[];
  readonly operations: readonly OperationDefinitionNode[];
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

const PREPARED_MAX = 500;
const prepared = new Map<string, PreparedDocument>();

export function prepareDocument(query: string): PreparedDocument {
  const known = prepared.get(query);
  if (known) return known;
  const fresh = parseAndValidate(query);
  if (prepared.size >= PREPARED_MAX) prepared.delete(prepared.keys().next().value ?? '');
  prepared.set(query, fresh);
  return fresh;
}

function parseAndValidate(query: string): PreparedDocument {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    if (!(error instanceof GraphQLErrorClass)) throw error;
    const where = error.locations?.[0];
    const found =
      /(?:found|Unexpected) (.*?)\.?$/.exec(error.message)?.[1]?.replace('<EOF>', 'end of file') ?? error.message;
    const message = `syntax error, unexpected ${found}${where ? ` at [${where.line}, ${where.column}]` : ''}`;
    const wire: WireError = { message, ...(where ? { locations: [{ line: where.line, column: where.column }] } : {}) };
    return { document: { kind: Kind.DOCUMENT, definitions: [] }, errors: [wire], operations: [], fragments: {} };
  }
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const fragments = Object.fromEntries(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  return { document, errors: staticErrors(loadSchema().schema, document), operations, fragments };
}

/** The name that statistics and faults know a request by. */
export function describeOperation(request: GraphqlRequest): {
  name: string;
  kind: 'query' | 'mutation';
  rootFields: string[];
} {
  const { operations, fragments } = prepareDocument(request.query);
  const operation = pickOperation(operations, request.operationName);
  if (!operation) return { name: 'invalid', kind: 'query', rootFields: [] };
  const roots = rootFields(operation.selectionSet.selections, fragments).map((field) => field.name.value);
  return {
    name: operation.name?.value ?? roots[0] ?? 'anonymous',
    kind: operation.operation === 'mutation' ? 'mutation' : 'query',
    rootFields: roots,
  };
}

function pickOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | null,
): OperationDefinitionNode | null {
  if (name !== null && name !== '') return operations.find((operation) => operation.name?.value === name) ?? null;
  return operations.length === 1 ? (operations[0] ?? null) : null;
}

/** Every step in the order in which the real API refuses: syntax, static, variables, sizes, cost, points, execution. */
export async function runRequest(
  state: SandboxState,
  request: GraphqlRequest,
  apiVersion: string,
): Promise<GraphqlAnswer> {
  const { schema } = loadSchema();
  const ready = prepareDocument(request.query);
  if (ready.errors.length > 0) return refused({ errors: ready.errors });
  const operation = pickOperation(ready.operations, request.operationName);
  if (!operation) return refused({ errors: [{ message: operationMissing(request.operationName) }] });
  const badVariables = variableErrors(schema, operation, request.variables);
  if (badVariables.length > 0) return refused({ errors: badVariables });
  const coerced = getVariableValues(schema, operation.variableDefinitions ?? [], request.variables);
  if (coerced.errors)
    return refused({
      errors: coerced.errors.map((error) => ({
        message: error.message,
        extensions: { code: 'INVALID_VARIABLE', problems: [] },
      })),
    });
  const variables: VariableValues = coerced.variableValues;
  const tooLarge = inputSizeErrors(schema, operation, ready.fragments, variables);
  if (tooLarge.length > 0) return refused({ errors: tooLarge });

  const inputPoints = inputCost(schema, operation, ready.fragments, variables);
  const requestedCost = requestedQueryCost(schema, operation, ready.fragments, variables) + inputPoints;
  if (requestedCost > SINGLE_QUERY_COST_MAX) {
    const message = `Query cost is ${requestedCost}, which exceeds the single query max cost limit (${SINGLE_QUERY_COST_MAX}). See ${COST_DOCUMENTATION} for more information on how the cost of a query is calculated.`;
    return refused({
      errors: [
        {
          message,
          extensions: {
            code: 'MAX_COST_EXCEEDED',
            cost: requestedCost,
            maxCost: SINGLE_QUERY_COST_MAX,
            documentation: COST_DOCUMENTATION,
          },
        },
      ],
    });
  }
  if (!state.bucket.take(requestedCost)) {
    return {
      body: throttledBody(requestedCost, state.bucket.status()),
      requestedCost,
      actualCost: 0,
      outcome: 'throttled',
    };
  }

  const ctx: RequestContext = { state, apiVersion, searchNotes: [], bulk: null };
  const result = await execute({
    schema,
    document: ready.document,
    operationName: operation.name?.value ?? null,
    variableValues: request.variables,
    rootValue: {},
    contextValue: ctx,
    fieldResolver: resolveField,
    typeResolver: resolveType,
  });
  const actualCost = actualQueryCost(schema, operation, ready.fragments, variables, result.data) + inputPoints;
  state.bucket.give(Math.max(0, requestedCost - actualCost));
  const extensions: Record<string, unknown> = {
    cost: { requestedQueryCost: requestedCost, actualQueryCost: actualCost, throttleStatus: state.bucket.status() },
  };
  const notes = ctx.searchNotes.filter((note) => note.warnings.length > 0);
  if (notes.length > 0) extensions['search'] = notes;
  const errors = result.errors?.map(toWireError);
  return {
    body: { ...(errors ? { errors } : {}), data: result.data ?? null, extensions },
    requestedCost,
    actualCost,
    outcome: errors ? 'errors' : 'ok',
  };
}

export function throttledBody(requestedCost: number, throttleStatus: unknown): Record<string, unknown> {
  return {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED', documentation: COST_DOCUMENTATION } }],
    extensions: { cost: { requestedQueryCost: requestedCost, actualQueryCost: null, throttleStatus } },
  };
}

function refused(body: Record<string, unknown>): GraphqlAnswer {
  return { body, requestedCost: 0, actualCost: 0, outcome: 'refused' };
}

function operationMissing(name: string | null): string {
  return name ? `No operation named "${name}"` : 'An operation name is required';
}

export function toWireError(error: GraphQLError): WireError {
  const original = error.originalError;
  const place = {
    ...(error.locations ? { locations: error.locations.map(({ line, column }) => ({ line, column })) } : {}),
    ...(error.path ? { path: [...error.path] } : {}),
  };
  if (original instanceof ApiError)
    return { message: original.message, ...place, extensions: { ...original.extensions } };
  if (original) return internalError(original.stack ?? original.message);
  return { message: error.message, ...place };
}

/** Facts, section 11 f. `detail` is for whoever debugs the sandbox; the real API gives the request id only. */
export function internalError(detail?: string): WireError {
  const requestId = randomUUID();
  return {
    message: `Internal error. Looks like something went wrong on our end.\nRequest ID: ${requestId} (include this in support requests).`,
    extensions: { code: 'INTERNAL_SERVER_ERROR', requestId, ...(detail === undefined ? {} : { sandbox: detail }) },
  };
}
