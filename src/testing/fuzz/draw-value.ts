import type { SeededRandom } from '../simulator/random.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** What breaks programs: ends of ranges, signs that something may read as its own, names of what every object has. */
const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '\u0000',
    '\n',
    '\ud800',
    '\u202e',
    '🎉',
    'é',
    'İ',
    'ß',
    'NaN',
    'null',
    'undefined',
    'true',
    '-0',
    '1e309',
  ],
  ...[
    '0x10',
    '9007199254740993',
    '../../etc/passwd',
    '..\\..\\x',
    '%00',
    '%2e%2e%2f',
    '$' + '{7*7}',
    '{{7*7}}',
    '<script>',
  ],
  ...["' OR 1=1 --", '"; DROP TABLE user; --', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '$where', '*'],
  ...['javascript:alert(1)', 'http://127.0.0.1', 'https://169.254.169.254/', 'file:///etc/passwd', 'a@b', '\r\nX: y'],
  ...['2026-02-30T25:61:61Z', '-1', '0', '💥'.repeat(200), 'a'.repeat(5_000), '('.repeat(500), '%', '\\', "'"],
];

const NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 53 + 2, -(2 ** 53), 1e21, 1e308, -1e308, 5e-324],
];

const KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'id',
  '_id',
  'role',
  'workspaceId',
  'userId',
  'x',
  '',
  'a.b',
  '$ne',
];

/** A value that fits the schema, as far as the schema says. */
export function drawFitting(random: SeededRandom, schema: Schema, ids: readonly string[]): unknown {
  const { anyOf, enum: choices, type } = schema as { anyOf?: Schema[]; enum?: unknown[]; type?: string };
  if (anyOf !== undefined) return drawFitting(random, pick(random, anyOf), ids);
  if ('const' in schema) return schema['const'];
  if (choices !== undefined) return pick(random, choices);
  switch (type) {
    case 'string':
      return drawText(random, schema, ids);
    case 'integer':
    case 'number':
      return drawNumber(random, schema);
    case 'boolean':
      return random.int(2) === 0;
    case 'array':
      return Array.from({ length: random.int(4) }, () => drawFitting(random, schema['items'] as Schema, ids));
    case 'object':
      return drawObject(random, schema, ids);
    default:
      return null;
  }
}

function drawText(random: SeededRandom, schema: Schema, ids: readonly string[]): string {
  const max = Number(schema['maxLength'] ?? 50);
  if (random.int(2) === 0 && ids.length > 0) return pick(random, ids).slice(0, max);
  const text = random.int(3) === 0 ? pick(random, TEXTS) : `t${random.bits().toString(36)}`;
  return text.slice(0, max).padEnd(Number(schema['minLength'] ?? 0), 'x');
}

function drawNumber(random: SeededRandom, schema: Schema): number {
  const min = Number(schema['minimum'] ?? -1_000_000);
  const max = Number(schema['maximum'] ?? 1_000_000);
  return pick(random, [min, max, Math.floor(min + random.unit() * (max - min))]);
}

function drawObject(random: SeededRandom, schema: Schema, ids: readonly string[]): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  const entries = Object.entries(properties)
    .filter(([name]) => required.includes(name) || random.int(2) === 0)
    .map(([name, one]): [string, unknown] => [name, drawFitting(random, one, ids)]);
  return Object.fromEntries(entries);
}

/** Any JSON at all. */
export function drawAnything(random: SeededRandom, depth = 0): unknown {
  switch (random.int(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.int(2) === 0;
    case 2:
      return pick(random, NUMBERS);
    case 3:
    case 4:
      return pick(random, TEXTS);
    case 5:
      return Array.from({ length: random.int(5) }, () => drawAnything(random, depth + 1));
    case 6:
      return deep(random.between(10, 2_000));
    default:
      return Object.fromEntries(
        Array.from({ length: random.int(5) }, () => [pick(random, KEYS), drawAnything(random, depth + 1)]),
      );
  }
}

/** The value with one thing about it changed: a member gone, of another type, or one too many. */
export function spoil(random: SeededRandom, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return drawAnything(random);
  const entries = Object.entries(value);
  const index = random.int(entries.length + 1);
  switch (random.int(3)) {
    case 0:
      return Object.fromEntries(entries.filter((_entry, at) => at !== index));
    case 1:
      return Object.fromEntries(entries.map(([name, old], at) => [name, at === index ? spoil(random, old) : old]));
    default:
      return Object.fromEntries([...entries, [pick(random, KEYS), drawAnything(random)]]);
  }
}

function deep(levels: number): unknown {
  let value: unknown = [];
  for (let n = 0; n < levels; n++) value = n % 2 === 0 ? [value] : { x: value };
  return value;
}

export function pick<T>(random: SeededRandom, from: readonly T[]): T {
  return from[random.int(from.length)] as T;
}
