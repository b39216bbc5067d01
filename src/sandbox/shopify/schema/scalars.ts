import { GraphQLScalarType, type GraphQLSchema, Kind, type ValueNode } from 'graphql';

interface ScalarRules {
  input(value: unknown): unknown;
  output?(value: unknown): unknown;
}

const MONEY_PATTERN = /^-?\d+(\.\d+)?$/;

/** Words of graphql-ruby, which stands behind the real API; they reach clients in `problems[].explanation`. */
function couldNotCoerce(value: unknown, typeName: string): Error {
  return new Error(`Could not coerce value ${JSON.stringify(value)} to ${typeName}`);
}

function decimalText(value: unknown, typeName: string): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string' && MONEY_PATTERN.test(value.trim())) return value.trim();
  throw couldNotCoerce(value, typeName);
}

function text(typeName: string): ScalarRules {
  return {
    input: (value) => {
      if (typeof value !== 'string') throw couldNotCoerce(value, typeName);
      return value;
    },
  };
}

function dateTime(value: unknown): string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(Date.parse(value))) {
    throw couldNotCoerce(value, 'DateTime');
  }
  return value;
}

const RULES: Record<string, ScalarRules> = {
  Decimal: { input: (value) => decimalText(value, 'Decimal') },
  Money: { input: (value) => decimalText(value, 'Money') },
  DateTime: {
    input: dateTime,
    // Shopify answers whole seconds in UTC; the milliseconds that the store keeps must not leak to callers.
    output: (value) => (typeof value === 'number' ? isoSeconds(value) : value),
  },
  HTML: text('HTML'),
  URL: {
    input: (value) => {
      if (typeof value !== 'string' || !URL.canParse(value)) throw couldNotCoerce(value, 'URL');
      return value;
    },
  },
  UnsignedInt64: {
    input: (value) => {
      if (
        (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) ||
        (typeof value === 'string' && /^\d+$/.test(value))
      ) {
        return String(value);
      }
      throw couldNotCoerce(value, 'UnsignedInt64');
    },
    output: (value) => String(value),
  },
  JSON: { input: (value) => value },
};

/** Milliseconds -> `2026-11-21T09:23:30Z`. */
function isoSeconds(atMs: number): string {
  return new Date(Math.floor(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

function literalValue(node: ValueNode): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map(literalValue);
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((field) => [field.name.value, literalValue(field.value)]));
    default:
      return null;
  }
}

export function applyScalars(schema: GraphQLSchema): void {
  for (const [name, rules] of Object.entries(RULES)) {
    const type = schema.getType(name);
    if (!(type instanceof GraphQLScalarType)) continue;
    type.coerceInputValue = rules.input;
    type.coerceInputLiteral = (node) => rules.input(literalValue(node));
    type.coerceOutputValue = rules.output ?? ((value) => value);
    // graphql-js 17 still calls the older trio from a few places.
    type.parseValue = rules.input;
    type.parseLiteral = (node) => rules.input(literalValue(node));
    type.serialize = rules.output ?? ((value) => value);
  }
}
