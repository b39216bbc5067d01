import type { ArgRule, ArgRules } from './arg-rules.ts';
import { toInt, toText } from './decimal.ts';
import { isObject, type Json, type JsonObject, type Params } from './json.ts';
import { RestError } from './rest-error.ts';
import { parseRestDate } from './site-time.ts';

interface Problem {
  readonly code: string;
  readonly message: string;
  readonly data: Json;
}

/** WordPress checks what a route's arguments say, then sanitizes: `null` skips the check and becomes "" or 0 or []. */
export function checkArgs(rules: ArgRules, params: Params): Params {
  const missing = Object.keys(rules).filter((name) => rules[name]?.required && params[name] === undefined);
  if (missing.length > 0) {
    throw new RestError('rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, 400, {
      params: missing,
    });
  }
  const problems: Record<string, Problem> = {};
  const clean: Params = { ...params };
  for (const [name, rule] of Object.entries(rules)) {
    const value = params[name];
    if (value === undefined) {
      if (rule.default !== undefined) clean[name] = rule.default as Json;
      continue;
    }
    const problem = value === null || isIdList(name, rule) ? null : check(rule, value, name);
    if (problem) problems[name] = problem;
    else clean[name] = sanitize(rule, value);
  }
  if (Object.keys(problems).length > 0) throw invalidParams(problems);
  return clean;
}

/** `include` and `exclude` are parsed, never refused. */
function isIdList(name: string, rule: ArgRule): boolean {
  return (name === 'include' || name === 'exclude') && rule.type === 'array';
}

function invalidParams(problems: Record<string, Problem>): RestError {
  const params: JsonObject = {};
  const details: JsonObject = {};
  for (const [name, { code, message, data }] of Object.entries(problems)) {
    params[name] = message;
    details[name] = { code, message, data };
  }
  const names = Object.keys(problems).join(', ');
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${names}`, 400, { params, details });
}

function check(rule: ArgRule, value: Json, param: string): Problem | null {
  if (Array.isArray(rule.type)) {
    const fits = (rule.type as readonly string[]).some((type) => isType(type, value));
    return fits ? null : wrongType(param, (rule.type as readonly string[]).join(','));
  }
  const type = rule.type as string | undefined;
  if (type === undefined) return null;
  if (!isType(type, value)) return wrongType(param, type);
  if (type === 'array') return checkItems(rule, value, param);
  if (type === 'object' && rule.properties && isObject(value)) return checkProperties(rule.properties, value, param);
  if (rule.enum && !rule.enum.some((option) => String(option) === toText(value))) return notInEnum(rule.enum, param);
  if (type === 'integer' || type === 'number') return checkBounds(rule, Number(value), param);
  if (rule.format === 'date-time' && !parseRestDate(toText(value))) {
    return { code: 'rest_invalid_date', message: 'Invalid date.', data: null };
  }
  return null;
}

function wrongType(param: string, type: string): Problem {
  return { code: 'rest_invalid_type', message: `${param} is not of type ${type}.`, data: { param } };
}

function notInEnum(options: readonly (string | number)[], param: string): Problem {
  const names = options.map(String);
  const last = names.pop() ?? '';
  const comma = names.length > 1 ? ',' : '';
  const message =
    names.length === 0 ? `${param} is not ${last}.` : `${param} is not one of ${names.join(', ')}${comma} and ${last}.`;
  return { code: 'rest_not_in_enum', message, data: null };
}

function checkBounds({ minimum, maximum }: ArgRule, value: number, param: string): Problem | null {
  const fail = (message: string): Problem => ({
    code: 'rest_out_of_bounds',
    message: `${param} ${message}`,
    data: null,
  });
  const low = minimum !== undefined && value < minimum;
  const high = maximum !== undefined && value > maximum;
  if (!low && !high) return null;
  if (minimum !== undefined && maximum !== undefined) {
    return fail(`must be between ${minimum} (inclusive) and ${maximum} (inclusive)`);
  }
  return minimum !== undefined
    ? fail(`must be greater than or equal to ${minimum}`)
    : fail(`must be less than or equal to ${maximum}`);
}

function checkItems(rule: ArgRule, value: Json, param: string): Problem | null {
  if (!rule.items) return null;
  for (const [index, item] of parseList(value).entries()) {
    const problem = check(rule.items, item, `${param}[${index}]`);
    if (problem) return problem;
  }
  return null;
}

function checkProperties(properties: ArgRules, value: JsonObject, param: string): Problem | null {
  for (const [name, rule] of Object.entries(properties)) {
    const item = value[name];
    if (item === undefined) continue;
    const problem = check(rule, item, `${param}[${name}]`);
    if (problem) return problem;
  }
  return null;
}

function isType(type: string, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return isNumeric(value) && Number.isInteger(Number(value));
    case 'number':
      return isNumeric(value);
    case 'boolean':
      return ['true', 'false', '1', '0', ''].includes(typeof value === 'string' ? value.toLowerCase() : String(value));
    case 'array':
      return Array.isArray(value) || (typeof value !== 'object' && typeof value !== 'boolean');
    case 'object':
      return value === '' || (typeof value === 'object' && value !== null);
    default:
      return true;
  }
}

function isNumeric(value: Json): boolean {
  if (typeof value === 'number') return true;
  return (
    typeof value === 'string' && value.trim() !== '' && /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value)
  );
}

/** wp_parse_list: commas and blanks separate. */
export function parseList(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return toText(value)
    .split(/[\s,]+/)
    .filter((part) => part !== '');
}

function sanitize(rule: ArgRule, value: Json): Json {
  const type = Array.isArray(rule.type)
    ? (rule.type as readonly string[]).find((name) => isType(name, value))
    : (rule.type as string | undefined);
  switch (type) {
    case 'string':
      return value === null ? '' : toText(value);
    case 'integer':
      return value === null ? 0 : toInt(Number(value));
    case 'number':
      return Number(value);
    case 'boolean':
      return typeof value === 'string' ? !['', '0', 'false'].includes(value.toLowerCase()) : Boolean(value);
    case 'array':
      return value === null ? [] : parseList(value).map((item) => (rule.items ? sanitize(rule.items, item) : item));
    case 'object':
      return sanitizeObject(rule, value);
    default:
      return value;
  }
}

function sanitizeObject(rule: ArgRule, value: Json): Json {
  if (!isObject(value)) return Array.isArray(value) ? value : {};
  const clean: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    const property = rule.properties?.[name];
    clean[name] = property ? sanitize(property, item) : item;
  }
  return clean;
}
