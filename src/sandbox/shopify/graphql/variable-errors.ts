import {
  type GraphQLInputType,
  type GraphQLSchema,
  getLocation,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isScalarType,
  type OperationDefinitionNode,
  print,
  typeFromAST,
} from 'graphql';
import type { WireError } from './answer.ts';
import { isGid } from './gid-literals.ts';

/** Facts, section 11 a: `INVALID_VARIABLE` with one entry in `problems` for every place that does not fit. */

interface Problem {
  readonly path: (string | number)[];
  readonly explanation: string;
  readonly message?: string;
}

export function variableErrors(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): WireError[] {
  const errors: WireError[] = [];
  for (const definition of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, definition.type);
    if (!type || !isInputType(type)) continue;
    const name = definition.variable.name.value;
    const value = variables[name];
    if (value === undefined && (definition.defaultValue !== undefined || !isNonNullType(type))) continue;
    const problems = problemsOf(type, value ?? null, []);
    if (problems.length === 0) continue;
    const details = problems
      .filter((problem) => problem.path.length > 0)
      .map((problem) => `${problem.path.join('.')} (${problem.explanation})`);
    const location = definition.loc ? getLocation(definition.loc.source, definition.loc.start) : null;
    errors.push({
      message: `Variable $${name} of type ${print(definition.type)} was provided invalid value${details.length > 0 ? ` for ${details.join(', ')}` : ''}`,
      ...(location ? { locations: [{ line: location.line, column: location.column }] } : {}),
      extensions: { code: 'INVALID_VARIABLE', value: value ?? null, problems },
    });
  }
  return errors;
}

function problemsOf(type: GraphQLInputType, value: unknown, path: (string | number)[]): Problem[] {
  if (isNonNullType(type)) {
    return value === null || value === undefined
      ? [{ path, explanation: 'Expected value to not be null' }]
      : problemsOf(type.ofType, value, path);
  }
  if (value === null || value === undefined) return [];
  if (isListType(type)) {
    const itemType = type.ofType;
    return Array.isArray(value)
      ? value.flatMap((item, index) => problemsOf(itemType, item, [...path, index]))
      : problemsOf(itemType, value, path);
  }
  if (isEnumType(type)) {
    const names = type.getValues().map((option) => option.name);
    return typeof value === 'string' && names.includes(value)
      ? []
      : [{ path, explanation: `Expected ${JSON.stringify(value)} to be one of: ${names.join(', ')}` }];
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value)) {
      return [{ path, explanation: `Expected ${JSON.stringify(value)} to be a key-value object.` }];
    }
    const given: Record<string, unknown> = { ...value };
    const fields = type.getFields();
    const problems: Problem[] = Object.keys(given)
      .filter((key) => !(key in fields))
      .map((key) => ({ path: [...path, key], explanation: `Field is not defined on ${type.name}` }));
    for (const field of Object.values(fields)) {
      if (given[field.name] === undefined && field.defaultValue !== undefined) continue;
      problems.push(...problemsOf(field.type, given[field.name], [...path, field.name]));
    }
    if (type.isOneOf && Object.values(given).filter((item) => item !== null && item !== undefined).length !== 1) {
      problems.push({
        path,
        explanation: `'${type.name}' requires exactly one argument, but ${Object.keys(given).length} were provided.`,
      });
    }
    return problems;
  }
  return isScalarType(type) ? scalarProblems(type, value, path) : [];
}

function scalarProblems(
  type: Extract<GraphQLInputType, { coerceInputValue: unknown }>,
  value: unknown,
  path: (string | number)[],
): Problem[] {
  if (type.name === 'ID') {
    if (isGid(value)) return [];
    const explanation = `Invalid global id '${String(value)}'`;
    return [{ path, explanation, message: explanation }];
  }
  try {
    type.coerceInputValue(value);
    return [];
  } catch {
    return [{ path, explanation: `Could not coerce value ${JSON.stringify(value)} to ${type.name}` }];
  }
}
